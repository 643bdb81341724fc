import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSeed, startReferenceGateway } from '../../../src/reference/index.ts';
import { startTestGateway } from '../harness.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keyplane-seed-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function complaint(text: string): Promise<string> {
  const file = join(folder, 'wrong.yaml');
  await writeFile(file, text);
  const fault = await readSeed(file).then(
    () => undefined,
    (thrown: { code: string; message: string }) => thrown,
  );
  expect(fault?.code).toBe('usage.invalid');
  return (fault?.message ?? '').replaceAll(folder, '');
}

describe('a seed file', () => {
  it('defines accounts, groups, models, rates and keys', async () => {
    const gateway = await startTestGateway({ seed: await readSeed('examples/gateway.seed.yaml'), profile: 'deployed' });
    const state = await gateway.control('GET', '/state');
    expect(state.accounts).toMatchObject([{ user_id: 42, username: 'demo' }, { user_id: 43 }]);
    expect(state.keys).toContainEqual(expect.objectContaining({ name: 'legacy-reports', rate_limit: 60 }));
    await gateway.close();
  });

  it.each([
    ['accounts: [{ userId: 1, quota: much }]', '/wrong.yaml:1:32: accounts[0].quota: Invalid input: expected number'],
    ['accounts:\n  - userId: 1\n    walet: 5\n', '/wrong.yaml:3:5: accounts[0]: Unrecognized key: "walet"'],
    ['accounts: []', '/wrong.yaml:1:11: accounts: there must be at least one account'],
    ['groups: {}', '/wrong.yaml:1:1: accounts: Invalid input: expected array'],
    ['', '/wrong.yaml:1:1: accounts: Invalid input: expected array'],
    ['accounts: [', '/wrong.yaml:1:12: not YAML: '],
    ['accounts: [{ userId: 1 }]\nkeys:\n  - { name: a, status: 9 }', '/wrong.yaml:3:24: keys[0].status: '],
  ])('is rejected with the position when it is %j', async (text, message) => {
    expect(await complaint(text)).toContain(message);
  });

  it('reports every mistake in one fault, without the values', async () => {
    const message = await complaint('accounts: [{ userId: x, accessToken: "se cret" }]\nquotaPerUnit: 0');
    expect(message.split('\n')).toHaveLength(3);
    expect(message).not.toContain('se cret');
  });

  it('raises a fault when it does not exist', async () => {
    await expect(readSeed(join(folder, 'nowhere.yaml'))).rejects.toMatchObject({ code: 'usage.invalid' });
  });

  it.each([
    ['an id', { accounts: [{ userId: 1 }, { userId: 1 }] }],
    [
      'an access token',
      {
        accounts: [
          { userId: 1, accessToken: 't' },
          { userId: 2, accessToken: 't' },
        ],
      },
    ],
    [
      'a secret',
      {
        accounts: [{ userId: 1 }],
        keys: [
          { name: 'a', key: 'sk-s' },
          { name: 'b', key: 's' },
        ],
      },
    ],
    ['an owner that is not there', { accounts: [{ userId: 1 }], keys: [{ name: 'a', user_id: 2 }] }],
  ])('is rejected when it repeats or lacks %s', async (_case, seed) => {
    await expect(startReferenceGateway({ seed })).rejects.toMatchObject({ code: 'usage.invalid' });
  });

  it('generates the tokens and secrets that it omits', async () => {
    const random = (size: number) => new Uint8Array(size).fill(7);
    const gateway = await startReferenceGateway({ seed: { accounts: [{ userId: 9 }] }, random });
    expect(gateway.accounts).toEqual([{ userId: 9, accessToken: 'H'.repeat(32) }]);
    await gateway.close();
  });
});
