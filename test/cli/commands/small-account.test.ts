import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openAccount } from '../account.ts';

const names = (count: number): string[] => Array.from({ length: count }, (_, i) => `app-${i}`);

describe('an account of five keys', () => {
  let account: Awaited<ReturnType<typeof openAccount>>;
  const ask = async (...words: string[]) => {
    const terminal = account.terminal(false);
    const code = await terminal.run(...words);
    return { code, text: `${terminal.out()}${terminal.err()}`.replace(/\s+/g, ' ') };
  };
  beforeEach(async () => {
    account = await openAccount('ownership: { scope: "*", prune: delete }\n', {
      accounts: [{ userId: 42, accessToken: 'token-for-tests', quota: 5_000_000 }],
      keys: names(5).map((name) => ({ name, remain_quota: 500_000 })),
    });
  });
  afterEach(() => account.close());

  it('is not emptied by a manifest that declares no keys', async () => {
    expect(await ask('plan')).toMatchObject({ code: 4, text: expect.stringContaining('All owned keys (5) would be') });
    const refused = await ask('apply', '--yes');
    expect([refused.code, refused.text]).toEqual([4, expect.stringContaining('--max-deletes 5 --allow-last-key')]);
    expect((await ask('apply', '--yes', '--max-deletes', '5')).code).toBe(4);
    expect((await ask('apply', '--yes', '--allow-last-key')).code).toBe(4);
    expect(await account.names()).toHaveLength(5);
    expect((await ask('apply', '--yes', '--max-deletes', '5', '--allow-last-key')).code).toBe(0);
    expect(await account.names()).toEqual([]);
  });

  it('is not emptied by a saved plan without the flags', async () => {
    await ask('plan', '--out', 'plan.json');
    expect((await ask('apply', 'plan.json', '--yes')).code).toBe(4);
    expect((await ask('apply', 'plan.json', '--yes', '--max-deletes', '5', '--allow-last-key')).code).toBe(0);
  });

  it.each([
    ['plan', '--out', 'plan.json'],
    ['drift', '--format', 'json', '--out', './drift.json'],
    ['drift', '--report', 'report.json'],
    ['check', '--format', 'json', '--out', 'results.json'],
    ['plan', '--usage-cache', 'usage.json'],
    ['keys', 'list', '--format', 'json', '--out', 'keys.json'],
  ])('gets no file among the manifests of its folder: %s', async (...words) => {
    const { code, text } = await ask(...words, '-f', '.');
    expect([code, text]).toEqual([3, expect.stringContaining('is in a folder of manifests')]);
    expect((await readdir(account.folder)).filter((name) => name.endsWith('.json'))).toEqual([]);
  });

  it('keeps a manifest that a plan would replace', async () => {
    const manifest = '{ "version": 1, "keys": {} }';
    await writeFile(join(account.folder, 'keys.json'), manifest);
    const { code, text } = await ask('plan', '-f', 'keys.json', '--out', './keys.json');
    expect([code, text]).toEqual([3, expect.stringContaining('--out would replace the manifest ./keys.json.')]);
    expect(await readFile(join(account.folder, 'keys.json'), 'utf8')).toBe(manifest);
  });

  it.each([
    ['drift', '--format', 'json', '--report'],
    ['keys', 'list', '--out'],
  ])('keeps its manifest, which a result would replace: %s', async (...words) => {
    const manifest = join(account.folder, 'keyplane.yaml');
    const before = await readFile(manifest, 'utf8');
    const { code, text } = await ask(...words, 'keyplane.yaml');
    expect([code, text]).toEqual([3, expect.stringContaining('would replace the manifest keyplane.yaml.')]);
    expect(await readFile(manifest, 'utf8')).toBe(before);
  });

  it('keeps its manifests behind links', async () => {
    await symlink('keyplane.yaml', join(account.folder, 'report.json'));
    await symlink('.', join(account.folder, 'here'));
    for (const words of [
      ['--report', 'report.json'],
      ['-f', 'here', '--report', 'new.json'],
    ]) {
      expect(await ask('drift', ...words)).toMatchObject({ code: 3, text: expect.stringContaining('manifest') });
    }
    expect(await readdir(account.folder)).not.toContain('new.json');
  });

  it('gets a manifest where its own is', async () => {
    expect(await ask('import', '--out', 'keyplane.yaml', '--yes')).toMatchObject({ code: 0 });
    expect(await readFile(join(account.folder, 'keyplane.yaml'), 'utf8')).toContain('app-4');
  });

  it.each(['missing', 'keyplane.yaml'])('gets an error about the file if its folder is none: %s', async (at) => {
    const { code, text } = await ask('plan', '-f', at, '--out', `${at}/plan.json`);
    expect([code, text]).toEqual([1, expect.stringContaining(`${at}/plan.json cannot be written`)]);
  });

  it('gets a plan next to its manifest, which was named, or below its folder', async () => {
    await mkdir(join(account.folder, 'plans'));
    expect(await ask('plan', '--out', 'plans/plan.json', '-f', '.')).toMatchObject({ code: 4 });
    for (const words of [[], ['-f', 'keyplane.yaml']]) {
      expect(await ask('plan', '--out', 'plan.json', ...words)).toMatchObject({ code: 4 });
    }
  });

  it('is emptied by destroy, which needs no flag of the guard', async () => {
    expect((await ask('destroy', '--yes')).code).toBe(0);
    expect(await account.names()).toEqual([]);
  });

  it('is destroyed with its number where it has ten keys, and its other flags have no meaning there', async () => {
    await account.close();
    account = await openAccount('ownership: { scope: "*", prune: delete }\n', {
      accounts: [{ userId: 42, accessToken: 'token-for-tests', quota: 5_000_000 }],
      keys: names(10).map((name) => ({ name, remain_quota: 500_000 })),
    });
    const refused = await ask('destroy', '--yes');
    expect([refused.code, refused.text]).toEqual([4, expect.stringContaining('--max-deletes 10')]);
    expect(refused.text).not.toContain('--allow-last-key');
    expect((await ask('destroy', '--yes', '--allow-last-key')).code).toBe(3);
    expect((await ask('destroy', '--yes', '--key', 'ap-*', '--max-deletes', '10')).code).toBe(3);
    expect(await account.names()).toHaveLength(10);
    expect((await ask('destroy', '--yes', '--max-deletes', '10')).code).toBe(0);
    expect(await account.names()).toEqual([]);
  });

  it('is not pruned without a scope, which validate and plan report', async () => {
    await writeFile(join(account.folder, 'keyplane.yaml'), 'version: 1\nownership: { prune: delete }\n');
    const warning = expect.stringContaining('warning[manifest.no-effect]: `prune` has no effect without `scope`');
    expect(await ask('validate')).toEqual({ code: 0, text: warning });
    expect(await ask('plan')).toEqual({ code: 0, text: warning });
  });
});
