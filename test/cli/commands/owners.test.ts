import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAccount } from '../account.ts';

const MANIFEST = `owners:
  search: { keys: "search-*", notify: ["#search", "<script>|@x"] }
ownership: { scope: "*" }
keys:
  search-new: { budget: { usd: 1 }, labels: { env: prod }, ticket: "=1+1" }
  ads-new: { budget: { usd: 1 }, owner: ads, labels: { env: prod } }
  ads-old: { owner: ads, enabled: false, budget: { usd: 1, initial: true } }
  loose: { budget: { usd: 1, initial: true } }
`;

describe('keys with owners', () => {
  let account: Awaited<ReturnType<typeof openAccount>>;
  const run = async (...words: string[]) => {
    const terminal = account.terminal(false);
    const code = await terminal.run(...words);
    return { code, out: terminal.out().replaceAll(account.url, 'http://gateway'), err: terminal.err() };
  };
  const planned = async (...words: string[]) => {
    const { out } = await run('plan', '--format', 'json', ...words);
    return JSON.parse(out).data.changes.map(({ verb, name }: { verb: string; name: string }) => `${verb} ${name}`);
  };
  beforeAll(async () => {
    account = await openAccount(MANIFEST, {
      accounts: [{ userId: 42, accessToken: 'token-for-tests', quota: 5_000_000 }],
      keys: [
        { name: 'ads-old', remain_quota: 500_000 },
        { name: 'loose', remain_quota: 500_000 },
        { name: 'search-stray', remain_quota: 500_000 },
      ],
    });
  });
  afterAll(() => account.close());

  it('are selected by owner, by labels and by name, and an undeclared key by the rule of its owner', async () => {
    expect(await planned('--owner', 'search')).toEqual(['create search-new', 'retain search-stray']);
    expect(await planned('--owner', 'ads', '--label', 'env=prod')).toEqual(['create ads-new']);
    expect(await planned('--label', 'env')).toEqual(['create ads-new', 'create search-new']);
    expect(await planned('--owner', 'ads', '--owner', 'search', '--key', '*-new')).toEqual([
      'create ads-new',
      'create search-new',
    ]);
  });

  it.each([
    [['plan', '--owner', 'Search'], /No selected key has --owner "Search"/],
    [['drift', '--label', 'env=test'], /No selected key has --label "env=test"/],
    [['plan', '--label', '=prod'], /Invalid value for --label/],
    [['keys', 'list', '--owner', 'nobody'], /No selected key has --owner "nobody"/],
  ])('are refused for %j, which selects nothing', async (words, message) => {
    const { code, err } = await run(...words);
    expect([code, err]).toEqual([3, expect.stringMatching(message)]);
  });

  it('are listed by owner, by the declaration or by the rule', async () => {
    const { out } = await run('keys', 'list', '--owner', 'search', '--format', 'json');
    expect(JSON.parse(out).data.keys.map(({ name }: { name: string }) => name)).toEqual(['search-stray']);
  });

  it('show their metadata in a plan, and nothing of it reaches the gateway', async () => {
    const { out } = await run('plan', '--key', 'search-new');
    expect(out).toContain('owner              search\n');
    expect(out).toContain('ticket             =1+1\n');
    expect(out).toContain('labels             env=prod\n');
    const log = await run('apply', '--yes', '--key', 'search-new', '--no-check');
    expect(log.code).toBe(0);
    const state = await (await fetch(`${account.url}/_reference/state`)).text();
    expect(state).toContain('search-new');
    expect(state).not.toMatch(/=1\+1|env.{0,3}prod|#search/);
  });

  it('group a drift by owner, in every format, with the contacts of each', async () => {
    const expected = {
      text: 'Owners\n  - ads: ads-new, ads-old\n  - search, notify #search, <script>|@x: search-stray\n',
      markdown: '- search, notify #search, &lt;script&gt;\\|@<!-- -->x: search-stray',
      html: '<li>search, notify #search, &lt;script&gt;|@x: search-stray</li>',
      tap: '# search, notify #search, <script>|@x: search-stray',
      junit: 'search, notify #search, &lt;script&gt;|@x: search-stray',
    };
    for (const [format, text] of Object.entries(expected)) {
      const { code, out } = await run('drift', '--format', format);
      expect([format, code]).toEqual([format, 2]);
      expect(out.replaceAll('\\#', '#')).toContain(text);
    }
    const { data } = JSON.parse((await run('drift', '--format', 'json')).out);
    expect(data.owners).toEqual([
      { owner: 'ads', notify: [], keys: ['ads-new', 'ads-old'] },
      { owner: 'search', notify: ['#search', '<script>|@x'], keys: ['search-stray'] },
    ]);
  });

  it('are selected from a saved plan, which keeps the selection', async () => {
    expect((await run('plan', '--owner', 'ads', '--label', 'env', '--out', 'plan.json')).code).toBe(0);
    const saved = JSON.parse(await readFile(join(account.folder, 'plan.json'), 'utf8'));
    expect(saved).toMatchObject({ owners: ['ads'], labels: [{ name: 'env' }] });
    expect((await run('apply', 'plan.json', '--yes', '--no-check')).code).toBe(0);
    expect(await account.names()).toEqual(['ads-new', 'ads-old', 'loose', 'search-new', 'search-stray']);
  });
});
