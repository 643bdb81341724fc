import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { secretPlace } from '../../../src/cli/session/files/secret-file.ts';
import { usageCacheAt } from '../../../src/disk/index.ts';
import { openAccount } from '../account.ts';

const MANIFEST = `ownership: { scope: "app-*" }
keys:
  app-1: { budget: { usd: 1, per: month }, checks: [sample] }
  app-2: { group: default }
checks: { sample: { module: model-list } }
`;

describe.skipIf(process.platform === 'win32')('a file that a command writes about an account', () => {
  let account: Awaited<ReturnType<typeof openAccount>>;
  const at = (name: string): string => join(account.folder, 'out', name);
  const modeOf = async (path: string): Promise<string> => ((await stat(path)).mode & 0o777).toString(8);
  beforeAll(async () => {
    account = await openAccount(MANIFEST);
  });
  afterAll(() => account.close());
  beforeEach(async () => {
    await rm(join(account.folder, 'out'), { recursive: true, force: true });
    await mkdir(join(account.folder, 'out'));
  });

  const FILES = [
    ['a saved plan', ['plan', '--out', 'out/plan.json'], 'plan.json'],
    ['a report of a plan', ['plan', '--report', 'out/plan.md'], 'plan.md'],
    ['a report of drift', ['drift', '--report', 'out/drift.xml'], 'drift.xml'],
    ['the result of drift', ['drift', '--out', 'out/drift.txt'], 'drift.txt'],
    ['the result of an apply', ['apply', '--yes', '--no-check', '--out', 'out/report.json'], 'report.json'],
    ['a report of checks', ['check', '--report', 'out/checks.html'], 'checks.html'],
    ['a list of keys', ['keys', 'list', '--out', 'out/keys.txt'], 'keys.txt'],
  ] as const;

  it.each(FILES)('is readable only by its owner: %s', async (_, words, name) => {
    await account.terminal(false).run(...words);
    expect(await modeOf(at(name))).toBe('600');
  });

  it.each(FILES)('is made so when it was not before: %s', async (_, words, name) => {
    await writeFile(at(name), 'old');
    await chmod(at(name), 0o644);
    await account.terminal(false).run(...words);
    expect([await modeOf(at(name)), await readFile(at(name), 'utf8')]).toEqual([
      '600',
      expect.not.stringMatching(/^old$/),
    ]);
  });

  it('is made so when it is the usage cache', async () => {
    await writeFile(at('usage.json'), '');
    await chmod(at('usage.json'), 0o644);
    const cache = usageCacheAt(at('usage.json'), { url: account.url, userId: 42 });
    await cache.save({ through: 1, used: new Map(), keys: new Map() });
    expect(await modeOf(at('usage.json'))).toBe('600');
  });

  it('is reported as readable by others where it is', async () => {
    const placeOf = (path: string) => secretPlace('here', path);
    await writeFile(at('secret'), 'x', { mode: 0o600 });
    expect(await placeOf(at('secret'))).toBe('here, readable only by its owner.');
    await chmod(at('secret'), 0o604);
    expect(await placeOf(at('secret'))).toBe(
      'here. Warning: other users of this machine can read it, because its file system does not keep permissions.',
    );
    for (const path of [at('none'), '/dev/null']) expect(await placeOf(path)).not.toContain('Warning');
  });

  it('is in a folder of its own when the command makes one, and an existing folder keeps its mode', async () => {
    await mkdir(at('shared'));
    await chmod(at('shared'), 0o755);
    await account.terminal(false).run('check', '--history', 'out/made');
    await account.terminal(false).run('check', '--history', 'out/shared', '--report', 'out/shared/checks.md');
    expect([await modeOf(at('made')), await modeOf(at('shared'))]).toEqual(['700', '755']);
    for (const folder of ['made', 'shared']) {
      const files = await readdir(at(folder));
      expect(files).toHaveLength(folder === 'made' ? 1 : 2);
      for (const file of files) expect(await modeOf(join(at(folder), file))).toBe('600');
    }
  });

  it('is for everybody when it is source text', async () => {
    await account.terminal(false).run('schema', '--out', 'out/schema.json');
    expect(await modeOf(at('schema.json'))).toBe((0o666 & ~process.umask()).toString(8));
  });
});
