import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { describeSink, FIRST, METADATA, SECOND, type SinkBody } from '../contract/sink-suite.ts';
import { hasProgram } from './programs.ts';
import { openIn, scratch } from './scratch.ts';

const target = { kubernetesSecret: { name: 'llm', namespace: 'prod', file: 'k8s/secret.yaml', as: 'API_KEY' } };

async function start(): Promise<SinkBody & { readonly file: string }> {
  const { folder, close } = await scratch();
  const file = join(folder, 'k8s/secret.yaml');
  const read = async (): Promise<string> => (existsSync(file) ? await readFile(file, 'utf8') : '');
  const entryOf = (text: string): string | undefined => {
    const data = parse(text)?.data?.API_KEY;
    return data === undefined ? undefined : Buffer.from(data, 'base64').toString();
  };
  return {
    file,
    open: (options) => openIn(target, folder, options),
    readByOthers: async () => entryOf(await read()),
    async writeByOthers(value) {
      if (!existsSync(file)) await openIn(target, folder).write(FIRST, METADATA);
      const text = (await read()).replace(/API_KEY: .*/, `API_KEY: ${Buffer.from(value).toString('base64')}`);
      await writeFile(file, text.replace('managed-by: keyplane', 'managed-by: sealed-by-hand'));
    },
    readPublic: async () => (await read()).replace(/data:[\s\S]*/, ''),
    writes: async () => (existsSync(file) ? Number((await stat(file, { bigint: true })).mtimeNs) : 0),
    close,
  };
}

describeSink({ title: 'Kubernetes manifest', start, isReadable: true, seesOverwrites: true, knowsOwner: true });

/** Texts that a reader of YAML 1.1 takes for something else without quotes, and entries of that kind. */
const WORDS = [
  ['on', 'on'],
  ['y', 'y'],
  ['1_000', '1_000'],
  ['0b11', '0b11'],
  ['0o1_7', '0o1_7'],
  ['12:30:45', '1.5'],
  ['2026-11-25', '2026-11-25'],
  ['~', 'Null'],
  ['a\u2028b \u0085', '-'],
  [`${'long '.repeat(40)}🔑`, '-1'],
] as const;

