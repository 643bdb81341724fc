import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { defineManifest, type ManifestDocument, render, type Secret, toJSON } from '../../src/index.ts';
import type { SecretSink } from '../../src/store.ts';
import { declared, openAccount, scratchFolder } from './account.ts';

const FILE = { file: 'secrets.env', format: 'dotenv', as: 'APP_KEY' } as const;

async function open(deliver: NonNullable<NonNullable<ManifestDocument['keys']>[string]>['deliver']) {
  const folder = scratchFolder();
  const account = await openAccount([]);
  const manifest = await defineManifest({ keys: { app: { budget: 'unlimited', deliver: deliver ?? [] } } }, { folder });
  return { ...account, manifest, path: join(folder, FILE.file), folder };
}

describe('the sinks that a manifest declares, where a program names none', () => {
  it('get the secret of the new key, in a file that nobody else reads, and once', async () => {
    const { keyplane, manifest, path, store } = await open([FILE]);
    const report = await keyplane.apply(manifest);
    expect(report).toMatchObject({ outcomes: [{ state: 'applied' }], deliveries: [{ state: 'delivered' }] });
    const [key] = await store.walk();
    if (!key) throw new Error('there is no key');
    const secret = (await store.reveal([key.id])).get(key.id)?.reveal();
    const text = await readFile(path, 'utf8');
    expect(text).toContain(`APP_KEY=${secret}`);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(JSON.stringify(report, (_, value) => (typeof value === 'bigint' ? String(value) : value))).not.toContain(
      secret,
    );
    const again = await keyplane.apply(manifest);
    expect([again.outcomes, again.deliveries ?? []]).toEqual([[], []]);
    expect(await readFile(path, 'utf8')).toBe(text);
  });

  it('run no program: a manifest alone does not decide that', async () => {
    const folder = scratchFolder();
    const touched = join(folder, 'touched');
    const { keyplane, manifest } = await open([
      { exec: [process.execPath, '-e', `fs.writeFileSync('${touched}', '')`] },
    ]);
    const report = await keyplane.apply(manifest);
    expect(report.deliveries).toMatchObject([{ state: 'failed' }]);
    expect(existsSync(touched)).toBe(false);
  });
});

describe('a sink of a program', () => {
  const sinkWith = (exposure: SecretSink['exposure']): SecretSink => {
    let held: Secret | undefined;
    return {
      ...{ id: 'mine', kind: 'file', adopt: true, propagateSeconds: 0, onDestroy: 'keep' },
      probe: async () => 'absent',
      compare: async () => (held ? 'current' : 'absent'),
      async write(secret) {
        held = secret;
      },
      read: async () => held,
      ...(exposure && { exposure: () => exposure.call(held) }),
      remove: async () => {},
    };
  };
  const applied = async (sink: SecretSink) => {
    const { keyplane } = await openAccount([], { sinks: { of: () => [sink], metadataOf: (key) => ({ key }) } });
    return await keyplane.apply(await declared(['a'], {}));
  };

  it('warns in the report of who else can read the secret', async () => {
    const report = await applied(sinkWith(async () => 'the whole team can read it'));
    expect(report.deliveries).toMatchObject([{ state: 'delivered', remark: 'the whole team can read it' }]);
    expect(await render(report, 'text')).toContain(
      'done    deliver a to mine\n        warning: the whole team can read it\n',
    );
    expect(await toJSON(report)).toMatchObject({ data: { deliveries: [{ remark: 'the whole team can read it' }] } });
  });

  it.each([true, '', {}, null])('reports the delivery although its sink answers %j to that', async (answer) => {
    const report = await applied(sinkWith(async () => answer as never));
    expect(report.deliveries?.[0]).toMatchObject({ state: 'delivered' });
    expect(await render(report, 'text')).not.toContain('warning');
  });

  it('shows no secret in that warning, and reports the delivery although the sink throws there', async () => {
    const exposed = await applied(
      sinkWith(async function (this: unknown) {
        return `anybody can read ${(this as Secret).reveal()}`;
      }),
    );
    expect(exposed.deliveries).toMatchObject([{ remark: 'anybody can read ‹secret›' }]);
    const failing = await applied(
      sinkWith(() => {
        throw new Error('offline');
      }),
    );
    expect(failing.deliveries).toMatchObject([{ state: 'delivered' }]);
    expect(failing.deliveries?.[0]).not.toHaveProperty('remark');
  });

  it('shows no secret in a report, although its error repeats what it was given', async () => {
    const given: string[] = [];
    const sink: SecretSink = {
      ...{ id: 'mine', kind: 'file', adopt: true, propagateSeconds: 0, onDestroy: 'keep' },
      probe: async () => 'absent',
      compare: async () => 'absent',
      write: async (secret) => {
        given.push(secret.reveal(), Buffer.from(secret.reveal()).toString('base64'));
        throw new Error(`cannot store ${given.join(' ')}`);
      },
      read: async () => undefined,
      remove: async () => {},
    };
    const { keyplane } = await openAccount([], { sinks: { of: () => [sink], metadataOf: (key) => ({ key }) } });
    const report = await keyplane.apply(await declared(['a'], {}));
    expect(report.deliveries).toMatchObject([
      { state: 'indeterminate', fault: { message: expect.stringContaining('“mine” failed: cannot store ') } },
    ]);
    const shown = `${await render(report, 'text')}${inspect(report, { depth: null, showHidden: true })}`;
    expect(given).toHaveLength(2);
    for (const text of given) expect(shown).not.toContain(text);
  });
});
