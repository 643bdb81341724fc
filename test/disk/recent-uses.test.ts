import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openRecentReveals } from '../../src/disk/index.ts';

describe('the record of recent reveals', () => {
  let home = '';
  let time = 1_000_000;
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'keyplane-reveals-'));
    time = 1_000_000;
  });
  afterEach(() => rm(home, { recursive: true }));

  const open = (userId = 42) =>
    openRecentReveals({
      env: { XDG_STATE_HOME: home },
      account: { url: 'http://127.0.0.1:1', userId },
      now: () => time,
      within: 1200,
    });
  const file = async (): Promise<string> => {
    const folder = join(home, 'keyplane', 'reveals');
    return join(folder, (await readdir(folder))[0] ?? '');
  };

  it('counts those of all processes within the time, and of one account only', async () => {
    const [one, other] = [open(), open()];
    expect(await one.count()).toBe(0);
    await Promise.all([one.note(), other.note(), one.note(), open(7).note()]);
    expect([await one.count(), await other.count(), await open(7).count()]).toEqual([3, 3, 1]);
    time += 1199;
    await one.note();
    expect(await other.count()).toBe(4);
    time += 1;
    expect(await other.count()).toBe(1);
  });

  it('stays small, private, and survives a file that somebody wrote to', async () => {
    const uses = open();
    await uses.note();
    expect((await stat(await file())).mode & 0o777).toBe(0o600);
    await writeFile(await file(), `nonsense\n\u0000\n${'5\n'.repeat(40_000)}`);
    await uses.note();
    expect([await uses.count(), await readFile(await file(), 'utf8')]).toEqual([1, '1000000\n']);
  });

  it('fails nothing where no file can be written', async () => {
    const uses = open();
    await uses.note();
    const path = await file();
    await rm(path);
    await rm(join(home, 'keyplane'), { recursive: true });
    await writeFile(join(home, 'keyplane'), 'a file in the place of the folder');
    await expect(uses.note()).resolves.toBeUndefined();
    expect(await uses.count()).toBeGreaterThanOrEqual(0);
  });
});
