import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TREE } from '../../../src/cli/index.ts';
import { openAccount } from '../account.ts';

const NINE = Array.from({ length: 9 }, (_, index) => `app-${index + 1}`);
const SEED = {
  accounts: [{ userId: 42, accessToken: 'token-for-tests', quota: 5_000_000 }],
  keys: NINE.map((name) => ({ name, remain_quota: 500_000 })),
};

const MANIFEST = `ownership: { scope: "*", prune: delete }
keys:
  new: { budget: unlimited }
`;

const GUARDS = ['--max-deletes', '9', '--allow-last-key'];
const COMMANDS = [
  ['plan', ...GUARDS],
  ['drift'],
  ['apply', '--yes', ...GUARDS],
  ['destroy', '--yes', '--max-deletes', '9'],
  ['import'],
  ['check'],
  ['keys', 'list'],
  ['keys', 'list', '--search', 'app'],
  ['keys', 'get', '1'],
  ['keys', 'disable', '1', '--yes'],
  ['keys', 'enable', '1', '--yes'],
  ['keys', 'delete', '1', '--yes'],
  ['keys', 'revoke', '1', '--reason', 'leaked', '--yes'],
  ['keys', 'rename', '1', 'other', '--yes'],
  ['keys', 'reveal', '1', '--out', 'secret.txt'],
  ['keys', 'dedupe', '--yes'],
  ['keys', 'rotate', 'new', '--yes'],
  ['keys', 'identify', '--disable', '--yes'],
  ['account', 'show'],
  ['account', 'groups'],
  ['account', 'models', '1'],
  ['account', 'rotate-token', '--out', 'token.txt', '--yes'],
  ['usage'],
  ['usage', 'log'],
  ['audit'],
  ['lock', 'list'],
  ['lock', 'break', '--yes'],
  ['conformance', '--level', 'write'],
];
/** Commands that know no account, and `doctor`, which reports whose token it is. */
const OTHERS = [
  ...['init', 'validate', 'convert', 'schema', 'gateway', 'completion', 'provider install', 'provider schema'],
  'doctor',
];

describe('a gateway that ignores the user ID', () => {
  let account: Awaited<ReturnType<typeof openAccount>>;
  const ask = async (words: readonly string[], env: Record<string, string> = { KEYPLANE_USER_ID: '99999' }) => {
    const terminal = account.terminal(false, env);
    const code = await terminal.run(...words);
    return { code, out: terminal.out(), err: terminal.err().replace(/\s+/g, ' ') };
  };
  beforeEach(async () => {
    account = await openAccount(MANIFEST, SEED, 'deployed', { userHeader: 'ignored' });
  });
  afterEach(() => account.close());

  it('is tried with every command that asks a configured gateway for an account', () => {
    const tried = COMMANDS.map((words) => words.join(' '));
    const left = TREE.commands
      .map(({ path }) => path.join(' '))
      .filter((path) => !OTHERS.includes(path) && !tried.some((words) => `${words} `.startsWith(`${path} `)));
    expect(left).toEqual([]);
  });

  it.each(COMMANDS)('loses no key to `%s` for another user', async (...words) => {
    const { code, err } = await ask(words);
    expect([code, err]).toEqual([
      4,
      expect.stringContaining(
        'error[credentials.other-account]: The access token belongs to user 42, not to user 99999.',
      ),
    ]);
    expect(await account.names()).toEqual(NINE);
    // The token still works.
    expect((await ask(['keys', 'list'], {})).code).toBe(0);
  });

  it('takes no lock for another user', async () => {
    await ask(['apply', '--yes']);
    expect((await ask(['apply', '--yes', ...GUARDS], {})).code).toBe(0);
  });

  it.each([
    ['plan', ...GUARDS],
    ['apply', '--yes', ...GUARDS],
  ])('shows whose keys `%s` is about when no user ID is set', async (word, ...rest) => {
    const { code, out, err } = await ask([word, ...rest, '--verbose'], { KEYPLANE_USER_ID: '' });
    expect(code).toBe(0);
    expect(err).toContain('user 42 from the gateway');
    if (word === 'plan') expect(out).toContain('user 42');
    else expect(await account.names()).toEqual(['new']);
  });
});

describe('a gateway that requires the user ID', () => {
  let account: Awaited<ReturnType<typeof openAccount>>;
  beforeEach(async () => {
    account = await openAccount(MANIFEST, SEED, 'deployed');
  });
  afterEach(() => account.close());

  it('is not planned for without one', async () => {
    const terminal = account.terminal(false, { KEYPLANE_USER_ID: '' });
    expect(await terminal.run('plan')).toBe(7);
    expect(terminal.err()).toContain('error[credentials.missing]: No user ID was given.');
  });
});
