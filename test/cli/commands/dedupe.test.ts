import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Seed } from '../../../src/reference/index.ts';
import { openAccount, SEED } from '../account.ts';

type Account = Awaited<ReturnType<typeof openAccount>>;
type SeedKeys = Seed['keys'];

describe('keys that share a name', () => {
  let account: Account;
  afterEach(() => account.close());

  async function open(keys: NonNullable<SeedKeys>, profile?: 'contract' | 'deployed'): Promise<void> {
    account = await openAccount('keys: { twin: {} }\n', { ...SEED, keys }, profile);
  }

  async function ask(...words: string[]) {
    const terminal = account.terminal(false);
    const code = await terminal.run(...words);
    return { code, out: terminal.out(), err: terminal.err() };
  }

  const twins = (first: number, second: number) => [
    { id: 21, name: 'twin', remain_quota: 500_000, used_quota: first },
    { id: 22, name: 'twin', remain_quota: 500_000, used_quota: second },
    { id: 23, name: 'other', remain_quota: 500_000 },
  ];

  it('are shown by the plan as a table, with the command that removes them', async () => {
    await open(twins(250_000, 0));
    const { code, err } = await ask('plan');
    expect(code).toBe(4);
    expect(err).toMatch(/ {2}NAME +ID +STATUS +GROUP +USED +CREATED +LAST REQUEST\n {2}twin +21 .*\n {2}twin +22 /);
    expect(err).toContain('`keyplane keys dedupe`');
  });

  it.each(['contract', 'deployed'] as const)('lose the unused one, and only that: profile %s', async (profile) => {
    await open(twins(250_000, 0), profile);
    const { code, out } = await ask('keys', 'dedupe', '--yes');
    expect(out).toMatch(/twin +21 +enabled +\$0\.50.*keep: in use\ntwin +22 .*remove\n/);
    expect([code, out]).toEqual([0, expect.stringContaining('key 22: deleted')]);
    expect(await account.names()).toEqual(['other', 'twin']);
    expect((await ask('keys', 'get', 'twin')).out).toContain('(id 21)');
    expect((await ask('keys', 'dedupe')).out).toBe('No two keys have the same name.\n');
  });

  it('are not deleted without confirmation, which follows the table', async () => {
    await open(twins(250_000, 0));
    const { code, err } = await ask('keys', 'dedupe');
    expect([code, err]).toEqual([4, expect.stringContaining('guard.unconfirmed')]);
    expect(err).toMatch(/NAME +ID[\s\S]*1 unused key will be deleted: ids 22\./);
    expect(await account.names()).toEqual(['other', 'twin', 'twin']);
  });

  it('stay undecided when none was used, until --keep names one', async () => {
    await open(twins(0, 0));
    const shown = await ask('keys', 'dedupe', '--yes');
    expect([shown.code, shown.out]).toEqual([2, expect.stringContaining('Choose the one to keep, with --keep ID.')]);
    expect(await account.names()).toEqual(['other', 'twin', 'twin']);
    expect((await ask('keys', 'dedupe', '--keep', '22', '--yes')).code).toBe(0);
    expect((await ask('keys', 'get', 'twin')).out).toContain('(id 22)');
  });

  it('are never deleted while they are used, whatever --keep names', async () => {
    await open(twins(250_000, 500_000));
    const { code, out } = await ask('keys', 'dedupe', '--keep', '22', '--yes');
    expect([code, out]).toEqual([2, expect.stringContaining('used keys are never removed')]);
    expect(await account.names()).toEqual(['other', 'twin', 'twin']);
  });

  it('are not deleted when one is used while a person is asked', async () => {
    await open(twins(250_000, 0));
    const terminal = account.terminal();
    const ended = terminal.run('keys', 'dedupe');
    await terminal.shows('Type yes to continue: ');
    await fetch(`${account.url}/_reference/spend`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ keyId: 22, quota: 10 }),
    });
    terminal.type('yes');
    expect([await ended, terminal.out()]).toEqual([
      2,
      expect.stringContaining('key 22: not deleted, because it was used'),
    ]);
    expect(await account.names()).toEqual(['other', 'twin', 'twin']);
  });

  it('are not deleted when the manifest declares them by their IDs', async () => {
    await open(twins(250_000, 0));
    const declared = 'a: { id: 21, name: twin }, b: { id: 22, name: twin }';
    await writeFile(join(account.folder, 'keyplane.yaml'), `version: 1\nkeys: { ${declared} }\n`);
    expect((await ask('keys', 'dedupe', '--yes')).code).toBe(0);
    expect(await account.names()).toEqual(['other', 'twin', 'twin']);
  });

  it('reject a --keep that is not one of them', async () => {
    await open(twins(250_000, 0));
    const entries = await ask('keys', 'dedupe', '--keep', '23');
    expect([entries.code, entries.err]).toEqual([3, expect.stringContaining('No other key has the name of key 23')]);
    expect((await ask('keys', 'dedupe', '--keep', 'x')).code).toBe(3);
  });

  it('are not deleted where the manifest protects the name', async () => {
    await open(twins(250_000, 0));
    await writeFile(join(account.folder, 'keyplane.yaml'), 'version: 1\nownership: { protect: [twin] }\n');
    expect(await ask('keys', 'dedupe', '--yes')).toMatchObject({
      code: 4,
      err: expect.stringContaining('guard.protected'),
    });
    expect((await ask('keys', 'dedupe', '--yes', '--allow-protected')).code).toBe(0);
  });

  it('are listed as data, with their use', async () => {
    await open(twins(250_000, 0));
    const { data } = JSON.parse((await ask('keys', 'dedupe', '--yes', '--format', 'json')).out);
    expect(data.duplicates).toMatchObject([
      {
        name: 'twin',
        undecided: null,
        keys: [
          { key: { id: 21 }, isUsed: true, isRemoved: false },
          { key: { id: 22 }, isUsed: false, lastUsed: null, isRemoved: true },
        ],
      },
    ]);
  });
});
