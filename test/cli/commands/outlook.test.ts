import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openAccount } from '../account.ts';
import { NOW } from '../terminal.ts';

const MANIFEST = `keys:
  app-due: { budget: { usd: 5, below: { usd: 1 } } }
  app-low: { budget: { usd: 5, initial: true } }
  app-old: { models: [alpha-chat-1], budget: unlimited }
`;

describe('drift of an account that was only used', () => {
  let account: Awaited<ReturnType<typeof openAccount>>;
  const drift = async (...words: string[]) => {
    const terminal = account.terminal(false);
    const code = await terminal.run('drift', ...words);
    return { code, out: terminal.out().replaceAll(account.url, 'http://gateway'), err: terminal.err() };
  };
  beforeAll(async () => {
    account = await openAccount(MANIFEST, {
      accounts: [{ userId: 42, accessToken: 'token-for-tests', quota: 5_000_000 }],
      keys: [
        { name: 'app-due', remain_quota: 475_000 },
        { name: 'app-low', remain_quota: 200_000 },
        {
          name: 'app-old',
          unlimited_quota: true,
          model_limits_enabled: true,
          model_limits: 'alpha-chat-1',
          expired_time: NOW + 86_400,
        },
      ],
    });
  });
  afterAll(() => account.close());

  it('exits with 0 and shows what is due, low and expiring', async () => {
    const { code, out } = await drift();
    expect(code).toBe(0);
    expect(out).toBe(`Drift for http://gateway, user 42

Drift: none, 3 as declared.

Not drift: 1 refill due, 1 key low, 1 key expiring.
  due         app-due (id 1): remaining: declared $5.00 (2,500,000 units), live
              $0.95 (475,000 units)
  low         app-low (id 2): remaining $0.40 (200,000 units), below $0.50
              (250,000 units)
  expiring    app-old (id 3): expires 2033-05-19T03:33:20Z (in 1 day)
`);
  });

  it.each([
    ['drift', 0],
    ['due', 2],
    ['low', 2],
    ['expiring', 2],
    ['drift,expiring', 2],
  ])('exits by --fail-on %s with %i', async (kinds, exit) => {
    expect((await drift('--fail-on', kinds)).code).toBe(exit);
  });

  it('takes the limits from --low and --expiring', async () => {
    expect((await drift('--fail-on', 'low', '--low', '0.40')).code).toBe(0);
    expect((await drift('--fail-on', 'low', '--low', '0.41')).code).toBe(2);
    expect((await drift('--fail-on', 'expiring', '--expiring', '23h')).code).toBe(0);
  });

  it.each([
    ['--fail-on', 'drifts', 'drift, due, unverified, withheld, low, expiring'],
    ['--low', '101%', '10%'],
    ['--expiring', 'soon', '14d'],
  ])('rejects %s %s before anything is sent', async (flag, value, advice) => {
    const { code, err } = await drift(flag, value, '--verbose');
    expect([code, err]).toEqual([3, expect.stringContaining(advice)]);
    expect(err).not.toContain('GET ');
  });

  it('shows it in every format, and fails only what it was asked to fail on', async () => {
    const text = (await drift('--format', 'markdown')).out;
    expect(text).toContain('### Not drift: 1 refill due, 1 key low, 1 key expiring.\n\n- due: app-due ');
    expect((await drift('--format', 'html')).out).toContain('<h2>Not drift: 1 refill due,');
    const junit = (await drift('--format', 'junit', '--fail-on', 'low')).out;
    expect(junit).toContain('tests="6" failures="1" errors="0" skipped="2"');
    expect((await drift('--format', 'tap', '--fail-on', 'due')).out).toContain('not ok 4 - app-due (due)');
    const { data } = JSON.parse((await drift('--format', 'json')).out);
    expect(data.summary.pending).toBe(0);
    expect(data.outlook).toMatchObject({
      due: [{ name: 'app-due', declared: { usd: '5.00' }, live: { usd: '0.95' } }],
      low: [{ name: 'app-low' }],
      expiring: [{ name: 'app-old', expires: NOW + 86_400 }],
    });
  });
});

