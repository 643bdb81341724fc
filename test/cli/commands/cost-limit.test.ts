import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { controlOf } from '../../contract/control.ts';
import { openAccount } from '../account.ts';

const MANIFEST = `keys:
  app-1: { checks: [poster, other] }
checks:
  poster: { module: image, model: alpha-image-2 }
  other: { module: image, model: alpha-image-2, request: { prompt: "another" } }
`;

describe('a check under --max-cost that costs more than the gateway shows', () => {
  let account: Awaited<ReturnType<typeof openAccount>>;
  beforeEach(async () => {
    account = await openAccount(
      MANIFEST,
      {
        accounts: [{ userId: 42, accessToken: 'token-for-tests', quota: 5_000_000 }],
        models: { 'alpha-image-2': { price: 0.4 } },
        keys: [{ id: 3, name: 'app-1', unlimited_quota: true }],
      },
      'deployed',
    );
    const data = [{ model_name: 'alpha-image-2', quota_type: 1, model_price: 0.01, enable_groups: ['default'] }];
    await controlOf(account.url).script({
      kind: 'answer',
      status: 200,
      body: { success: true, data },
      path: '/api/pricing',
      times: 9,
    });
  });
  afterEach(() => account.close());

  const check = async (...words: string[]) => {
    const terminal = account.terminal(false);
    const code = await terminal.run('check', ...words, '--max-cost', '0.02', '--concurrency', '1');
    return { code, out: terminal.out().replace(/\s+/g, ' ') };
  };

  it('ends with 8, states by how much, and nothing more is spent', async () => {
    const { code, out } = await check('poster', 'other');
    expect([code, out]).toEqual([
      8,
      expect.stringContaining('The checks cost $0.38 more than the cost limit of $0.02'),
    ]);
    const { requests } = await controlOf(account.url).takeRequests();
    expect(requests['POST /v1/images/generations']).toBe(1);
  });

  it('ends with 6 when a check has failed, too, and still states by how much', async () => {
    const failing = MANIFEST.replace('alpha-image-2 }', 'alpha-image-2, expect: { maxCost: "0.001" } }');
    await writeFile(join(account.folder, 'keyplane.yaml'), `version: 1\n${failing}`);
    const { code, out } = await check('poster', 'other');
    expect([code, out]).toEqual([6, expect.stringContaining('The checks cost $0.38 more than the cost limit')]);
    expect(out).toMatch(/1 failed, 1 skipped/);
  });

  it('has the amount in JSON', async () => {
    const terminal = account.terminal(false);
    expect(await terminal.run('check', 'poster', '--max-cost', '0.02', '--format', 'json')).toBe(8);
    expect(JSON.parse(terminal.out())).toMatchObject({
      data: { excess: 190_000 },
      fault: { code: 'check.cost-cap', message: expect.stringContaining('$0.380000') },
    });
  });
});
