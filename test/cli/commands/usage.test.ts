import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAccount } from '../account.ts';
import { NOW } from '../terminal.ts';

const HOSTILE = '=HYPERLINK("x")|<b> @all';
const MANIFEST = `owners: { "+search|<i>": { keys: "app-*" } }
keys:
  app-month: { budget: { usd: 2, per: month }, labels: { team: blue } }
  app-life: { budget: { usd: 10 }, owner: ada }
`;

describe('usage', () => {
  let account: Awaited<ReturnType<typeof openAccount>>;
  const run = async (...words: string[]) => {
    const terminal = account.terminal(false);
    const code = await terminal.run(...words);
    return { code, out: terminal.out().replaceAll(account.url, 'http://gateway'), err: terminal.err() };
  };
  const spend = async (keyId: number, quota: number, model: string) => {
    const body = JSON.stringify({ keyId, quota, model, promptTokens: 100, completionTokens: 20 });
    const init = { method: 'POST', body, headers: { 'content-type': 'application/json' } };
    expect((await fetch(`${account.url}/_reference/spend`, init)).status).toBe(200);
  };
  beforeAll(async () => {
    account = await openAccount(
      MANIFEST,
      {
        accounts: [{ userId: 42, accessToken: 'token-for-tests', quota: 3_000_000 }],
        models: { 'alpha-chat-1': {}, '-2+3': {}, 'followed-1': {}, 'followed-2': {} },
        keys: [
          { id: 1, name: 'app-month', remain_quota: 1_000_000, created_time: NOW - 9000 },
          { id: 2, name: 'app-life', remain_quota: 5_000_000, created_time: NOW - 9000 },
          { id: 3, name: HOSTILE, unlimited_quota: true, created_time: NOW - 90 * 86_400 },
        ],
      },
      'deployed',
    );
    await spend(1, 900_000, 'alpha-chat-1');
    await spend(2, 100_000, 'alpha-chat-1');
    await spend(3, 50_000, '-2+3');
  });
  afterAll(() => account.close());

  it('shows what each key spent, has left and how long that lasts, and the wallet', async () => {
    const { code, out } = await run('usage');
    expect(code).toBe(0);
    expect(out).toMatch(/^Usage since \S+: 3 requests, \$2\.10\./);
    expect(out).toMatch(
      /app-month +\+search\|<i> +\$1\.80 +\$1\.80 +\$2\.00 +\$0\.20 +month +\$17\.28 +in \d+ minutes/,
    );
    expect(out).toMatch(/app-life +ada +\$0\.20 +\$0\.20 +\$10\.00 +\$9\.80 +- /);
    expect(out).toMatch(/Wallet: \$3\.90, \$0\.30 a day; it lasts until \S+ \(in 13 days\)\./);
  });

  it.each([
    ['owner', { ada: '0.20', '+search|<i>': '1.80', null: '0.10' }],
    ['label:team', { blue: '1.80', null: '0.30' }],
    ['model', { 'alpha-chat-1': '2.00', '-2+3': '0.10' }],
  ])('adds up by %s, to the whole', async (by, costs) => {
    const { groups } = JSON.parse((await run('usage', '--by', by, '--format', 'json')).out).data;
    const found = groups.map(({ name, cost }: { name: string | null; cost: { usd: string } }) => [`${name}`, cost.usd]);
    expect(Object.fromEntries(found)).toEqual(costs);
  });

  it.each([
    ['80%', 2, /app-month has used 80% of its budget or more: \$1\.80 of \$2\.00/],
    ['91%', 0, /^(?!.*Findings)/s],
    ['projected', 2, /The wallet is empty on \S+; then no key works/],
    ['exhausted', 0, /^(?!.*Findings)/s],
  ])('exits for --fail-on %s with %i', async (alarm, exit, text) => {
    const { code, out } = await run('usage', '--fail-on', alarm);
    expect([code, out]).toEqual([exit, expect.stringMatching(text)]);
  });

  it('looks no further into the future than --within', async () => {
    expect((await run('usage', '--fail-on', 'projected', '--within', '1s')).code).toBe(0);
  });

  it.each([
    ['--fail-on', '101%'],
    ['--by', 'label:'],
    ['--since', 'soon'],
    ['--within', 'soon'],
  ])('rejects %s %s before anything is sent', async (flag, value) => {
    const { code, err } = await run('usage', flag, value, '--verbose');
    expect([code, err.includes('GET ')]).toEqual([3, false]);
  });

  it('writes names into CSV that no spreadsheet runs, and numbers as numbers', async () => {
    const { out } = await run('usage', '--format', 'csv');
    const lines = out.split('\r\n');
    expect(lines[0]).toMatch(/^key,id,managed,owner,/);
    expect(lines.some((line) => /(^|,)[=+@-](?!\d)/.test(line))).toBe(false);
    expect(out).toContain(`"'=HYPERLINK(""x"")|<b> @all"`);
    expect(out).toContain("'+search|<i>");
    expect((await run('usage', '--by', 'model', '--format', 'csv')).out).toContain("'-2+3,1,100,20,50000,0.100000");
  });

  it('keeps hostile names text in Markdown and HTML, and loads nothing', async () => {
    const markdown = (await run('usage', '--format', 'markdown')).out;
    expect(markdown).not.toMatch(/<b>|<i>|@all/);
    expect(
      markdown
        .split('\n')
        .find((line) => line.includes('HYPERLINK'))
        ?.match(/(?<!\\)\|/g),
    ).toHaveLength(12);
    const html = (await run('usage', '--format', 'html')).out;
    expect(html).toContain("default-src 'none'");
    expect(html).toContain('<polyline points=');
    expect(html).not.toMatch(/<b>|<i>|<script/);
  });

  it('reports that it stopped reading a long log', async () => {
    for (let i = 0; i < 101; i += 1) await spend(2, 1, 'alpha-chat-1');
    const { out } = await run('usage', '--max-log-pages', '1');
    expect(out).toContain('Reading stopped after 1 page of the usage log');
    expect(out).toContain('>$0.');
    expect(JSON.parse((await run('usage', '--max-log-pages', '1', '--format', 'json')).out).data.log.isCut).toBe(true);
  });

  it('writes reports in addition, and keeps flags of the inner command apart', async () => {
    const { code, err } = await run('usage', '--report', 'usage.html', '--report', 'usage.csv');
    expect([code, err]).toEqual([0, '']);
    const log = await run('usage', 'log', '--key', 'app-month', '--format', 'json');
    const { entries } = JSON.parse(log.out).data;
    expect(entries).toHaveLength(1);
    const found = await run('usage', 'log', '--request', entries[0].requestId, '--format', 'json');
    expect(JSON.parse(found.out).data.entries).toEqual(entries);
    expect(JSON.parse(found.out).kind).toBe('usage-log');
  });

  it('follows the log: what exists, then each new entry once, until it is interrupted', async () => {
    const terminal = account.terminal(false);
    const screen = terminal.io.stdout as typeof terminal.io.stdout & { watchers: Set<() => void> };
    const shown = (text: RegExp): Promise<void> =>
      new Promise((done) => {
        const look = (): void => {
          if (text.test(terminal.out())) done();
        };
        screen.watchers.add(look);
        look();
      });
    const ended = terminal.run('usage', 'log', '--follow', '--model', 'followed-*', '--every', '1s');
    await spend(2, 7, 'followed-1');
    await shown(/followed-1/);
    await spend(2, 8, 'followed-2');
    await shown(/followed-2/);
    terminal.signal('SIGINT');
    expect(await ended).toBe(0);
    const models = terminal.out().match(/followed-\d/g);
    expect(models).toEqual(['followed-1', 'followed-2']);
  });

  it.each([
    [['usage']],
    [['usage', '--by', 'model']],
    [['usage', '--by', 'owner', '--fail-on', '1%']],
    [['usage', '--format', 'markdown']],
    [['usage', '--format', 'html']],
    [['usage', '--format', 'json']],
    [['usage', 'log']],
    [['usage', 'log', '--format', 'json']],
    [['keys', 'list']],
  ])('shows escape sequences and invisible characters of names and models as text: %j', async (words) => {
    const [name, model] = ['k\u001b]0;title\u0007\u202e', 'm\u001b[2J\u009b31m'];
    const hostile = await openAccount(
      'keys: {}\n',
      {
        accounts: [{ userId: 42, accessToken: 'token-for-tests', quota: 3_000_000 }],
        models: { [model]: {} },
        keys: [{ id: 1, name, remain_quota: 100_000 }],
      },
      'deployed',
    );
    try {
      const body = JSON.stringify({ keyId: 1, quota: 5000, model });
      const init = { method: 'POST', body, headers: { 'content-type': 'application/json' } };
      expect((await fetch(`${hostile.url}/_reference/spend`, init)).status).toBe(200);
      const terminal = hostile.terminal(false);
      await terminal.run(...words);
      expect(terminal.out()).toMatch(/title|2J/);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not reach a terminal.
      expect(terminal.out() + terminal.err()).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/);
    } finally {
      await hostile.close();
    }
  });

  it.each([[['usage']], [['usage', 'log']], [['keys', 'list']]])(
    'selects all generations of a key by its declared name: %j',
    async (words) => {
      const rotated = await openAccount(
        'keys: { app: { owner: ada, rotate: { every: 30d, overlap: 1d } } }\n',
        {
          accounts: [{ userId: 42, accessToken: 'token-for-tests', quota: 3_000_000 }],
          models: { m: {} },
          keys: [
            { id: 1, name: 'app', remain_quota: 100_000 },
            { id: 2, name: 'app~20260101-0000', remain_quota: 100_000 },
            { id: 3, name: 'application', remain_quota: 100_000 },
          ],
        },
        'deployed',
      );
      try {
        for (const keyId of [1, 2, 3]) {
          const body = JSON.stringify({ keyId, quota: 5, model: 'm' });
          const init = { method: 'POST', body, headers: { 'content-type': 'application/json' } };
          expect((await fetch(`${rotated.url}/_reference/spend`, init)).status).toBe(200);
        }
        const terminal = rotated.terminal(false);
        expect(await terminal.run(...words, '--key', 'app', '--format', 'json')).toBe(0);
        const names = new Set(terminal.out().match(/(?<="name":\s*")app[^"]*/g));
        expect([...names].sort()).toEqual(['app', 'app~20260101-0000']);
      } finally {
        await rotated.close();
      }
    },
  );

  it('selects log entries by owner', async () => {
    const { out } = await run('usage', 'log', '--owner', 'ada', '--limit', '1', '--format', 'json');
    expect(JSON.parse(out).data.entries[0].key.name).toBe('app-life');
  });

  it('marks what the log does not account for', async () => {
    const off = await openAccount(
      'keys: {}\n',
      {
        accounts: [{ userId: 42, accessToken: 'token-for-tests', quota: 3_000_000 }],
        logConsumption: false,
        keys: [{ id: 1, name: 'app', remain_quota: 100, used_quota: 500_000, created_time: NOW - 9000 }],
      },
      'deployed',
    );
    try {
      const body = JSON.stringify({ keyId: 1, quota: 5, model: 'm' });
      await fetch(`${off.url}/_reference/spend`, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json' },
      });
      const terminal = off.terminal(false);
      await terminal.run('usage');
      expect(terminal.out()).toMatch(/app +- +!\$/);
      expect(terminal.out()).toContain('does not account for all that app used');
    } finally {
      await off.close();
    }
  });
});

