import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { openAccount } from '../account.ts';

const bodyOf = (n: number): string => `${'k'.repeat(8)}${'a1b2c3d4'.repeat(5)}`.slice(0, 47) + n;
const SEED = {
  accounts: [{ userId: 42, accessToken: 'token-for-tests', quota: 50_000_000 }],
  keys: [
    { id: 3, key: bodyOf(1), name: 'prod-a', remain_quota: 1000 },
    { id: 4, key: bodyOf(2), name: 'prod-b', remain_quota: 1000 },
    { id: 5, key: bodyOf(3), name: 'prod.b', remain_quota: 1000 },
    { id: 6, key: bodyOf(4), name: 'prod-c~20330101-0000', remain_quota: 1000 },
    { id: 7, key: bodyOf(5), name: 'prod-c', remain_quota: 1000 },
    { id: 8, key: bodyOf(6), name: 'a*', remain_quota: 1000 },
    { id: 9, key: bodyOf(7), name: '7 días', remain_quota: 1000 },
  ],
};

let account: Awaited<ReturnType<typeof openAccount>>;
beforeEach(async () => {
  account = await openAccount('keys: { prod-c: { budget: { quota: 1000 } } }\n', SEED, 'deployed');
});
afterEach(() => account.close());

async function reveal(...words: string[]) {
  const terminal = account.terminal(false);
  const code = await terminal.run('keys', 'reveal', ...words);
  return { code, out: terminal.out(), err: terminal.err().replace(/\s+/g, ' ') };
}
const secretOf = (n: number): string => `sk-${bodyOf(n)}`;

describe('keys reveal', () => {
  it('prints one secret without a line break as raw, on standard output and in a file', async () => {
    expect(await reveal('prod-a', '--format', 'raw')).toEqual({ code: 0, out: secretOf(1), err: '' });
    await reveal('prod-a', '--format', 'raw', '--out', 'key');
    const file = join(account.folder, 'key');
    expect([await readFile(file, 'utf8'), (await stat(file)).mode & 0o777]).toEqual([secretOf(1), 0o600]);
  });

  it('prints lines of an .env file, which are named after the keys or by --as', async () => {
    expect((await reveal('prod-a', '9', '--format', 'dotenv')).out).toBe(
      `PROD_A=${secretOf(1)}\n_7_D_AS=${secretOf(7)}\n`,
    );
    expect((await reveal('prod-a', '--format', 'dotenv', '--as', 'LLM_KEY')).out).toBe(`LLM_KEY=${secretOf(1)}\n`);
  });

  it('prints manifests of Kubernetes Secrets, whose values end without a line break', async () => {
    const { out } = await reveal('prod-a', 'prod-b', '--format', 'kubernetes');
    expect(parseAllDocuments(out).map((document) => document.toJS())).toEqual(
      [1, 2].map((n) => ({
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: `prod-${n === 1 ? 'a' : 'b'}` },
        type: 'Opaque',
        data: { 'api-key': Buffer.from(secretOf(n)).toString('base64') },
      })),
    );
    expect(parse((await reveal('9', '--format', 'kubernetes', '--as', 'llm')).out).metadata.name).toBe('llm');
  });

  it('names the current generation of a declared key as the manifest does', async () => {
    expect((await reveal('prod-c', '--format', 'dotenv')).out).toBe(`PROD_C=${secretOf(4)}\n`);
  });

  it.each([
    [['prod-a', 'prod-b', '--format', 'raw'], '2 keys were named'],
    [['prod-b', 'prod.b', '--format', 'dotenv'], 'would both be “PROD_B”'],
    [['prod-a', '--format', 'dotenv', '--as', 'A B'], 'is not the name of a variable'],
    [['prod-a', '--format', 'kubernetes', '--as', 'A'], 'is not the name of a Kubernetes Secret'],
    [['prod-a', 'prod-b', '--format', 'dotenv', '--as', 'A'], '--as names one secret'],
    [['prod-a', '--as', 'A'], '--as requires --format'],
    [['prod-*'], 'may match many keys'],
  ])('refuses %j', async (words, message) => {
    const { code, out, err } = await reveal(...words);
    expect([code, out, err]).toEqual([3, '', expect.stringContaining(message)]);
  });

  it('reveals what a glob matches with --yes, each key once and no old generation', async () => {
    expect((await reveal('prod-b', 'prod*', '--yes')).out.trim().split('\n')).toEqual([2, 1, 4, 3].map(secretOf));
    expect(await reveal('test-*', '--yes')).toMatchObject({ code: 1, err: expect.stringContaining('matches no key') });
    expect((await reveal('name:a*')).out).toBe(`${secretOf(6)}\n`);
  });

  it('replaces a file only with --yes', async () => {
    await writeFile(join(account.folder, '.env'), 'MINE=1\n');
    expect((await reveal('prod-a', '--format', 'dotenv', '--out', '.env')).code).toBe(3);
    expect(await readFile(join(account.folder, '.env'), 'utf8')).toBe('MINE=1\n');
  });
});
