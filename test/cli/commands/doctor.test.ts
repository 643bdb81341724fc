import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFamilyServer } from '../../gateway/system/family-server.ts';
import { openAccount } from '../account.ts';
import { NOW } from '../terminal.ts';

interface Finding {
  readonly check: string;
  readonly state: string;
  readonly says: string;
  readonly hint?: string;
}

describe('doctor', () => {
  let account: Awaited<ReturnType<typeof openAccount>>;
  beforeAll(async () => {
    account = await openAccount('keys: { app-1: {} }\n');
  });
  afterAll(() => account.close());

  async function examine(env: Record<string, string> = {}, ...words: string[]) {
    const terminal = account.terminal(false, env);
    const code = await terminal.run('doctor', '--format', 'json', ...words);
    const { data } = JSON.parse(terminal.out()) as { data: { findings: Finding[] } };
    const of = (check: string) => data.findings.find((finding) => finding.check === check);
    return { code, of, all: data.findings };
  }

  it('tests in the order in which problems have to be fixed', async () => {
    const { all } = await examine();
    expect(all.map(({ check }) => check)).toEqual([
      'manifest',
      'address',
      'token',
      'user id',
      'connection',
      'clock',
      'credentials',
      'wallet',
      'keys',
      'groups',
    ]);
  });

  it.each(['/v1', '/api', '/v1/chat/completions', '/api/status/'])(
    'names the base URL for one that ends in %s',
    async (path) => {
      const { code, of } = await examine({ KEYPLANE_URL: account.url + path });
      expect(code).toBe(3);
      expect(of('address')).toMatchObject({ state: 'failed', hint: expect.stringContaining(`Use ${account.url}`) });
      expect(of('connection')).toBeUndefined();
    },
  );

  it('does not ask for what the manifest may name while it has errors', async () => {
    await writeFile(join(account.folder, 'broken.yaml'), 'version: 1\ngateway: { url: "http://x" }\nkeyz: {}\n');
    const none = { KEYPLANE_URL: '', KEYPLANE_USER_ID: '', KEYPLANE_ACCESS_TOKEN: '' };
    const { code, all } = await examine(none, '-f', 'broken.yaml');
    expect(code).toBe(3);
    expect(all.map(({ check, state }) => `${check} ${state}`)).toEqual([
      'manifest failed',
      'address skipped',
      'token skipped',
      'user id skipped',
    ]);
  });

  it('notices a clock that is apart from the gateway’s, either way', async () => {
    const move = (seconds: number) =>
      fetch(`${account.url}/_reference/clock`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ at: NOW + seconds }),
      });
    await move(86_400);
    const apart = (word: string) => ({
      state: 'warning',
      says: expect.stringContaining(word),
      hint: expect.stringContaining('NTP'),
    });
    expect((await examine()).of('clock')).toMatchObject(apart('behind'));
    await move(-86_400);
    expect((await examine()).of('clock')).toMatchObject(apart('ahead'));
    await move(0);
    expect((await examine()).of('clock')).toMatchObject({ state: 'ok' });
  });

  it('distinguishes an invalid address from one where nothing listens', async () => {
    expect((await examine({ KEYPLANE_URL: 'gateway' })).of('address')).toMatchObject({ state: 'failed' });
    const { code, of } = await examine({ KEYPLANE_URL: 'http://127.0.0.1:9' });
    expect(code).toBe(1);
    expect(of('connection')).toMatchObject({ state: 'failed', hint: expect.stringContaining('port') });
    expect(of('credentials')).toBeUndefined();
  });

  it('advises on a certificate of an unknown authority, and sends nothing more', async () => {
    const pem = (file: string) => readFile(new URL(`../../http/certificates/${file}`, import.meta.url));
    const server = createTlsServer({ key: await pem('good.key'), cert: await pem('good.pem') });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const { port } = server.address() as AddressInfo;
    const { code, of } = await examine({ KEYPLANE_URL: `https://127.0.0.1:${port}` });
    expect(code).toBe(1);
    expect(of('connection')).toMatchObject({ state: 'failed', hint: expect.stringContaining('--ca-file') });
    expect([of('clock'), of('credentials')]).toEqual([undefined, undefined]);
    await new Promise((closed) => server.close(closed));
  });

  it('distinguishes a web page from a gateway', async () => {
    const server = createServer((_, response) =>
      response.setHeader('content-type', 'text/html').end('<html>hi</html>'),
    );
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const { port } = server.address() as AddressInfo;
    const { code, of } = await examine({ KEYPLANE_URL: `http://127.0.0.1:${port}` });
    expect([code, of('connection')?.state]).toEqual([1, 'failed']);
    await new Promise((closed) => server.close(closed));
  });

  it('distinguishes a wrong token, another user’s token and no token', async () => {
    const wrong = await examine({ KEYPLANE_ACCESS_TOKEN: 'wrong' });
    expect([wrong.code, wrong.of('credentials')?.state]).toEqual([7, 'failed']);
    expect((await examine({ KEYPLANE_USER_ID: '7' })).of('credentials')).toMatchObject({ state: 'failed' });
    const none = await examine({ KEYPLANE_ACCESS_TOKEN: '' });
    expect(none.code).toBe(7);
    expect([none.of('token')?.state, none.of('connection')?.state, none.of('credentials')?.state]).toEqual([
      'failed',
      'ok',
      'skipped',
    ]);
  });

  it.skipIf(process.platform === 'win32')('warns of a token file that others may read', async () => {
    const path = join(account.folder, 'open.token');
    await writeFile(path, 'token-for-tests', { mode: 0o644 });
    const { code, of } = await examine({ KEYPLANE_ACCESS_TOKEN: '', KEYPLANE_ACCESS_TOKEN_FILE: path });
    expect(code).toBe(0);
    expect(of('token')).toMatchObject({ state: 'warning', hint: `Run \`chmod 600 ${path}\`.` });
  });

  it('shows that a gateway has no groups', async () => {
    const { url } = await startFamilyServer('one-api');
    expect((await examine({ KEYPLANE_URL: url })).of('groups')).toMatchObject({ state: 'ok', says: 'none' });
  });

  it('names groups of the manifest that the account does not have, and a manifest that is wrong', async () => {
    await writeFile(join(account.folder, 'groups.yaml'), 'version: 1\nkeys: { a: { group: vup } }\n');
    const groups = await examine({}, '-f', 'groups.yaml');
    expect([groups.code, groups.of('groups')?.says]).toEqual([4, 'The account does not have these groups: vup.']);
    const missing = await examine({}, '-f', 'nowhere.yaml');
    expect([missing.code, missing.of('manifest')?.state, missing.of('wallet')?.state]).toEqual([3, 'failed', 'ok']);
  });
});
