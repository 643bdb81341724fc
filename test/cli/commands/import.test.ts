import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAccount, SEED } from '../account.ts';

const ODD = {
  ...SEED,
  keys: [
    { id: 3, name: 'app-1', allow_ips: 'nowhere', remain_quota: 500_000 },
    { id: 4, name: 'app-2', group: 'g${TfToken[TOKEN.1]}', remain_quota: 500_000 },
  ],
};

describe('import', () => {
  let account: Awaited<ReturnType<typeof openAccount>>;
  beforeAll(async () => {
    account = await openAccount('keys: {}\n', ODD);
  });
  afterAll(() => account.close());

  async function ask(...words: string[]) {
    const terminal = account.terminal(false);
    const code = await terminal.run('import', ...words);
    return { code, out: terminal.out(), err: terminal.err() };
  }

  const OF_ADDRESSES = 'app-1: allowIps is omitted: the line "nowhere" is not an IP address or range\n';
  const OF_GROUP = 'app-2: group is omitted: CDK would mistake the text for a token\n';

  it.each([
    ['yaml', OF_ADDRESSES],
    ['hcl', OF_ADDRESSES],
    ['cdk', OF_ADDRESSES + OF_GROUP],
  ])('reports omissions from %s on standard error', async (language, omissions) => {
    expect(await ask('--to', language)).toMatchObject({ code: 0, err: omissions });
  });

  it('reports it in JSON as well', async () => {
    expect(JSON.parse((await ask('--format', 'json')).out)).toMatchObject({
      data: {
        keys: 2,
        skipped: [],
        leftOut: [{ key: 'app-1', what: expect.stringMatching(/^allowIps is omitted: /) }],
      },
    });
  });
});
