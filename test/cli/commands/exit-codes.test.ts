import { afterEach, describe, expect, it } from 'vitest';
import { FAILURE_KINDS } from '../../../src/cli/output/changes/outlook.ts';
import {
  EXIT,
  EXIT_OF_FACT,
  EXIT_OF_FAULT,
  type ExitCode,
  PRECEDENCE,
  strongestExit,
  strongestFault,
} from '../../../src/cli/output/exit-codes.ts';
import { type ApplyReport, Fault, keyId, quota } from '../../../src/domain/index.ts';
import { reportFaults } from '../../../src/reconcile/index.ts';
import type { Seed } from '../../../src/reference/index.ts';
import { openAccount } from '../account.ts';
import { reportOf, resultOf } from '../sample-report.ts';
import { PLAN, pending } from '../samples.ts';
import { NOW } from '../terminal.ts';

type Account = Awaited<ReturnType<typeof openAccount>>;

const MANIFEST = `ownership: { scope: "app-*", prune: delete }
keys:
  app-1: { checks: [pong, poster] }
  app-3: { budget: unlimited }
  app-4: { budget: unlimited }
checks:
  pong: { module: chat, model: alpha-chat-1 }
  poster: { module: image, model: alpha-image-2 }
`;

async function ask(account: Account, words: readonly string[], env: Record<string, string> = {}): Promise<number> {
  return await account.terminal(false, env).run(...words);
}