describe('drift of a key that differs, and whose refill is due', () => {
  it('counts the refill as due, and only the rest as drift', async () => {
    const account = await openAccount('keys: { app-1: { group: vip, budget: { usd: 5, below: { usd: 1 } } } }\n', {
      accounts: [{ userId: 42, accessToken: 'token-for-tests', quota: 5_000_000 }],
      keys: [{ name: 'app-1', remain_quota: 475_000 }],
    });
    const drift = async (...words: string[]) => {
      const terminal = account.terminal(false);
      const code = await terminal.run('drift', ...words);
      return { code, out: terminal.out().replaceAll(account.url, 'http://gateway') };
    };
    expect(await drift()).toEqual({
      code: 2,
      out: `Drift for http://gateway, user 42

~ differs  app-1 (id 1)                                          keyplane.yaml:2
    group              declared vip, live the account's own

Drift: 1 differs.

Not drift: 1 refill due.
  due         app-1 (id 1): remaining: declared $5.00 (2,500,000 units), live
              $0.95 (475,000 units)
`,
    });
    expect((await drift('--fail-on', 'due')).code).toBe(2);
    await account.close();
  });

  it('shows the notes in every format, a manual top-up among them', async () => {
    const account = await openAccount('keys: { app-1: { budget: { usd: 5, below: { usd: 1 } } } }\n', {
      accounts: [{ userId: 42, accessToken: 'token-for-tests', quota: 5_000_000 }],
      keys: [{ name: 'app-1', remain_quota: 3_000_000 }],
    });
    for (const format of ['text', 'json', 'markdown', 'html', 'junit', 'tap']) {
      const terminal = account.terminal(false);
      expect(await terminal.run('drift', '--format', format)).toBe(0);
      expect(terminal.out()).toContain('the key was topped up by hand');
    }
    await account.close();
  });
});

describe('drift of a key that was opened', () => {
  it('shows what is declared and what is live, and no arrow', async () => {
    const account = await openAccount('keys: { app-1: { models: [alpha-chat-1], allowIps: [10.0.0.0/8] } }\n');
    const terminal = account.terminal(false);
    expect(await terminal.run('drift')).toBe(2);
    expect(terminal.out()).toContain('declared alpha-chat-1, live any');
    expect(terminal.out()).toContain('declared 10.0.0.0/8, live anywhere');
    expect(terminal.out()).not.toContain('→');
    await account.close();
  });
});

describe('drift with --base', () => {
  const BEFORE = 'version: 1\nkeys:\n  app-1: { enabled: false }\n  app-2: { budget: { usd: 1 } }\n';
  let account: Awaited<ReturnType<typeof openAccount>>;
  const drift = async (...words: string[]) => {
    const terminal = account.terminal(false);
    const code = await terminal.run('drift', ...words);
    return { code, out: terminal.out().replaceAll(account.url, 'http://gateway'), err: terminal.err() };
  };
  beforeAll(async () => {
    account = await openAccount('keys:\n  app-1: {}\n  app-2: { budget: { usd: 1, per: hour } }\n', {
      accounts: [{ userId: 42, accessToken: 'token-for-tests', quota: 5_000_000 }],
      keys: [
        { name: 'app-1', remain_quota: 500_000, status: 2 },
        { name: 'app-2', remain_quota: 500_000 },
      ],
    });
    await writeFile(join(account.folder, 'before.yaml'), BEFORE);
  });
  afterAll(() => account.close());

  it('shows the policies before, and takes an enable of the merge for no leak', async () => {
    expect((await drift()).out).toContain('! DISABLED app-1 (id 1)');
    const { code, out } = await drift('--base', 'before.yaml');
    expect(code).toBe(2);
    expect(out).toBe(`Maximum exposure per month: $1.00 → $721.00

Drift for http://gateway, user 42

! inactive app-1 (id 1)                                          keyplane.yaml:3
    because            the manifest went from disabled to enabled
    exposure           $0.00 a month → $1.00 a month

$ policy   app-2 (id 2)                                          keyplane.yaml:4
    budget             $1 once → $1/hour
    exposure           $1.00 a month → $720.00 a month

Drift: 1 is inactive, 1 budget policy changed.
`);
  });

  it.each(['markdown', 'html', 'json', 'junit', 'tap'])('shows them as %s', async (format) => {
    const { code, out } = await drift('--base', 'before.yaml', '--format', format);
    expect(code).toBe(2);
    expect(out).toMatch(/\$1 once → \$1\/hour|"kind":"lifetime"|per month: \$1\.00 → \$721\.00/);
  });

  it('does not make a change of a policy drift', async () => {
    expect((await drift('--base', 'before.yaml', '--key', 'app-2')).code).toBe(0);
  });

  it('refuses a base that cannot be read before anything is sent', async () => {
    const { code, err } = await drift('--base', 'nowhere', '--verbose');
    expect([code, err]).toEqual([3, expect.stringContaining('neither a path nor a git ref')]);
    expect(err).not.toContain('GET ');
  });
});

