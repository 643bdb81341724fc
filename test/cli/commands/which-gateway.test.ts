import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAccount } from '../account.ts';

describe('a manifest that names another gateway than the environment', () => {
  let account: Awaited<ReturnType<typeof openAccount>>;
  const ask = async (words: readonly string[], env: Record<string, string> = {}) => {
    const terminal = account.terminal(false, env);
    const code = await terminal.run(...words);
    return { code, out: terminal.out(), err: terminal.err().replace(/\s+/g, ' ') };
  };
  beforeAll(async () => {
    account = await openAccount('gateway: { url: "http://127.0.0.1:9", userId: 42 }\nkeys: { app-1: {} }\n');
  });
  afterAll(() => account.close());

  it.each([['plan'], ['apply'], ['drift'], ['keys'], ['import'], ['check']])(
    'is refused by %s, which sends nothing',
    async (word) => {
      const words = word === 'keys' ? ['keys', 'list'] : [word];
      const { code, err } = await ask([...words, '--verbose']);
      expect([code, err]).toEqual([
        4,
        expect.stringContaining(
          `error[settings.conflicting]: KEYPLANE_URL is ${account.url}, but gateway.url in the manifest is http://127.0.0.1:9: these are different gateways.`,
        ),
      ]);
      expect(err).toContain('Pass --url to choose one for this run');
      expect(err).not.toContain('GET ');
    },
  );

  it('is a failure of doctor with the same exit code', async () => {
    const { code, out } = await ask(['doctor']);
    expect([code, out]).toEqual([4, expect.stringMatching(/FAILED +address +KEYPLANE_URL is /)]);
  });

  it('is decided by --url, and --verbose shows where each value came from', async () => {
    const { code, err } = await ask(['plan', '--url', account.url, '--verbose']);
    expect(code).toBe(0);
    expect(err).toContain(
      `gateway ${account.url} from --url user 42 from KEYPLANE_USER_ID access token from KEYPLANE_ACCESS_TOKEN`,
    );
  });

  it('is not asked when only one of them names a gateway', async () => {
    const { code, err } = await ask(['keys', 'list', '--verbose'], { KEYPLANE_URL: '' });
    expect([code, err]).toEqual([1, expect.stringContaining('gateway http://127.0.0.1:9 from gateway.url')]);
  });

  it('is refused for another user as well, until --user-id decides', async () => {
    const env = { KEYPLANE_USER_ID: '7' };
    const { code, err } = await ask(['plan', '--url', account.url], env);
    expect([code, err]).toEqual([4, expect.stringContaining('KEYPLANE_USER_ID is 7, but gateway.userId in the')]);
    expect((await ask(['plan', '--url', account.url, '--user-id', '42'], env)).code).toBe(0);
  });

  it('has its sources shown by doctor', async () => {
    const { out } = await ask(['doctor', '--url', account.url]);
    expect(out).toContain(`${account.url}, from --url`);
    expect(out).toContain('42, from KEYPLANE_USER_ID');
    expect(out).toContain('from KEYPLANE_ACCESS_TOKEN');
  });
});
