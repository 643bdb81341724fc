import { afterEach, describe, expect, it } from 'vitest';
import { openAccount } from '../account.ts';

const MOST_IN_A_BATCH = 100;

const seedOf = (names: readonly string[]) => ({
  accounts: [{ userId: 42, accessToken: 'token-for-tests', quota: 5_000_000 }],
  limits: { api: null, search: null, reveal: null },
  keys: names.map((name, n) => ({ id: n + 3, name, remain_quota: 500_000 })),
});

const sinkOf = (name: string): string => `{ file: .env, format: dotenv, as: ${name.toUpperCase().replace('-', '_')} }`;
const declared = (name: string, sink = sinkOf(name)): string =>
  `  ${name}: { budget: { usd: 1, initial: true }, deliver: [${sink}] }`;
const PLAIN = '  app-1: { budget: { usd: 1, initial: true } }';
const REMOTE = '{ vault: { url: "https://vault.example.com", path: apps/a, as: KEY } }';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** Runs commands one after the other, and returns how often each of them revealed secrets. */
async function revealsOf(keys: readonly string[], live: readonly string[], commands: readonly string[]) {
  const account = await openAccount(`keys:\n${keys.join('\n')}\n`, seedOf(live));
  closing.push(account.close);
  const count = async (): Promise<number> => {
    const response = await fetch(`${account.url}/_reference/requests`);
    const { requests } = (await response.json()) as { requests: Record<string, number> };
    return Object.entries(requests).reduce((sum, [route, n]) => (/key/.test(route) ? sum + n : sum), 0);
  };
  const counts: (readonly [string, number])[] = [];
  for (const command of commands) {
    const before = await count();
    await account.terminal(false).run(...command.split(' '));
    counts.push([command, (await count()) - before]);
  }
  return counts;
}

const APPLY = 'apply --yes --no-check';

describe('the requests that reveal secrets', () => {
  it('are none where nothing is delivered', async () => {
    expect(await revealsOf([PLAIN], ['app-1'], ['plan', 'drift', APPLY, 'apply --yes', 'keys list'])).toEqual([
      ['plan', 0],
      ['drift', 0],
      [APPLY, 0],
      ['apply --yes', 0],
      ['keys list', 0],
    ]);
  });

  it('are none in a plan of a key that does not exist, and one in each run that has a secret to compare or to deliver', async () => {
    const commands = ['plan', 'drift', APPLY, APPLY, 'plan', 'drift'];
    expect((await revealsOf([declared('app-1')], [], commands)).map(([, n]) => n)).toEqual([0, 0, 1, 1, 1, 1]);
  });

  it('are none where the run may not contact the sink, or selects keys without one', async () => {
    const commands = ['plan', 'drift', 'plan --key app-2'];
    const keys = [declared('app-1', REMOTE), PLAIN.replace('app-1', 'app-2')];
    expect((await revealsOf(keys, ['app-1', 'app-2'], commands)).map(([, n]) => n)).toEqual([0, 0, 0]);
  });

  it('are one for each hundred keys, and two in the run that delivers what differs', async () => {
    const names = Array.from({ length: 150 }, (_, n) => `app-${n}`);
    const keys = names.map((name) => declared(name));
    const batches = Math.ceil(names.length / MOST_IN_A_BATCH);
    const counts = await revealsOf(keys, names, ['plan', APPLY, APPLY, 'plan']);
    expect(counts.map(([, n]) => n)).toEqual([batches, 2 * batches, batches, batches]);
  });
});
