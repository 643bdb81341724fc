import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stemOf } from '../../../src/domain/index.ts';
import { openAccount } from '../account.ts';
import { NOW } from '../terminal.ts';

const LONG = 'search-with-a-long-name-of-38-bytes-00';
const OLD = `${stemOf(LONG)}~20330401-0000`;
const CURRENT = `${stemOf(LONG)}~20330517-0000+2d`;
const MANIFEST = `owners: { web: { keys: "web-1" } }
ownership: { scope: "*", prune: never }
keys:
  ${LONG}: { budget: { usd: 10 }, owner: search, labels: { env: prod }, rotate: { every: 30d, overlap: 2d } }
  adopted: { id: 7, name: adopted, budget: unlimited, owner: ada }
`;

describe('the generations of a key that rotated', () => {
  let account: Awaited<ReturnType<typeof openAccount>>;
  const dataOf = async (...words: string[]) => {
    const terminal = account.terminal(false);
    await terminal.run(...words, '--format', 'json');
    const { data, ...rest } = JSON.parse(terminal.out());
    if (data === null) throw new Error(JSON.stringify(rest));
    return data;
  };
  const namesOf = (keys: readonly { readonly name: string }[]) => keys.map(({ name }) => name).sort();
  beforeAll(async () => {
    account = await openAccount(
      MANIFEST,
      {
        accounts: [{ userId: 42, accessToken: 'token-for-tests', quota: 9_000_000 }],
        models: { 'alpha-chat-1': {} },
        keys: [
          { id: 1, name: OLD, remain_quota: 500_000, created_time: NOW - 40 * 86_400 },
          { id: 2, name: CURRENT, remain_quota: 5_000_000, created_time: NOW - 86_400 },
          { id: 3, name: 'web-1~20330517-0000', remain_quota: 5 },
          { id: 4, name: 'webs~20330517-0000', remain_quota: 5 },
          { id: 7, name: 'adopted', unlimited_quota: true },
          { id: 8, name: 'adopted~20330517-0000', remain_quota: 5 },
        ],
      },
      'deployed',
    );
    const body = JSON.stringify({ keyId: 1, quota: 1000, model: 'alpha-chat-1', promptTokens: 1, completionTokens: 1 });
    const init = { method: 'POST', body, headers: { 'content-type': 'application/json' } };
    expect((await fetch(`${account.url}/_reference/spend`, init)).status).toBe(200);
  });
  afterAll(() => account.close());

  it('are managed and have its owner, also where the name is shortened; those of no declaration are not managed', async () => {
    const { keys } = await dataOf('keys', 'list');
    const facts = Object.fromEntries(
      keys.map(({ name, managed, owner }: Record<string, unknown>) => [name, [managed, owner]]),
    );
    expect(facts).toEqual({
      [OLD]: [true, 'search'],
      [CURRENT]: [true, 'search'],
      'web-1~20330517-0000': [false, 'web'],
      'webs~20330517-0000': [false, null],
      adopted: [true, 'ada'],
      'adopted~20330517-0000': [false, null],
    });
    expect(namesOf((await dataOf('keys', 'list', '--unmanaged')).keys)).toEqual([
      'adopted~20330517-0000',
      'web-1~20330517-0000',
      'webs~20330517-0000',
    ]);
    expect(namesOf((await dataOf('keys', 'list', '--label', 'env=prod')).keys)).toEqual([OLD, CURRENT].sort());
  });

  it('are declared in the report of usage, and only the current one has the declared budget', async () => {
    const { keys } = await dataOf('usage', '--owner', 'search');
    expect(namesOf(keys)).toEqual([OLD, CURRENT].sort());
    const granted = Object.fromEntries(
      keys.map((key: { name: string; granted: { usd: string } | null }) => [key.name, key.granted?.usd ?? null]),
    );
    expect(granted[CURRENT]).toBe('10.00');
    expect(granted[OLD]).not.toBe('10.00');
  });

  it('are found in the usage log by the owner of the declared key', async () => {
    const { entries } = await dataOf('usage', 'log', '--owner', 'search');
    expect(entries).toMatchObject([{ key: { id: 1, name: OLD } }]);
  });

  it('keep the metadata of the declared key in a plan, and are selected by it', async () => {
    const { changes } = await dataOf('plan', '--owner', 'search', '--label', 'env=prod');
    expect(changes.length).toBeGreaterThan(0);
    for (const change of changes) {
      expect([change.of, change.metadata]).toEqual([LONG, { owner: 'search', labels: { env: 'prod' } }]);
    }
    const { changes: ofWeb } = await dataOf('plan', '--owner', 'web');
    expect(namesOf(ofWeb)).toEqual(['web-1~20330517-0000']);
  });
});
