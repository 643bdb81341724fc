import { describe, expect, test } from 'vitest';
import { DIAGNOSTIC_CODES, type DiagnosticCode } from '../../src/domain/index.ts';
import { brief, type ReadOptions, readFiles } from './scratch.ts';

interface Case extends ReadOptions {
  readonly files: Readonly<Record<string, string>>;
  readonly at: string;
}

const one = (text: string, at: string, more: ReadOptions = {}): Case => ({ files: { 'a.yaml': text }, at, ...more });
const key = (fields: string, at: string): Case => one(`version: 1\nkeys:\n  one:\n    ${fields}\n`, at);

const inTerraform = (fields: string): string => `{ "resource": { "keyplane_api_key": { "one": {\n${fields} } } } }\n`;
const terraform = (fields: string, at: string): Case => ({ files: { 'a.tf.json': inTerraform(fields) }, at });

const inAccount = (name: string, user: number): string =>
  JSON.stringify({
    provider: { keyplane: { user_id: user } },
    resource: { keyplane_api_key: { [name]: { name } } },
  });

/** One manifest for each code, and where the code points. */
const CASES: Readonly<Record<DiagnosticCode, Case>> = {
  'manifest.unreadable': { files: {}, paths: ['nowhere.yaml'], at: '1:1' },
  'manifest.no-files': { files: { 'folder/notes.txt': '' }, paths: ['folder'], at: '1:1' },
  'manifest.syntax': one('version: 1\nkeys: { a: {}\n', '2:7'),
  'manifest.unknown-field': key('modles: [a]', '4:5'),
  'manifest.missing-field': key('rotate: { every: 90d }', '4:13'),
  'manifest.wrong-type': key('models: 5', '4:13'),
  'manifest.invalid-value': key('expires: tomorrow', '4:14'),
  'manifest.unsupported-version': one('version: 2\nkeys: {}\n', '1:10'),
  'manifest.duplicate-key': one('version: 1\nkeys:\n  one: {}\n  ONE: {}\n', '4:3'),
  'manifest.conflicting-field': {
    files: { 'a.yaml': 'version: 1\ngateway: { userId: 1 }\n', 'b.yaml': 'version: 1\ngateway: { userId: 2 }\n' },
    at: '2:20',
  },
  'manifest.invalid-name': one('version: 1\nkeys:\n  " a": {}\n', '3:3'),
  'manifest.invalid-ip-rule': key('allowIps: [10.1.2.3/8]', '4:16'),
  'manifest.empty-allowlist': key('models: []', '4:13'),
  'manifest.invalid-amount': key('budget: { usd: -1 }', '4:20'),
  'manifest.duplicate-entry': key('models: [a, b, a]', '4:20'),
  'manifest.past-expiry': key('expires: 2020-01-01T00:00:00Z', '4:14'),
  'manifest.invalid-rename': key('renamedFrom: one', '4:18'),
  'manifest.no-effect': one('version: 1\nownership: { prune: delete }\nkeys: {}\n', '2:21'),
  'manifest.outside-scope': one('version: 1\nownership: { scope: "a-*" }\nkeys: { b: {} }\n', '3:9'),
  'manifest.unset-variable': { ...key('group: ${env:NOT_SET}', '4:12'), variables: ['NOT_SET'] },
  'manifest.unreadable-reference': key('group: ${file:none.txt}', '4:12'),
  'manifest.variable-not-allowed': { ...key('group: ${env:HOME}', '4:12'), env: { HOME: '/x' }, variables: [] },
  'manifest.reference-not-allowed': one('version: 1\ngateway: { url: "${env:X}" }\n', '2:17', { env: { X: 'x' } }),
  'manifest.outside-folder': one('version: 1\ngateway: { accessTokenFile: ../token }\n', '2:29'),
  'manifest.shared-sink': key('deliver: [{ file: x, format: raw }, { file: x, format: raw }]', '4:41'),
  'manifest.secret-in-manifest': one(`version: 1\ngateway: { accessTokenFile: sk-${'a1'.repeat(12)} }\n`, '2:29'),
  'manifest.invalid-check': one('version: 1\nchecks: { film: { module: video, retries: 1 } }\n', '2:43'),
  'manifest.unknown-check': key('checks: [chatt]', '4:14'),
  'manifest.unused-check': one(
    'version: 1\nkeys: { app: { checks: [chat] } }\nchecks: { film: { module: video } }\n',
    '3:17',
  ),
  'terraform.unresolved': terraform('"name": "${timestamp()}"', '2:9'),
  'terraform.not-supported': terraform('"name": "one", "count": 1, "provisioner": {}', '2:28'),
  'terraform.left-out': terraform('"name": "one" } } }, "removed": { "a": { "b": {', '2:22'),
  'terraform.annotation': {
    files: {
      'out/manifest.json': JSON.stringify({
        stacks: {
          a: {
            synthesizedStackPath: 'a/cdk.tf.json',
            annotations: [{ constructPath: 'a/One', level: '@cdktf/error', message: 'No.' }],
          },
        },
      }),
      'out/a/cdk.tf.json': '{ "provider": { "keyplane": {} } }',
    },
    paths: ['out'],
    at: '1:1',
  },
  'terraform.unfinished': {
    files: {
      'out/manifest.json': JSON.stringify({ stacks: { a: { synthesizedStackPath: 'a/cdk.tf.json' } } }),
      'out/a/cdk.tf.json': '{ "provider": { "keyplane": {} } }',
    },
    changed: { 'out/manifest.json': 0, 'out/a/cdk.tf.json': 60 },
    paths: ['out'],
    at: '1:1',
  },
  'terraform.several-accounts': {
    files: {
      'a/a.tf.json': inAccount('a', 1),
      'b/b.tf.json': inAccount('b', 2),
    },
    at: '1:14',
  },
};

const WARNINGS: readonly DiagnosticCode[] = [
  'manifest.past-expiry',
  'manifest.duplicate-entry',
  'manifest.no-effect',
  'manifest.unused-check',
  'terraform.left-out',
  'terraform.unfinished',
];

describe('every diagnostic code has a manifest that produces it', () => {
  test.each(Object.keys(DIAGNOSTIC_CODES) as DiagnosticCode[])('%s', async (code) => {
    const { files, at, ...options } = CASES[code];
    const { diagnostics, manifest } = await readFiles(files, options);
    expect(diagnostics.map(brief)).toEqual([`${code} ${at}`]);
    const [only] = diagnostics;
    expect(only?.severity).toBe(WARNINGS.includes(code) ? 'warning' : 'error');
    expect(manifest === undefined).toBe(only?.severity === 'error');
    for (const part of [only?.message, only?.found, only?.expected, only?.hint]) expect(part).toBeTruthy();
  });
});
