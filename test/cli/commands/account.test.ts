import { describe, expect, it } from 'vitest';
import { EXIT } from '../../../src/cli/index.ts';
import { widthOf } from '../../../src/cli/output/layout/columns.ts';
import { openAccount, SEED } from '../account.ts';
import { NOW } from '../terminal.ts';

it('account show shows the rate that converts the wallet into dollars', async () => {
  const account = await openAccount('keys: {}\n', { ...SEED, quotaPerUnit: 250_000 });
  try {
    const [text, json] = [account.terminal(false), account.terminal(false)];
    expect(await text.run('account', 'show')).toBe(0);
    expect(text.out()).toMatch(/^ +rate +250000 quota units for \$1$/m);
    expect(await json.run('account', 'show', '--format', 'json')).toBe(0);
    expect(json.out()).toMatch(/"quotaPerUnit": ?"250000"/);
  } finally {
    await account.close();
  }
});

type Account = Awaited<ReturnType<typeof openAccount>>;

/** Runs a command, and expects it to succeed. */
async function outputOf(account: Account, words: readonly string[], isTerminal = false): Promise<string> {
  const terminal = account.terminal(isTerminal);
  expect(await terminal.run(...words)).toBe(EXIT.done);
  if (!isTerminal) expect(terminal.err()).toBe('');
  return terminal.out();
}

async function failureOf(account: Account, words: readonly string[]): Promise<string> {
  const terminal = account.terminal();
  expect(await terminal.run(...words)).toBe(EXIT.usage);
  return terminal.err();
}

async function withAccount(
  seed: typeof SEED,
  profile: 'contract' | 'deployed',
  work: (account: Account) => Promise<void>,
) {
  const account = await openAccount('keys: {}\n', seed, profile);
  try {
    await work(account);
  } finally {
    await account.close();
  }
}

const HIDDEN = 'app\u202eexe\u001b[2J';
const MODELS = { 'alpha-chat-1': {}, 'beta-chat-1': {} };
const SECRET = 'Kq7bX9mR3tL8cN5pJ6hG1dF0sA2uY7eQ4wZbX9mR3tL8cN5';

/** An account whose log has an entry of each of these keys: what they used before. */
const used = (keys: readonly { name: string; used_quota: number }[]): typeof SEED => ({
  ...SEED,
  models: MODELS,
  keys: keys.map((key, index) => ({ id: index + 1, remain_quota: 500_000, created_time: NOW - 9000 + index, ...key })),
});

describe('usage log', () => {
  const LOG = used([
    { name: 'app-1', used_quota: 500_000 },
    { name: 'app-2', used_quota: 1_250_000 },
    { name: HIDDEN, used_quota: 250 },
  ]);
  const entriesOf = async (account: Account, ...words: string[]) => {
    const { data } = JSON.parse(await outputOf(account, ['usage', 'log', '--format', 'json', ...words]));
    return data as { entries: { key: { name: string }; cost: object; type: string }[]; isComplete: boolean };
  };

  it('lists what keys used, in dollars, newest first, without characters that hide others', () =>
    withAccount(LOG, 'contract', async (account) => {
      const text = await outputOf(account, ['usage', 'log'], true);
      expect(text.split('\n').filter((line) => widthOf(line) > 80)).toEqual([]);
      expect(text).toMatch(/^TIME +TYPE +KEY +MODEL +TOKENS +COST$/m);
      expect(text).toMatch(/^2033-\S+Z +consumption +app-2 .* \$2\.50$/m);
      expect(text).toMatch(/app\\u\{202e\}exe/);
      expect(text).toContain('3 entries');
      const { entries, isComplete } = await entriesOf(account);
      expect(isComplete).toBe(true);
      expect(entries.find(({ key }) => key.name === 'app-1')).toMatchObject({
        type: 'consumption',
        key: { id: 1, name: 'app-1' },
        cost: { quota: 500_000, usd: '1.000000' },
      });
    }));

  it.each([
    [
      ['--key', 'app-?'],
      ['app-1', 'app-2'],
    ],
    [['--model', 'gamma*'], []],
    [['--type', 'error'], []],
    [['--type', 'error', '--type', 'consumption', '--key', 'app-1'], ['app-1']],
    [['--since', '1h'], []],
    [['--until', '1970-01-01T00:00:00Z'], []],
    [['--since', '1970-01-01T00:00:00Z', '--key', 'app-2'], ['app-2']],
  ])('chooses the entries by %s', (words, names) =>
    withAccount(LOG, 'deployed', async (account) => {
      const { entries } = await entriesOf(account, ...words);
      expect(entries.map(({ key }) => key.name).sort()).toEqual(names);
    }),
  );

  it('states that it stopped at the limit of entries, or of pages', () =>
    withAccount(LOG, 'contract', async (account) => {
      expect((await entriesOf(account, '--limit', '2')).isComplete).toBe(false);
      expect(await outputOf(account, ['usage', 'log', '--limit', '2'])).toContain('These are the newest 2');
      const one = ['usage', 'log', '--key', 'nobody', '--max-log-pages', '1'];
      expect(await outputOf(account, one)).toContain('Reading stopped after 1 page');
    }));

  it.each([
    [['--since', 'yesterday'], '--since'],
    [['--limit', '0'], '--limit'],
    [['--type', 'loss'], '--type'],
  ])('rejects %s', (words, named) =>
    withAccount(LOG, 'contract', async (account) => {
      expect(await failureOf(account, ['usage', 'log', ...words])).toContain(named);
    }),
  );
});

