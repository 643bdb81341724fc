import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openShownTexts } from '../../src/disk/index.ts';

describe('the record of what the processes of a run have shown', () => {
  let home = '';
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'keyplane-shown-'));
  });
  afterEach(() => rm(home, { recursive: true }));

  const open = (pid: number, run = 'run') =>
    openShownTexts({ env: { XDG_STATE_HOME: home }, run, pid, now: () => 1_000_000 });
  const lines = async (): Promise<readonly string[]> => {
    const folder = join(home, 'keyplane', 'shown');
    const [file = ''] = await readdir(folder);
    return (await readFile(join(folder, file), 'utf8')).trim().split('\n');
  };

  it('counts what another process has shown, and not what this one has', async () => {
    const [plan, text] = [open(1), 'a warning'];
    expect([await plan.isShown(text), await plan.isShown(text)]).toEqual([false, false]);
    const apply = open(2);
    expect([await apply.isShown(text), await apply.isShown(text), await apply.isShown('another')]).toEqual([
      true,
      true,
      false,
    ]);
    expect(await open(3, 'another run').isShown(text)).toBe(false);
  });

  it('writes a text once, however many keys have it', async () => {
    const shown = open(1);
    await Promise.all(Array.from({ length: 20 }, () => shown.isShown('a warning')));
    await shown.isShown('a warning');
    expect(await lines()).toHaveLength(1);
  });

  it('shows a text again where nothing can be written', async () => {
    const shown = openShownTexts({ env: { XDG_STATE_HOME: '/dev/null' }, run: 'run', pid: 1, now: () => 1_000_000 });
    expect([await shown.isShown('a warning'), await shown.isShown('a warning')]).toEqual([false, false]);
  });
});