describe('keys list', () => {
  let account: Awaited<ReturnType<typeof openAccount>>;
  const DAY = 86_400;
  const listed = async (...words: string[]) => {
    const terminal = account.terminal(false);
    expect(await terminal.run('keys', 'list', '--format', 'json', ...words)).toBe(0);
    return JSON.parse(terminal.out()).data.keys.map(({ name }: { name: string }) => name);
  };
  beforeAll(async () => {
    const old = { created_time: NOW - 99 * DAY };
    account = await openAccount(
      'keys: { used: { owner: ada }, dying: {} }\n',
      {
        accounts: [{ userId: 42, accessToken: 'token-for-tests', quota: 3_000_000 }],
        keys: [
          { name: 'used', ...old, accessed_time: NOW - DAY, used_quota: 7, remain_quota: 5 },
          {
            name: 'idle',
            ...old,
            accessed_time: NOW - 40 * DAY,
            used_quota: 9,
            remain_quota: 50,
            expired_time: NOW + 90 * DAY,
          },
          { name: 'never', ...old, remain_quota: 9 },
          { name: 'fresh', created_time: NOW - DAY, unlimited_quota: true },
          { name: 'dying', ...old, remain_quota: 1, expired_time: NOW + DAY },
          { name: 'dead', ...old, remain_quota: 1, expired_time: NOW - DAY },
        ],
      },
      'deployed',
    );
  });
  afterAll(() => account.close());

  it.each([
    [
      ['--unused', '30d'],
      ['dead', 'dying', 'idle', 'never'],
    ],
    [['--no-expiry'], ['fresh', 'never', 'used']],
    [['--unlimited'], ['fresh']],
    [
      ['--unmanaged', '--no-expiry'],
      ['fresh', 'never'],
    ],
    [['--expiring', '14d'], ['dying']],
    [
      ['--sort', 'spent'],
      ['idle', 'used', 'dead', 'dying', 'fresh', 'never'],
    ],
    [
      ['--sort', 'remaining'],
      ['dead', 'dying', 'used', 'never', 'idle', 'fresh'],
    ],
    [
      ['--sort', 'expires'],
      ['dead', 'dying', 'idle', 'fresh', 'never', 'used'],
    ],
    [['--owner', 'ada'], ['used']],
  ])('chooses and orders keys by %j', async (words, names) => {
    expect(await listed(...words)).toEqual(names);
  });

  it('shows in `usage` too that the record of a key reports no use', async () => {
    const terminal = account.terminal(false);
    await terminal.run('usage');
    expect(terminal.out()).toMatch(/^KEY .* LAST USED +TREND$/m);
    expect(terminal.out()).toMatch(/^never .* never +▁+$/m);
  });

  it('shows who owns a key, whether it is managed, and when it was last used', async () => {
    const terminal = account.terminal(false);
    await terminal.run('keys', 'list');
    expect(terminal.out()).toMatch(/^ID +NAME .* MANAGED +OWNER +LAST USED$/m);
    expect(terminal.out()).toMatch(/used .* yes +ada +1 day ago$/m);
    expect(terminal.out()).toMatch(/never .* no +- +never$/m);
  });

  it('lists no key as unused whose last use the gateway does not report', async () => {
    const contract = await openAccount('keys: {}\n');
    try {
      const terminal = contract.terminal(false);
      await terminal.run('keys', 'list', '--unused', '30d');
      expect(terminal.out()).toContain('0 keys');
      const all = contract.terminal(false);
      await all.run('keys', 'list');
      expect(all.out()).toMatch(/app-1 .* unknown$/m);
    } finally {
      await contract.close();
    }
  });
});