describe('drift that an apply leaves', () => {
  let account: Awaited<ReturnType<typeof openAccount>>;
  const drift = async (...words: string[]) => {
    const terminal = account.terminal(false);
    const code = await terminal.run('drift', ...words);
    return { code, out: terminal.out() };
  };
  const withheld = [
    ['a key that nobody permitted to enable', 'keys: { app-1: {}, app-2: {} }', 2],
    ['an undeclared key that stays', 'ownership: { scope: "app-*" }\nkeys: { app-2: {} }', 0],
    ['a change that the guard refuses', 'ownership: { protect: [app-2] }\nkeys: { app-2: { enabled: false } }', 2],
  ] as const;
  afterEach(() => account.close());

  it.each(withheld)('is withheld: %s', async (_, manifest, byDefault) => {
    account = await openAccount(`${manifest}\n`, {
      accounts: [{ userId: 42, accessToken: 'token-for-tests', quota: 5_000_000 }],
      keys: [
        { name: 'app-1', remain_quota: 500_000, status: 2 - Number(byDefault === 0) },
        { name: 'app-2', remain_quota: 500_000 },
      ],
    });
    expect((await drift()).code).toBe(byDefault);
    expect((await drift('--fail-on', 'withheld')).code).toBe(2);
    expect((await drift('--fail-on', 'due')).code).toBe(0);
    const junit = async (kinds: string) => (await drift('--format', 'junit', '--fail-on', kinds)).out;
    expect([await junit('withheld'), await junit('due')]).toEqual([
      expect.stringContaining(' failures="1" '),
      expect.stringContaining(' failures="0" '),
    ]);
    expect((await drift('--format', 'tap', '--fail-on', 'withheld')).out).toMatch(/^not ok \d - app-/m);
  });
});

describe('drift of a budget that the usage log is too long for', () => {
  it('is unverified, which fails by default, and the other keys are compared', async () => {
    const account = await openAccount('keys: { app-1: { budget: { usd: 5 } }, app-2: { group: vip } }\n', {
      accounts: [{ userId: 42, accessToken: 'token-for-tests', quota: 5_000_000 }],
      keys: [
        { id: 3, name: 'app-1', remain_quota: 500_000, used_quota: 5 },
        { id: 4, name: 'app-2', remain_quota: 500_000 },
        // A log of more than one page.
        ...Array.from({ length: 120 }, (_, i) => ({ name: `other-${i}`, remain_quota: 1, used_quota: 1 })),
      ],
    });
    const drift = async (...words: string[]) => {
      const terminal = account.terminal(false);
      const code = await terminal.run('drift', ...words);
      return { code, out: terminal.out(), err: terminal.err() };
    };
    const ended = await drift('--max-log-pages', '1', '--key', 'app-1');
    expect(ended).toMatchObject({ code: 2, out: expect.stringContaining('Drift: none, 1 as declared.') });
    expect(ended.out.replace(/\s+/g, ' ')).toContain(
      'Not drift: 1 budget unverified. unverified app-1 (id 3): its use is unknown: the usage log has more pages than --max-log-pages allows',
    );
    expect((await drift('--max-log-pages', '1', '--key', 'app-1', '--fail-on', 'drift')).code).toBe(0);
    expect((await drift('--max-log-pages', '1', '--fail-on', 'drift')).out).toContain('~ differs  app-2');
    const { data } = JSON.parse((await drift('--max-log-pages', '1', '--format', 'json')).out);
    expect(data.outlook.unverified).toEqual([{ name: 'app-1', id: 3, reason: 'log-too-long' }]);
    expect((await drift('--key', 'app-1', '--assume-log-complete')).out).toMatch(/remaining +declared \$4\.99999 /);
    const terminal = account.terminal(false);
    expect(await terminal.run('plan', '--max-log-pages', '1')).toBe(4);
    await account.close();
  });
});
