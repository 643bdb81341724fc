import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Secret } from '../../src/domain/index.ts';
import { type ManifestContext, type ManifestReading, readManifest } from '../../src/manifest/index.ts';
import { brief, NOW, readText } from './scratch.ts';

const CANARY = 'canary-7h3-s3cr3t-0f-th15-m4ch1n3';

const shown = ({ diagnostics, sources }: ManifestReading): string => JSON.stringify([diagnostics, [...sources]]);

describe('a manifest from a stranger', () => {
  let root: string;
  const put = (path: string, text: string): string => {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  };
  const link = (path: string, target: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    symlinkSync(target, join(root, path));
  };
  const read = (paths: readonly string[] = ['keyplane.yaml'], more: Partial<ManifestContext> = {}) =>
    readManifest(paths, { env: {}, cwd: join(root, 'repo'), now: NOW, ...more });
  const group = (value: string) => put('repo/keyplane.yaml', `version: 1\nkeys: { a: { group: "${value}" } }\n`);

  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'keyplane-confined-')));
    put('home/secret', `${CANARY}\n`);
    put('home/.netrc', `machine gateway.example login me password ${CANARY}\n`);
    put('home/key.pem', `-----BEGIN PRIVATE KEY-----\n${CANARY}\n-----END PRIVATE KEY-----\n`);
    put('home/all.yaml', `user: &x ${CANARY}\nother: [*y, ${CANARY}]\n`);
    put('repo/inside.txt', 'vip\n');
  });
  afterEach(() => rmSync(root, { recursive: true }));

  test.each([
    ['a path to the folder above', '../home/secret'],
    ['a path with detours', 'sub/../../home/secret'],
    ['a path that does not exist', '../home/nothing'],
    ['a link out of the folder', 'out/secret'],
    ['a link to a file', 'secret'],
    ['a file of git', '.git/config'],
    ['a link to a hidden file', 'visible'],
  ])('reads no file by %s', async (_, path) => {
    link('repo/out', '../home');
    link('repo/secret', join(root, 'home/secret'));
    put('repo/.git/config', `extraheader = AUTHORIZATION: basic ${CANARY}\n`);
    link('repo/visible', '.git/config');
    group(`\${file:${path}}`);
    const reading = await read();
    expect(reading.diagnostics.map(brief)).toEqual(['manifest.outside-folder 2:21']);
    expect(shown(reading)).not.toContain(CANARY);
  });

  test('reads no file by an absolute path', async () => {
    group(`\${file:${join(root, 'home/secret')}}`);
    expect((await read()).diagnostics.map(({ code }) => code)).toEqual(['manifest.outside-folder']);
  });

  test('reads a file of its own folder, also through a link that stays in it', async () => {
    put('repo/..data/models.txt', 'vip\n');
    link('repo/models.txt', '..data/models.txt');
    for (const path of ['inside.txt', './inside.txt', 'models.txt', join(root, 'repo/inside.txt')]) {
      group(`\${file:${path}}`);
      expect((await read()).manifest?.desired.keys[0]?.group).toBe('vip');
    }
  });

  test.each(['../home/secret', 'out/secret', 'secret', '/etc/hostname'])(
    'names no access token file outside of its folder: %s',
    async (path) => {
      link('repo/out', '../home');
      link('repo/secret', '../home/secret');
      put('repo/keyplane.yaml', `version: 1\ngateway: { accessTokenFile: ${path} }\nkeys: {}\n`);
      expect((await read()).diagnostics.map(brief)).toEqual(['manifest.outside-folder 2:29']);
    },
  );

  test('names an access token file of its folder, whether it exists or not', async () => {
    for (const path of ['inside.txt', 'later/access.token', '.keyplane/access.token']) {
      put('repo/keyplane.yaml', `version: 1\ngateway: { accessTokenFile: ${path} }\nkeys: {}\n`);
      expect((await read()).manifest?.gateway.accessTokenFile).toBe(join(root, 'repo', path));
    }
  });

  test.each([
    ['that is a link to a file of another folder', 'link.yaml', ['link.yaml'], '../home/.netrc'],
    ['that is a link to a private key', 'link.yaml', ['link.yaml'], '../home/key.pem'],
    ['in a folder, as a link to another one', 'keys/link.yaml', ['keys'], '../../home/all.yaml'],
    ['in a folder that is a link', 'keys', ['keys'], '../home'],
    ['below a folder that is a link', 'keys', ['keys/all.yaml'], '../home'],
    ['of Terraform JSON that is a link', 'main.tf.json', ['main.tf.json'], '../home/.netrc'],
  ])('shows nothing of a file %s', async (_, at, paths, target) => {
    link(`repo/${at}`, target);
    const reading = await read(paths);
    expect(reading.diagnostics.map(({ code }) => code)).toEqual(['manifest.outside-folder']);
    expect([...reading.sources]).toEqual([]);
    expect(shown(reading)).not.toContain(CANARY);
  });

  test('is read through a link that stays in its folder, as volumes of Kubernetes have them', async () => {
    put('repo/volume/..2026/keyplane.yaml', 'version: 1\nkeys: { a: {} }\n');
    link('repo/volume/..data', '..2026');
    link('repo/volume/keyplane.yaml', '..data/keyplane.yaml');
    for (const path of ['volume', 'volume/keyplane.yaml', join(root, 'repo/volume')]) {
      expect((await read([path])).manifest?.desired.keys).toHaveLength(1);
    }
  });

  test('may be in a folder outside of the working folder, and named by a link outside of it', async () => {
    put('elsewhere/keyplane.yaml', 'version: 1\nkeys: { a: {} }\n');
    link('current', 'elsewhere');
    for (const path of ['../elsewhere', '../elsewhere/keyplane.yaml', '../current', '../current/keyplane.yaml']) {
      expect((await read([path])).manifest?.desired.keys).toHaveLength(1);
    }
  });

  test.each([
    ['JSON with credentials', 'creds.json', `{ "type": "service_account", "private_id": "${CANARY}" }\n`],
    ['YAML of another program', 'values.yaml', `database:\n  dsn: postgres://me:${CANARY}@db\n`],
    ['a text that is not YAML', 'notes.yaml', `machine x login y: z: ${CANARY}\n\t- [${CANARY}\n`],
    ['a private key', 'key.yaml', `-----BEGIN PRIVATE KEY-----\n${CANARY}\n-----END PRIVATE KEY-----\n`],
    ['a list of words', 'list.yaml', `- ${CANARY}\n- *none\n`],
    ['a syntax error before anything else', 'odd.yaml', `%YAML 9.9\n---\n@${CANARY}: }\n`],
    ['Terraform JSON that is not JSON', 'bad.tf.json', `machine x login y ${CANARY}\n`],
  ])('shows nothing of a file that is not a manifest: %s', async (_, name, text) => {
    put(`repo/${name}`, text);
    const reading = await read([name]);
    expect(reading.manifest).toBeUndefined();
    expect(shown(reading)).not.toContain(CANARY);
  });

  test('refers to no variable that was not allowed outside of it, and does not show which ones are set', async () => {
    const text = 'version: 1\nkeys: { a: { group: "${env:AWS_SECRET_ACCESS_KEY}" } }\n';
    const [set, unset] = [await readText(text, { AWS_SECRET_ACCESS_KEY: CANARY }, []), await readText(text, {}, [])];
    expect(set.diagnostics.map(brief)).toEqual(['manifest.variable-not-allowed 2:21']);
    expect(shown(set)).toBe(shown(unset));
    expect((await readText(text, { AWS_SECRET_ACCESS_KEY: 'vip' }, ['AWS_SECRET_ACCESS_KEY'])).manifest).toBeDefined();
  });

  test.each([
    ['the address', 'gateway: { url: "https://gw.example/${env:V}" }', '2:17'],
    ['the address, through an anchor', '$schema: &x "https://gw.example/${env:V}"\ngateway: { url: *x }', '2:13'],
    ['the address, through a merged map', 'gateway: { <<: { url: "https://gw.example/${env:V}" } }', '2:23'],
    ['the path of the access token', 'gateway: { accessTokenFile: "${env:V}" }', '2:29'],
    ['a former name', 'keys: { a: { renamedFrom: "${env:V}" } }', '2:27'],
    ['the name of an adopted key', 'keys: { a: { id: 3, name: "${env:V}" } }', '2:27'],
    ['the address, to a file', 'gateway: { url: "https://gw.example/${file:inside.txt}" }', '2:17'],
  ])('replaces no reference in %s', async (_, text, at) => {
    put('repo/keyplane.yaml', `version: 1\n${text}\n`);
    const reading = await read(undefined, { env: { V: CANARY }, variables: ['V'] });
    expect(reading.manifest).toBeUndefined();
    expect(reading.diagnostics.map(brief)).toContain(`manifest.reference-not-allowed ${at}`);
    expect(shown(reading)).not.toContain(CANARY);
  });

  test.each([
    ['in a group', 'keys: { a: { group: "TOKEN" } }'],
    ['within a text', 'keys: { a: { group: "x-TOKEN-y" } }'],
    ['in opaque tiers', 'keys: { a: { smartRouting: { tiers: [{ x: "TOKEN" }] } } }'],
    ['in a name', 'keys: { "TOKEN": {} }'],
    ['as the name of a field', 'keys: { a: { "TOKEN": 1 } }'],
    ['as an invalid value', 'keys: { a: { expires: "TOKEN" } }'],
    ['in a message of a check', 'checks: { c: { module: chat, messages: "TOKEN" } }'],
    ['in a scope', 'ownership: { scope: "TOKEN-*" }'],
    ['in a file that is not YAML', 'keys: { a: { group: "TOKEN"'],
  ])('holds the access token nowhere: %s', async (_, text) => {
    const token = 'y7Jd0-Kq2.sWm4';
    put('repo/access.token', `${token}\n`);
    for (const [section, secrets] of [
      ['', [new Secret(token)]],
      ['gateway: { accessTokenFile: access.token }\n', []],
    ] as const) {
      put('repo/keyplane.yaml', `version: 1\n${section}${text.replace('TOKEN', token)}\n`);
      const reading = await read(undefined, { secrets });
      expect(reading.manifest).toBeUndefined();
      expect(shown(reading)).not.toContain(token);
    }
  });

  test('does not get the access token through a reference either', async () => {
    put('repo/access.token', `${CANARY}\n`);
    put(
      'repo/keyplane.yaml',
      'version: 1\ngateway: { accessTokenFile: access.token }\nkeys: { a: { group: "${file:access.token}" }, b: { group: "${env:T}" } }\n',
    );
    const reading = await read(undefined, { env: { T: CANARY }, variables: ['T'] });
    expect(reading.diagnostics.map(brief)).toEqual([
      'manifest.secret-in-manifest 3:21',
      'manifest.secret-in-manifest 3:59',
    ]);
    expect(shown(reading)).not.toContain(CANARY);
  });
});
