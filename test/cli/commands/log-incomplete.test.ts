import { afterEach, describe, expect, it } from 'vitest';
import { controlOf } from '../../contract/control.ts';
import { openAccount } from '../account.ts';

const GRANT = 500_000;
const MANIFEST = 'keys: { app-1: { budget: { usd: 1, per: month } } }\n';

describe('a monthly budget on a gateway whose usage log has gaps', () => {
  let account: Awaited<ReturnType<typeof openAccount>>;
  afterEach(() => account.close());

  async function open(seed: { readonly logConsumption?: boolean; readonly used_quota?: number } = {}) {
    const { used_quota = 0, ...more } = seed;
    account = await openAccount(
      MANIFEST,
      {
        accounts: [{ userId: 42, accessToken: 'token-for-tests', quota: 5_000_000 }],
        keys: [{ id: 3, name: 'app-1', remain_quota: GRANT, used_quota, created_time: 1_700_000_000 }],
        ...more,
      },
      'deployed',
    );
    return controlOf(account.url);
  }

  async function keyplane(...words: string[]) {
    const terminal = account.terminal(false);
    const code = await terminal.run(...words);
    return { code, out: terminal.out().replace(/\s+/g, ' '), err: terminal.err().replace(/\s+/g, ' ') };
  }

  const remaining = async (): Promise<unknown> => (await controlOf(account.url).state()).keys[0]?.remain_quota;

  it('is not refilled in ten applies while consumption is not logged', async () => {
    const control = await open({ logConsumption: false, used_quota: 700_000 });
    for (let n = 1; n <= 10; n += 1) {
      await control.spend(3, 20_000);
      const { code, out } = await keyplane('apply', '--yes');
      expect([code, out]).toEqual([
        5,
        expect.stringContaining('Budgets that could not be verified - app-1: budget unverified: the usage log'),
      ]);
      expect(await remaining()).toBe(GRANT - n * 20_000);
    }
  });

  it('is not refilled after history was deleted between two applies, and the plan names the ways out', async () => {
    const control = await open();
    await control.spend(3, 100_000);
    expect((await keyplane('apply', '--yes')).code).toBe(0);
    await control.deleteLog();
    for (const format of ['text', 'markdown', 'html', 'junit']) {
      const { code, out } = await keyplane(...(format === 'junit' ? ['drift'] : ['plan']), '--format', format);
      expect(code).toBe(format === 'junit' ? 2 : 0);
      expect(out).toMatch(
        /budget unverified: the usage log does not account .*--usage-cache.*lifetime.*--assume-log-complete/,
      );
    }
    expect((await keyplane('apply', '--yes')).code).toBe(5);
    expect(await remaining()).toBe(GRANT - 100_000);
  });

  it('stays as it is with a kept cache, although history was deleted', async () => {
    const control = await open();
    await control.spend(3, 100_000);
    const apply = () => keyplane('apply', '--yes', '--usage-cache', 'usage.json');
    expect((await apply()).code).toBe(0);
    await control.deleteLog();
    await control.spend(3, 50_000);
    expect((await apply()).code).toBe(0);
    expect(await remaining()).toBe(GRANT - 150_000);
  });

  it('is refilled by a saved plan that somebody made with --assume-log-complete', async () => {
    const control = await open();
    await control.spend(3, 100_000);
    await control.deleteLog();
    expect((await keyplane('plan', '--assume-log-complete', '--out', 'plan.json')).code).toBe(0);
    expect((await keyplane('apply', 'plan.json', '--yes')).code).toBe(0);
    expect(await remaining()).toBe(GRANT);
  });
});