describe('keys list --search', () => {
  const KEYS = used([
    { name: 'app-1', used_quota: 0 },
    { name: 'app-2', used_quota: 0 },
    { name: 'other', used_quota: 0 },
  ]);
  const namesOf = async (account: Account, ...words: string[]): Promise<string[]> => {
    const { data } = JSON.parse(await outputOf(account, ['keys', 'list', '--format', 'json', '--search', ...words]));
    return data.keys.map(({ name }: { name: string }) => name);
  };

  it.each([
    ['contract', 'app-', ['app-1', 'app-2']],
    ['deployed', 'app-%', ['app-1', 'app-2']],
    ['deployed', 'app-2', ['app-2']],
    ['deployed', 'nobody', []],
  ] as const)('lists what a gateway as in the profile %s finds for %s', (profile, wanted, names) =>
    withAccount(KEYS, profile, async (account) => expect(await namesOf(account, wanted)).toEqual(names)),
  );

  it('asks the gateway in one request, and never for a text that looks like a credential', () =>
    withAccount(KEYS, 'deployed', async (account) => {
      const terminal = account.terminal();
      await terminal.run('keys', 'list', '--search', 'app-2', '--verbose');
      expect(terminal.err().match(/GET \/api\/token\/\S*/g)).toHaveLength(1);
      const refused = await failureOf(account, ['keys', 'list', '--search', `sk-${SECRET}`]);
      expect(refused).toContain('looks like a credential');
      expect(refused).not.toContain(SECRET);
    }));
});

describe('account models', () => {
  const KEYS: typeof SEED = {
    ...SEED,
    models: MODELS,
    keys: [
      { id: 1, name: 'every', key: SECRET, remain_quota: 500_000 },
      { id: 2, name: 'one', remain_quota: 500_000, model_limits_enabled: true, model_limits: 'beta-chat-1' },
    ],
  };

  it('lists the models that a key can use, and shows no secret', () =>
    withAccount(KEYS, 'deployed', async (account) => {
      const every = await outputOf(account, ['account', 'models', 'every']);
      expect(every).toBe('MODEL\nalpha-chat-1\nbeta-chat-1\n\n2 models\n');
      const one = await outputOf(account, ['account', 'models', 'one', '--format', 'json']);
      expect(JSON.parse(one).data).toEqual({ models: ['beta-chat-1'] });
    }));

  it('lists the models of the key in KEYPLANE_MODELS_KEY, and names it where there is none', () =>
    withAccount(KEYS, 'deployed', async (account) => {
      const terminal = account.terminal(false, { KEYPLANE_MODELS_KEY: `sk-${SECRET}` });
      expect(await terminal.run('account', 'models')).toBe(0);
      expect(terminal.out()).toContain('2 models');
      const without = account.terminal();
      expect(await without.run('account', 'models')).not.toBe(0);
      expect(without.err()).toContain('KEYPLANE_MODELS_KEY');
    }));
});