const inject = (account: Account, failure: object): Promise<unknown> =>
  fetch(`${account.url}/_reference/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(failure),
  });

async function interrupt(account: Account): Promise<number> {
  const terminal = account.terminal();
  const code = terminal.run('apply');
  await terminal.shows('Type yes');
  terminal.signal('SIGINT');
  return await code;
}

/** A command that ends with each code. A new code does not compile without one. */
const SCENES: Readonly<Record<keyof typeof EXIT, (account: Account) => Promise<number>>> = {
  done: (account) => ask(account, ['plan']),
  error: (account) => ask(account, ['keys', 'list', '--url', 'http://127.0.0.1:9']),
  pending: (account) => ask(account, ['drift']),
  usage: (account) => ask(account, ['plan', '--no-such-flag']),
  refused: (account) => ask(account, ['plan', '--max-deletes', '0']),
  async partial(account) {
    await inject(account, { kind: 'refuse', method: 'POST', path: '/api/token/', times: 1 });
    return ask(account, ['apply', '--yes', '--no-check', '--allow-last-key']);
  },
  async checksFailed(account) {
    await inject(account, { kind: 'status', code: 500, method: 'POST', path: '/v1/chat/completions' });
    return ask(account, ['check', 'pong']);
  },
  credentials: (account) => ask(account, ['plan'], { KEYPLANE_ACCESS_TOKEN: 'wrong' }),
  checkBudget: (account) => ask(account, ['check', 'poster', '--max-cost', '0']),
  interrupted: interrupt,
};

describe('the table of exit codes', () => {
  let account: Account;
  afterEach(() => account.close());

  it.each(Object.entries(SCENES))('has a command that ends with %s', async (name, scene) => {
    account = await openAccount(MANIFEST, {
      accounts: [{ userId: 42, accessToken: 'token-for-tests', quota: 5_000_000 }],
      keys: [
        { id: 3, name: 'app-1', unlimited_quota: true },
        { id: 4, name: 'app-2', remain_quota: 500_000 },
      ],
    });
    expect(await scene(account)).toBe(EXIT[name as keyof typeof EXIT]);
  });
});

const KEYS_AS_DECLARED = `keys:
  app-1: { budget: { usd: 5, below: { usd: 1 } } }
  app-2: { budget: { usd: 1 } }
`;
const live = (more: object = {}) => [
  { id: 3, name: 'app-1', remain_quota: 2_500_000, ...more },
  { id: 4, name: 'app-2', remain_quota: 500_000 },
];
/** More entries than a page of the usage log holds. */
const LOGGED = Array.from({ length: 120 }, (_, i) => ({ name: `other-${i}`, remain_quota: 1, used_quota: 1 }));

interface FactScene {
  readonly manifest?: string;
  readonly keys: NonNullable<Seed['keys']>;
  readonly flags?: readonly string[];
}

/** An account of which each fact holds, and no other one that a plan or an apply fails on. */
const FACTS: Readonly<Record<keyof typeof EXIT_OF_FACT, FactScene>> = {
  'a key differs from the manifest': {
    keys: live({ allow_ips: '10.0.0.1' }),
    manifest: `${KEYS_AS_DECLARED}defaults: { allowIps: anywhere }\n`,
  },
  'a refill is due': { keys: live({ remain_quota: 475_000 }) },
  'the usage log is too long to verify a budget': {
    manifest: 'keys: { app-1: { budget: { usd: 1 } } }\n',
    keys: [{ id: 3, name: 'app-1', remain_quota: 499_990, used_quota: 10 }, ...LOGGED],
    flags: ['--max-log-pages', '1'],
  },
  'the usage log does not account for the use of a key': {
    manifest: 'keys: { app-1: { budget: { usd: 1 } } }\n',
    keys: [{ id: 3, name: 'app-1', remain_quota: 400_000 }],
  },
  'an enable is held, or an undeclared key stays': { keys: live({ status: 2 }) },
  'the guard refuses a change': {
    manifest: 'ownership: { protect: [app-1] }\nkeys: { app-1: { enabled: false }, app-2: {} }\n',
    keys: live(),
  },
  'a key is low': {
    manifest: 'keys: { app-1: { budget: { usd: 5, initial: true } } }\n',
    keys: live({ remain_quota: 5 }),
  },
  'a key expires soon': { keys: live({ expired_time: NOW + 86_400 }) },
};

describe('the exit code of a fact', () => {
  it.each(Object.entries(FACTS))('at plan, drift and apply: %s', async (name, { manifest, keys, flags = [] }) => {
    const row = EXIT_OF_FACT[name as keyof typeof EXIT_OF_FACT];
    const accounts = [{ userId: 42, accessToken: 'token-for-tests', quota: 5_000_000 }];
    const account = await openAccount(manifest ?? KEYS_AS_DECLARED, { accounts, keys });
    // Held and refused changes are drift as well.
    const others = FAILURE_KINDS.filter((kind) => kind !== row.failOn && kind !== 'drift');
    expect(await ask(account, ['plan', ...flags])).toBe(row.plan);
    expect(await ask(account, ['drift', '--fail-on', row.failOn, ...flags])).toBe(row.drift);
    expect(await ask(account, ['drift', '--fail-on', others.join(','), ...flags])).toBe(EXIT.done);
    expect(await ask(account, ['apply', '--yes', ...flags])).toBe(row.apply);
    await account.close();
  });
});

describe('the precedence of exit codes', () => {
  it('orders every code', () => {
    expect(PRECEDENCE.filter((code) => ![EXIT.usage, EXIT.error, EXIT.done].includes(code as never))).toEqual([
      130, 7, 4, 5, 6, 8, 2,
    ]);
    expect([...PRECEDENCE].sort((a, b) => a - b)).toEqual(Object.values(EXIT).sort((a, b) => a - b));
  });

  it('decides between any two codes, in either order', () => {
    for (const [rank, first] of PRECEDENCE.entries()) {
      for (const second of PRECEDENCE.slice(rank)) {
        expect([strongestExit([first, second]), strongestExit([second, first])]).toEqual([first, first]);
      }
    }
    expect(strongestExit([])).toBe(EXIT.done);
  });

  const applied = { state: 'applied', change: pending('create') } as const;
  const skipped = { state: 'skipped', change: pending('delete'), reason: 'withheld' } as const;
  const lost = { id: keyId(3), name: 'a', units: quota(5), takenBack: false };
  const refused = new Fault('credentials.refused', 'The token was rejected.');
  const report: ApplyReport = { plan: PLAN, outcomes: [applied], corrections: [], interrupted: false };
  const failedChecks = reportOf([resultOf({ key: 'app-1', check: 'pong', verdict: 'failed', reason: 'x' })]);
  const CASES: readonly (readonly [string, ApplyReport, ExitCode])[] = [
    ['everything was done', report, 0],
    ['a change was withheld', { ...report, outcomes: [applied, skipped] }, 5],
    ['a check failed', { ...report, checks: failedChecks }, 6],
    [
      'deletes were withheld because a check failed',
      { ...report, outcomes: [applied, skipped], checks: failedChecks },
      5,
    ],
    ['the cost limit was reached', { ...report, checks: reportOf([], { capReached: true }) }, 8],
    ['a budget could not be verified', { ...report, corrections: [lost] }, 5],
    ['something is left', { ...report, after: { ...PLAN, changes: [pending('update')] } }, 5],
    ['credentials were rejected halfway', { ...report, outcomes: [applied, skipped], fatal: refused }, 7],
    [
      'Ctrl-C came first',
      { ...report, outcomes: [applied, skipped], corrections: [lost], fatal: refused, interrupted: true },
      130,
    ],
  ];
  it.each(CASES)('of an apply after which %s', (_, ended, exit) => {
    const fault = strongestFault(reportFaults(ended));
    expect(strongestExit(reportFaults(ended).map(({ code }) => EXIT_OF_FAULT[code]))).toBe(exit);
    expect(fault === undefined ? 0 : EXIT_OF_FAULT[fault.code]).toBe(exit);
  });
});
