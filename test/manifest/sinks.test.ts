import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readManifest } from '../../src/manifest/index.ts';
import { NOW } from '../reconcile/account.ts';

const folder = mkdtempSync(join(tmpdir(), 'keyplane-declared-'));
symlinkSync('/etc', join(folder, 'link'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function read(keys: string) {
  const file = join(folder, 'keyplane.yaml');
  writeFileSync(file, `version: 1\nkeys:\n${keys}`);
  return await readManifest([file], { env: {}, cwd: folder, now: NOW });
}

/** Two keys with one sink each. */
const pair = (kind: string, first: string, second: string): string =>
  `  a: { deliver: [{ ${kind}: ${first} }] }\n  b: { deliver: [{ ${kind}: ${second} }] }\n`;

describe('the sinks of a manifest', () => {
  it('are kept with their options, in the folder of their file', async () => {
    const { manifest, diagnostics } = await read(
      '  a: { deliver: [{ file: .env, format: dotenv, as: A, adopt: true, propagate: 90s, onDestroy: remove }] }\n',
    );
    expect(diagnostics).toEqual([]);
    expect(manifest?.desired.keys[0]?.deliver).toMatchObject([
      {
        target: { file: '.env', format: 'dotenv', as: 'A' },
        adopt: true,
        propagateSeconds: 90,
        onDestroy: 'remove',
        folder,
      },
    ]);
  });

  it.each([
    [
      'one entry for two keys',
      '  a: { deliver: [{ file: e, format: json, as: K }] }\n  b: { deliver: [{ file: ./e, format: json, as: K }] }\n',
    ],
    ['a default for all keys', '  a: {}\n  b: {}\ndefaults: { deliver: [{ file: e, format: json, as: K }] }\n'],
    [
      'an entry of a file that is a secret',
      '  a: { deliver: [{ file: e, format: raw }] }\n  b: { deliver: [{ file: e, format: json, as: K }] }\n',
    ],
    [
      'two formats for one file',
      '  a: { deliver: [{ file: e, format: yaml, as: J }, { file: e, format: json, as: K }] }\n',
    ],
    [
      'a secret of GitHub, whose names have no case',
      pair('githubSecret', '{ repository: acme/shop, as: LLM_KEY }', '{ repository: Acme/Shop, as: llm_key }'),
    ],
    [
      'an environment of GitHub, whose names have no case',
      pair(
        'githubSecret',
        '{ repository: acme/shop, environment: Prod, as: K }',
        '{ url: "https://API.github.com:443/", repository: acme/shop, environment: prod, as: K }',
      ),
    ],
    [
      'a variable of a project of GitLab, whose paths have no case',
      pair('gitlabVariable', '{ project: acme/shop, as: K }', '{ project: Acme/shop, environment: "*", as: K }'),
    ],
    [
      'an entry of Vault whose address is spelled in two ways',
      pair(
        'vault',
        '{ url: "https://vault.example.com", path: app, as: k }',
        '{ url: "https://Vault.example.com:443/x/../", mount: secret, path: app, as: k }',
      ),
    ],
    [
      'a secret of AWS with the port of its scheme',
      pair(
        'awsSecret',
        '{ url: "https://aws.example.com", region: eu-west-1, name: app }',
        '{ url: "https://aws.example.com:443", region: eu-west-1, name: app }',
      ),
    ],
    [
      'a file whose name differs only in case',
      '  a: { deliver: [{ file: key.txt, format: raw }] }\n  b: { deliver: [{ file: Key.TXT, format: raw }] }\n',
    ],
    [
      'the second file of an encrypted one',
      '  a: { deliver: [{ file: e, encrypt: [age1qq] }] }\n  b: { deliver: [{ file: e.keyplane, format: raw }] }\n',
    ],
  ])('are rejected when they share a place: %s', async (_title, keys) => {
    const { diagnostics } = await read(keys);
    expect(diagnostics).toMatchObject([{ code: 'manifest.shared-sink' }]);
  });

  it('are rejected when two files of one folder share a place, and a link leads to one of them', async () => {
    mkdirSync(join(folder, 'team'));
    symlinkSync(join(folder, 'team'), join(folder, 'same-team'));
    for (const [name, key] of [
      ['a.yaml', 'a'],
      ['b.yaml', 'b'],
    ]) {
      const text = `version: 1\nkeys: { ${key}: { deliver: [{ file: .env, format: dotenv, as: K }] } }\n`;
      writeFileSync(join(folder, 'team', `${name}`), text);
    }
    const files = [join(folder, 'team/a.yaml'), join(folder, 'same-team/b.yaml')];
    const { diagnostics } = await readManifest(files, { env: {}, cwd: tmpdir(), now: NOW });
    expect(diagnostics).toMatchObject([{ code: 'manifest.shared-sink' }]);
  });

  it.each([
    [
      'other cases of names in Vault',
      pair('vault', '{ url: "https://v.example", path: a, as: k }', '{ url: "https://v.example", path: A, as: k }'),
    ],
    [
      'other scopes of one variable',
      pair(
        'gitlabVariable',
        '{ project: a/b, as: K, environment: Prod }',
        '{ project: a/b, as: K, environment: prod }',
      ),
    ],
  ])('are distinguished where their service does: %s', async (_title, keys) => {
    const { diagnostics } = await read(keys);
    expect(diagnostics).toEqual([]);
  });

  const kubernetes = (fields: string): string =>
    `  a: { deliver: [{ kubernetesSecret: { file: s.yaml, ${fields} } }] }\n`;

  it.each([
    ['a name that is too long with its end', `name: ${'a'.repeat(245)}`],
    ['a name with an empty part', 'name: llm..key'],
    ['a name with a part that ends with a hyphen', 'name: llm-.key'],
    ['a namespace of more than 63 characters', `name: llm, namespace: ${'a'.repeat(64)}`],
    ['a namespace with a dot', 'name: llm, namespace: team.prod'],
    ['an entry of dots', 'name: llm, as: ..'],
    ['an entry that begins with two dots', 'name: llm, as: ..data'],
    ['an entry of more than 253 characters', `name: llm, as: ${'a'.repeat(254)}`],
  ])('are rejected with a Kubernetes name that its server rejects: %s', async (_title, fields) => {
    const { diagnostics } = await read(kubernetes(fields));
    expect(diagnostics).toMatchObject([{ code: 'manifest.invalid-value' }]);
  });

  it.each([
    ['as long as the server takes', `name: ${'a'.repeat(244)}, namespace: ${'a'.repeat(63)}, as: ${'a'.repeat(253)}`],
    ['of several parts', 'name: llm.prod-1.x, namespace: 0-a, as: .api..key-'],
  ])('may have Kubernetes names %s', async (_title, fields) => {
    const { diagnostics } = await read(kubernetes(fields));
    expect(diagnostics).toEqual([]);
  });

  it.each(['eu-central-1', 'us-gov-west-1', 'eusc-de-east-1', 'us-isob-east-1'])(
    'may be in the AWS region %s',
    async (region) => {
      const { diagnostics } = await read(`  a: { deliver: [{ awsSecret: { name: app, region: ${region} } }] }\n`);
      expect(diagnostics).toEqual([]);
    },
  );

  it('are rejected with a scope of GitLab whose blanks at its ends GitLab removes', async () => {
    const { diagnostics } = await read(
      '  a: { deliver: [{ gitlabVariable: { project: acme/shop, as: K, environment: "production " } }] }\n',
    );
    expect(diagnostics).toMatchObject([{ code: 'manifest.invalid-value' }]);
  });

  it('may be several entries of one file', async () => {
    const { diagnostics } = await read(
      '  a: { deliver: [{ file: e, format: json, as: A }] }\n  b: { deliver: [{ file: e, format: json, as: B }] }\n',
    );
    expect(diagnostics).toEqual([]);
  });

  it.each(['../.env', '/etc/passwd', 'link/passwd'])(
    'are rejected outside the folder of the manifest: %s',
    async (file) => {
      const { diagnostics } = await read(`  a: { deliver: [{ file: ${file}, format: raw }] }\n`);
      expect(diagnostics).toMatchObject([{ code: 'manifest.outside-folder' }]);
    },
  );
});
