import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openAccount } from '../account.ts';

const SEED = {
  accounts: [{ userId: 42, accessToken: 'token-for-tests', quota: 5_000_000 }],
  keys: ['search-a', 'search-b', 'ads-a', 'search-stray'].map((name, n) => ({
    id: n + 3,
    name,
    remain_quota: 500_000,
  })),
};
const MANIFEST = `owners:
  search: { keys: "search-*" }
defaults: { budget: { usd: 1, initial: true } }
keys:
  search-a: { labels: { tier: gold } }
  search-b: {}
  ads-a: { owner: ads, labels: { tier: gold } }
`;

let account: Awaited<ReturnType<typeof openAccount>>;
beforeEach(async () => {
  account = await openAccount(MANIFEST, SEED, 'deployed');
});
afterEach(() => account.close());

async function run(...words: string[]) {
  const terminal = account.terminal(false);
  const code = await terminal.run(...words);
  return { code, out: terminal.out(), err: terminal.err().replace(/\s+/g, ' ') };
}

async function enabled(): Promise<readonly string[]> {
  const { out } = await run('keys', 'list', '--format', 'json');
  const { data } = JSON.parse(out) as { data: { keys: { name: string; status: string }[] } };
  return data.keys.flatMap(({ name, status }) => (status === 'enabled' ? [name] : [])).sort();
}

const ALL = ['ads-a', 'search-a', 'search-b', 'search-stray'];

describe('keys that a command selects by owner and label', () => {
  it.each(['disable', 'delete', 'reveal', 'revoke', 'rotate'])('are named before %s does anything', async (verb) => {
    const words = ['keys', verb, '--owner', 'search', ...(verb === 'revoke' ? ['--reason', 'leaked'] : [])];
    const { code, out, err } = await run(...words);
    const names = ['search-a', 'search-b'].concat(verb === 'rotate' ? [] : ['search-stray']);
    expect([code, out]).toEqual([4, '']);
    for (const name of names) expect(err).toContain(name);
    expect(err).not.toContain('ads-a');
    expect(await enabled()).toEqual(ALL);
  });

  it('are disabled together with those that nobody declares and a rule gives to the owner, and enabled again', async () => {
    expect(await run('keys', 'disable', '--owner', 'search', '--yes')).toMatchObject({ code: 0 });
    expect(await enabled()).toEqual(['ads-a']);
    expect(await run('keys', 'enable', '--owner', 'search', '--label', 'tier=gold', '--yes')).toMatchObject({
      code: 0,
    });
    expect(await enabled()).toEqual(['ads-a', 'search-a']);
  });

  it('are revealed after somebody agreed to all of them', async () => {
    const { code, out } = await run('keys', 'reveal', '--label', 'tier', '--yes', '--format', 'dotenv');
    expect([code, out.match(/^[A-Z_]+(?==)/gm)?.sort()]).toEqual([0, ['ADS_A', 'SEARCH_A']]);
  });

  it('are rotated where they are declared, and those that cannot be are named', async () => {
    await account.write(MANIFEST.replace('search-b: {}', 'search-b: { enabled: false }'));
    const { code, err } = await run('keys', 'rotate', '--owner', 'search', '--overlap', '1h', '--yes');
    expect([code, err]).toEqual([0, expect.stringContaining('search-b is not rotated: it is declared disabled.')]);
    expect(await enabled()).toEqual(['ads-a', 'search-a', 'search-a~20330518-0333+1h', 'search-b', 'search-stray']);
  });

  it('are deleted with all that the selection means, and no other', async () => {
    expect(await run('keys', 'delete', '--label', 'tier=gold', '--yes')).toMatchObject({ code: 0 });
    expect(await account.names()).toEqual(['search-b', 'search-stray']);
  });

  it.each([
    [['keys', 'disable', 'ads-a', '--owner', 'search', '--yes'], 'Keys are both named and selected'],
    [['keys', 'disable', '--yes'], 'No key is named'],
    [['keys', 'rotate', '--yes'], 'No key is named'],
    [['keys', 'reveal', '--owner', 'nobody', '--yes'], 'No selected key has --owner "nobody"'],
    [['keys', 'rotate', '--owner', 'Search', '--yes'], 'No selected key has --owner "Search"'],
  ])('are refused where it is unclear which are meant: %j', async (words, message) => {
    const { code, err } = await run(...words);
    expect([code, err]).toEqual([3, expect.stringContaining(message)]);
    expect(await enabled()).toEqual(ALL);
  });

  it('are refused without a manifest, because nothing else knows owners', async () => {
    const { code, err } = await run('keys', 'disable', '--owner', 'search', '--yes', '-f', 'nowhere.yaml');
    expect([code === 0, err]).toEqual([false, expect.stringMatching(/manifest|nowhere/)]);
    expect(await enabled()).toEqual(ALL);
  });
});
