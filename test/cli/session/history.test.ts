import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readHistory, writeHistory } from '../../../src/cli/session/files/history.ts';
import { type CheckReport, quota } from '../../../src/domain/index.ts';
import { EVERY_KIND, reportOf, resultOf } from '../sample-report.ts';

const ACCOUNT = { url: 'https://gateway.example.com', userId: 42 };
const HOUR = 3_600_000;
const FIRST = Date.UTC(2026, 10, 21);

const runAt = (hour: number, more: Partial<CheckReport> = {}): CheckReport =>
  reportOf(EVERY_KIND, { startedAt: FIRST + hour * HOUR, ...more });

describe('the history of checks', () => {
  let folder: string;
  beforeEach(async () => {
    folder = join(await mkdtemp(join(tmpdir(), 'keyplane-history-')), 'runs');
  });
  afterEach(() => rm(join(folder, '..'), { recursive: true }));

  const hours = async (most = 50): Promise<readonly number[]> => {
    const { runs } = await readHistory(folder, { account: ACCOUNT, most });
    return runs.map(({ startedAt }) => (startedAt - FIRST) / HOUR);
  };

  it('keeps a run in a file that is named by its time', async () => {
    await writeHistory(folder, runAt(6));
    expect(await readdir(folder)).toEqual([expect.stringMatching(/^2026-11-21T06-00-00-000Z-[0-9a-f]{8}\.json$/)]);
  });

  it('keeps the result of each check, without requests and answers', async () => {
    const result = resultOf({
      ...EVERY_KIND[0],
      key: 'a',
      check: 'b',
      verdict: 'failed',
      cost: { charged: quota(56) },
    });
    await writeHistory(folder, runAt(6, { results: [result] }));
    const [name] = await readdir(folder);
    const text = await readFile(join(folder, name as string), 'utf8');
    expect(JSON.parse(text)).toEqual({
      version: 1,
      account: ACCOUNT,
      startedAt: FIRST + 6 * HOUR,
      durationMs: 4210,
      results: [
        { key: 'a', check: 'b', verdict: 'failed', attempts: 1, durationMs: 812, firstByteMs: 240, charged: 56 },
      ],
    });
  });

  it('keeps two runs of one moment apart', async () => {
    await writeHistory(folder, runAt(6));
    await writeHistory(folder, runAt(6, { durationMs: 1 }));
    expect(await readdir(folder)).toHaveLength(2);
  });

  it('keeps nothing of a run that reached no gateway', async () => {
    const { account, ...unreached } = runAt(6);
    expect(account).toEqual(ACCOUNT);
    await writeHistory(folder, unreached);
    await expect(readdir(folder)).rejects.toThrow('ENOENT');
  });

  it('reports that a folder cannot be written', async () => {
    await writeFile(folder, 'a file');
    await expect(writeHistory(folder, runAt(6))).rejects.toMatchObject({ code: 'file.unwritable' });
  });

  it('gives the newest runs, the newest last', async () => {
    for (const hour of [3, 1, 2, 10]) await writeHistory(folder, runAt(hour));
    expect(await hours()).toEqual([1, 2, 3, 10]);
    expect(await hours(2)).toEqual([3, 10]);
  });

  it('finds its own runs among many of other accounts', async () => {
    await writeHistory(folder, runAt(1));
    await writeHistory(folder, runAt(2));
    for (const hour of [3, 4, 5, 6, 7, 8]) {
      await writeHistory(folder, runAt(hour, { account: { ...ACCOUNT, userId: 7 } }));
    }
    const { runs, passedOver } = await readHistory(folder, { account: ACCOUNT, most: 2 });
    expect([runs.length, passedOver]).toEqual([2, 6]);
  });

  it('has no run where there is no folder', async () => {
    expect(await readHistory(folder, { account: ACCOUNT, most: 50 })).toEqual({ runs: [], passedOver: 0 });
  });

  const run = { version: 1, account: ACCOUNT, startedAt: FIRST, durationMs: 1, results: [] };
  const result = { key: 'a', check: 'b', verdict: 'passed', attempts: 1 };
  const BROKEN: readonly (readonly [string, string])[] = [
    ['is cut off', JSON.stringify(run).slice(0, -9)],
    ['is empty', ''],
    ['holds null', 'null'],
    ['has another version', JSON.stringify({ ...run, version: 2 })],
    ['has no account', JSON.stringify({ ...run, account: null })],
    ['began at no moment', JSON.stringify({ ...run, startedAt: 9e15 })],
    ['has a result that is none', JSON.stringify({ ...run, results: [null] })],
    ['has a verdict that nobody knows', JSON.stringify({ ...run, results: [{ ...result, verdict: 'splendid' }] })],
    ['has a text for a time', JSON.stringify({ ...run, results: [{ ...result, durationMs: '9' }] })],
  ];

  it.each(BROKEN)('passes over a file that %s, and leaves it where it is', async (...[, text]) => {
    await writeHistory(folder, runAt(6));
    await writeFile(join(folder, '2026-11-21T07-00-00-000Z-broken.json'), text);
    const { runs, passedOver } = await readHistory(folder, { account: ACCOUNT, most: 50 });
    expect([runs.length, passedOver]).toEqual([1, 1]);
    expect(await readdir(folder)).toHaveLength(2);
  });
});
