import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { defineManifest, type ManifestDocument } from '../../src/index.ts';
import { openAccount, scratchFolder } from './account.ts';

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
