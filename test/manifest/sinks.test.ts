import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
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
  ])('are rejected when they share a place: %s', async (_title, keys) => {
    const { diagnostics } = await read(keys);
    expect(diagnostics).toMatchObject([{ code: 'manifest.shared-sink' }]);
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