const kubectl = (cwd: string, ...args: readonly string[]): string => {
  const { status, stdout, stderr } = spawnSync('kubectl', args, { cwd, encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  return stdout;
};

describe('a Kubernetes manifest', () => {
  it('has another name for another secret, is immutable, and states its key and owner', async () => {
    const body = await start();
    await body.open().write(FIRST, METADATA);
    const first = parse(await readFile(body.file, 'utf8'));
    await body.open().write(SECOND, METADATA);
    const second = parse(await readFile(body.file, 'utf8'));
    expect(first).toMatchObject({
      kind: 'Secret',
      metadata: {
        name: expect.stringMatching(/^llm-[0-9a-f]{8}$/),
        namespace: 'prod',
        labels: { 'app.kubernetes.io/managed-by': 'keyplane' },
        annotations: { 'keyplane.dev/key': 'prod-checkout', 'keyplane.dev/owner': 'team-search' },
      },
      immutable: true,
    });
    expect(second.metadata.name).not.toBe(first.metadata.name);
    await body.close();
  });

  it('is current after its values were encrypted, and is not read then', async () => {
    const body = await start();
    await body.open().write(FIRST, METADATA);
    const sealed = (await readFile(body.file, 'utf8')).replace(/API_KEY: .*/, 'API_KEY: ENC[AES256_GCM,data:abc]');
    await writeFile(body.file, `${sealed}sops:\n  version: 3.9.0\n`);
    const sink = body.open();
    expect([await sink.compare(FIRST), await sink.compare(SECOND), await sink.read()]).toEqual([
      'current',
      'other',
      undefined,
    ]);
    await body.close();
  });

  it('is current after it was sealed, which moves the annotations into a template', async () => {
    const body = await start();
    await body.open().write(FIRST, METADATA);
    const { metadata } = parse(await readFile(body.file, 'utf8'));
    const { name, namespace } = metadata;
    const spec = {
      encryptedData: { API_KEY: 'AgBy3i4OJSWK' },
      template: { immutable: true, metadata, type: 'Opaque' },
    };
    const sealed = { apiVersion: 'bitnami.com/v1alpha1', kind: 'SealedSecret', metadata: { name, namespace }, spec };
    await writeFile(body.file, stringify(sealed));
    const sink = body.open();
    expect([await sink.probe(), await sink.compare(FIRST), await sink.compare(SECOND), await sink.read()]).toEqual([
      'ours',
      'current',
      'other',
      undefined,
    ]);
    await body.close();
  });

  it('reports that a secret replaced an encrypted one in plain text, and only then', async () => {
    const body = await start();
    const sink = body.open();
    await sink.write(FIRST, METADATA);
    expect(await sink.exposure?.()).toBeUndefined();
    await writeFile(body.file, `${await readFile(body.file, 'utf8')}sops:\n  version: 3.13.3\n`);
    expect(await sink.exposure?.()).toBeUndefined();
    await sink.write(SECOND, METADATA);
    expect(await sink.exposure?.()).toBe('the file was encrypted and no longer is: encrypt it before you commit it');
    expect(await body.open().exposure?.()).toBeUndefined();
    await sink.write(FIRST, METADATA);
    expect(await sink.exposure?.()).toBe('the file was encrypted and no longer is: encrypt it before you commit it');
    await body.close();
  });

  it('is not replaced where everything was encrypted, with a hint how to encrypt less', async () => {
    const body = await start();
    await body.open().write(FIRST, METADATA);
    await writeFile(body.file, 'kind: ENC[AES256_GCM,data:TRx5vWct,type:str]\nsops:\n  version: 3.13.3\n');
    const sink = body.open({ adopt: true });
    const calls = [
      () => sink.probe(),
      () => sink.compare(FIRST),
      () => sink.write(SECOND, METADATA),
      () => sink.read(),
      () => sink.remove(),
    ];
    for (const call of calls) {
      await expect(call()).rejects.toMatchObject({
        code: 'sink.unreadable',
        hint: 'Decrypt it, then encrypt `data` only, such as by `encrypted_regex: ^data$` in `.sops.yaml`.',
      });
    }
    await body.close();
  });

  it.each(WORDS)('states an owner and an entry that YAML 1.1 would read as something else: %j', async (word, entry) => {
    const { folder, close } = await scratch();
    const named = { kubernetesSecret: { name: 'llm', namespace: 'off', file: 'secret.yaml', as: entry } };
    await openIn(named, folder).write(FIRST, { ...METADATA, owner: word });
    const text = await readFile(join(folder, 'secret.yaml'), 'utf8');
    const data = { [entry]: Buffer.from(FIRST.reveal()).toString('base64') };
    expect(parse(text, { version: '1.1' })).toMatchObject({
      metadata: { namespace: 'off', annotations: { 'keyplane.dev/owner': word } },
      data,
    });
    if (hasProgram('kubectl')) {
      const made = kubectl(folder, 'annotate', '--local', '-f', 'secret.yaml', '-o', 'json', 'checked=yes');
      expect(JSON.parse(made)).toMatchObject({ metadata: { annotations: { 'keyplane.dev/owner': word } }, data });
    }
    await close();
  });

  it.each(['kind: ConfigMap\n', 'kind: Secret\n---\nkind: Secret\n', '{ broken', 'just text\n'])(
    'does not replace a file of something else: %j',
    async (text) => {
      const body = await start();
      await body.open().write(FIRST, METADATA);
      await writeFile(body.file, text);
      expect(await body.open().probe()).toBe('foreign');
      await expect(body.open().remove()).rejects.toMatchObject({ code: 'sink.foreign' });
      await body.close();
    },
  );

  it('is accepted by an API server, with names as long as it takes', async (context) => {
    const { KEYPLANE_TEST_KUBECONFIG: config } = process.env;
    if (config === undefined) return context.skip('KEYPLANE_TEST_KUBECONFIG names no API server');
    const { folder, close } = await scratch();
    const names = { name: 'a'.repeat(244), namespace: 'default', as: 'k'.repeat(253) };
    for (const [index, [word]] of WORDS.entries()) {
      const named = { kubernetesSecret: { ...names, file: `${index}.yaml` } };
      await openIn(named, folder).write(FIRST, { ...METADATA, owner: word });
    }
    const applied = kubectl(folder, `--kubeconfig=${config}`, 'apply', '--server-side', '--dry-run=server', '-f', '.');
    expect(applied.trimEnd().split('\n')).toHaveLength(WORDS.length);
    await close();
  });

  it('is a manifest that kubectl accepts', async (context) => {
    if (!hasProgram('kubectl')) context.skip('kubectl is not installed');
    const body = await start();
    await body.open().write(FIRST, METADATA);
    // Without a cluster, kubectl cannot validate against the schema of the server; it decodes and renders the object.
    const made = spawnSync(
      'kubectl',
      ['annotate', '--local', '-f', body.file, '-o', 'jsonpath={.data.API_KEY}', 'checked=yes'],
      { encoding: 'utf8' },
    );
    expect([made.status, Buffer.from(made.stdout, 'base64').toString()]).toEqual([0, FIRST.reveal()]);
    await body.close();
  });
});
