import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkUrl } from '../../../src/cli/session/check-url.ts';
import type { SettingSource } from '../../../src/cli/session/chosen.ts';
import { isTrusted } from '../../../src/cli/session/origin.ts';
import {
  connectionSettings,
  findTokenSource,
  findUrl,
  findUserId,
  isReadableByOthers,
  resolveSettings,
  type Sources,
} from '../../../src/cli/session/settings.ts';
import { Fault } from '../../../src/domain/index.ts';

const sources = (more: Partial<Sources> = {}): Sources => ({ given: new Map(), env: {}, cwd: '/', ...more });
const noOwner = () => Promise.reject(new Fault('credentials.refused', 'the user ID is missing'));
const anyOrigin = (): Promise<void> => Promise.resolve();
const flags = (given: Record<string, string>) => new Map(Object.entries(given).map(([flag, value]) => [flag, [value]]));

describe('a setting', () => {
  const env = { KEYPLANE_URL: 'http://env', KEYPLANE_USER_ID: '3' };
  const manifest = { url: 'http://manifest', userId: 2 };
  const given = flags({ url: 'http://flag', 'user-id': '1' });

  it('comes from the flag, else from the environment, else from the manifest', () => {
    expect([findUrl(sources({ given, env, manifest })), findUserId(sources({ given, env, manifest }))]).toEqual([
      { value: 'http://flag', source: 'flag', from: '--url' },
      { value: 1, source: 'flag', from: '--user-id' },
    ]);
    expect([findUrl(sources({ env })), findUserId(sources({ env }))]).toEqual([
      { value: 'http://env', source: 'environment', from: 'KEYPLANE_URL' },
      { value: 3, source: 'environment', from: 'KEYPLANE_USER_ID' },
    ]);
    expect([findUrl(sources({ manifest })), findUserId(sources({ manifest }))]).toEqual([
      { value: 'http://manifest', source: 'manifest', from: 'gateway.url' },
      { value: 2, source: 'manifest', from: 'gateway.userId' },
    ]);
  });

  it('is refused where environment and manifest differ, until a flag decides', () => {
    const conflict = expect.objectContaining({ code: 'settings.conflicting' });
    expect(() => findUrl(sources({ env, manifest }))).toThrow(conflict);
    expect(() => findUserId(sources({ env, manifest }))).toThrow(conflict);
    expect(() => findUrl(sources({ given: flags({ 'user-id': '1' }), env, manifest }))).toThrow(conflict);
  });

  it('may be the same address in two spellings', () => {
    const spelt = { KEYPLANE_URL: 'https://Gateway.example.com:443/' };
    expect(findUrl(sources({ env: spelt, manifest: { url: 'https://gateway.example.com' } }))).toMatchObject({
      source: 'environment',
    });
    const other = { KEYPLANE_URL: 'https://gateway.example.com/v2' };
    expect(() => findUrl(sources({ env: other, manifest: { url: 'https://gateway.example.com' } }))).toThrow();
  });

  it('that is a misplaced credential is rejected without being shown', () => {
    const secret = { KEYPLANE_URL: `sk-${'a1'.repeat(12)}` };
    expect(() => findUrl(sources({ env: secret, manifest }))).toThrow(
      expect.objectContaining({ code: 'usage.invalid', message: expect.not.stringContaining('a1a1') }),
    );
  });

  it('of a token comes from the environment before the manifest', () => {
    const both = { accessTokenFile: '/manifest.token' };
    const of = (more: Record<string, string>) => findTokenSource(sources({ env: more, manifest: both }));
    expect(of({ KEYPLANE_ACCESS_TOKEN: 'x' })).toMatchObject({ kind: 'variable', from: 'KEYPLANE_ACCESS_TOKEN' });
    expect(of({ KEYPLANE_ACCESS_TOKEN_FILE: 'env.token' })).toMatchObject({ path: '/env.token' });
    expect(of({})).toMatchObject({ path: '/manifest.token', from: 'gateway.accessTokenFile' });
  });

  it('that is empty in the environment is not there', () => {
    expect(findUrl(sources({ env: { KEYPLANE_URL: '' } }))).toBeUndefined();
  });

  it.each(['0', '-1', '1.5', 'x', '1e3'])('of a user id is refused when it is %s', (value) => {
    expect(() => findUserId(sources({ env: { KEYPLANE_USER_ID: value } }))).toThrow(
      expect.objectContaining({ code: 'usage.invalid' }),
    );
  });

  it('of a proxy is read in either case, lower case first', async () => {
    const proxied = await connectionSettings(
      sources({ env: { HTTPS_PROXY: 'http://a', https_proxy: 'http://b', NO_PROXY: 'c' } }),
    );
    expect(proxied.proxy).toEqual({ https: 'http://b', no: 'c' });
  });

  it.each([
    ['30s', 30_000],
    ['2m', 120_000],
    ['7', 7000],
  ])('of a time of %s is %d ms', async (timeout, timeoutMs) => {
    expect(await connectionSettings(sources({ given: flags({ timeout }) }))).toMatchObject({ timeoutMs });
    expect(await connectionSettings(sources({ env: { KEYPLANE_TIMEOUT: timeout } }))).toMatchObject({ timeoutMs });
  });

  it.each([{ timeout: 'soon' }, { timeout: '0' }, { concurrency: '0' }])('like %j is refused', async (wrong) => {
    await expect(connectionSettings(sources({ given: flags(wrong) }))).rejects.toMatchObject({ code: 'usage.invalid' });
  });
});

describe('an origin', () => {
  const isTrustedFor = (value: string, source: SettingSource, allowed = ''): boolean =>
    isTrusted({ value, source, from: 'test' }, { KEYPLANE_ALLOWED_ORIGINS: allowed });

  it.each(['http://127.0.0.1:9', 'http://localhost:9/base', 'http://[::1]:9', 'http://127.1', 'http://0x7f.0.0.1'])(
    'that only the manifest names is trusted when it is this machine: %s',
    (url) => {
      expect(isTrustedFor(url, 'manifest')).toBe(true);
    },
  );

  it.each([
    ['http://gateway.example:8080', 'http://gateway.example'],
    ['http://gateway.example.', 'http://gateway.example'],
    ['https://gateway.example', 'http://gateway.example'],
    ['http://gаteway.example', 'http://gateway.example'],
    ['http://gateway.example.evil.example', 'http://gateway.example'],
    ['http://localhost.', ''],
    ['http://localhost.evil.example', ''],
    ['http://keyplane.localhost', ''],
    ['http://127.0.0.1.nip.io', ''],
    ['http://[::ffff:127.0.0.1]', ''],
    ['http://0.0.0.0', ''],
  ])('that only the manifest names is not trusted: %s, allowed %j', (url, allowed) => {
    expect(isTrustedFor(url, 'manifest', allowed)).toBe(false);
    expect([isTrustedFor(url, 'flag'), isTrustedFor(url, 'environment')]).toEqual([true, true]);
  });

  it('is allowed in another spelling of the same origin', () => {
    const allowed = 'https://other.example, HTTPS://Gаteway.Example:443/';
    expect(isTrustedFor('https://xn--gteway-3nf.example/base', 'manifest', allowed)).toBe(true);
    expect(isTrustedFor('https://gateway.example/base', 'manifest', allowed)).toBe(false);
  });

  it.each(['gateway.example', 'http://*.example', 'http://me:hunter2@x', 'http://x/path', 'ftp://x', ',', 'http://x,'])(
    'in KEYPLANE_ALLOWED_ORIGINS is rejected when it is %j, and not repeated',
    (allowed) => {
      expect(() => isTrustedFor('http://x', 'flag', allowed)).toThrow(
        expect.objectContaining({ code: 'usage.invalid', message: expect.not.stringContaining('hunter2') }),
      );
    },
  );
});

describe('an address', () => {
  it.each(['gateway.example.com', 'ftp://x', '', 'sk-123'])('is refused when it is %j, and not repeated', (text) => {
    expect(() => checkUrl(text)).toThrow(expect.objectContaining({ code: 'usage.invalid' }));
    expect(() => checkUrl(text)).not.toThrow(text === '' ? 'zzz' : text);
  });

  it.each(['"https://x"', "'https://x'"])('in quotes is refused for them: %s', (text) => {
    expect(() => checkUrl(text)).toThrow('The gateway URL is in quotes, which are not part of it.');
  });

  it('with a password in it is refused without showing it', () => {
    expect(() => checkUrl('https://me:hunter2@x')).toThrow(/user name or a password/);
    expect(() => checkUrl('https://me:hunter2@x')).not.toThrow(/hunter2/);
  });

  it.each([
    ['https://x/?access_token=hunter2', 'a query or a fragment'],
    ['https://x?', 'a query or a fragment'],
    ['https://x/#hunter2', 'a query or a fragment'],
    ['https://x/\nhunter2', 'a space or a line break'],
    ['https://x/ hunter2', 'a space or a line break'],
  ])('that no manifest would take is refused without showing it: %j', (text, what) => {
    expect(() => checkUrl(text)).toThrow(`The gateway URL contains ${what}.`);
  });
});

describe('the access token', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'keyplane-settings-'));
    await writeFile(join(folder, 'token'), '  from-file\n', { mode: 0o600 });
    await writeFile(join(folder, 'empty'), '\n');
    await writeFile(join(folder, 'quoted'), "'pasted'\n");
  });
  afterAll(() => rm(folder, { recursive: true }));

  const resolved = (more: Partial<Sources>) =>
    resolveSettings(
      sources({ given: flags({ url: 'http://x', 'user-id': '1' }), cwd: folder, ...more }),
      anyOrigin,
      noOwner,
    );
  const tokenOf = async (more: Partial<Sources>) => (await resolved(more)).accessToken.reveal();

  it('comes from the variable, else from the file of the environment, else from the manifest’s file', async () => {
    const env = { KEYPLANE_ACCESS_TOKEN: 'from-variable', KEYPLANE_ACCESS_TOKEN_FILE: 'token' };
    const manifest = { accessTokenFile: join(folder, 'token') };
    expect(await tokenOf({ env, manifest })).toBe('from-variable');
    expect(await tokenOf({ env: { KEYPLANE_ACCESS_TOKEN_FILE: 'token' } })).toBe('from-file');
    expect(await tokenOf({ manifest })).toBe('from-file');
  });

  it.each([{}, { KEYPLANE_ACCESS_TOKEN_FILE: 'nowhere' }, { KEYPLANE_ACCESS_TOKEN_FILE: 'empty' }])(
    'is missing with %j, and the fault has a hint',
    async (env) => {
      await expect(resolved({ env })).rejects.toMatchObject({
        code: 'credentials.missing',
        hint: expect.stringContaining('KEYPLANE_ACCESS_TOKEN'),
      });
    },
  );

  it.each([{ KEYPLANE_ACCESS_TOKEN: '"pasted" ' }, { KEYPLANE_ACCESS_TOKEN_FILE: 'quoted' }])(
    'in quotes is rejected before it is sent, and not shown: %j',
    async (env) => {
      await expect(resolved({ env })).rejects.toMatchObject({
        code: 'credentials.missing',
        message: expect.stringMatching(/^The access token of [^"]+ is in quotes\.$/),
      });
    },
  );

  it.each([
    ['nowhere', 'there is no such file or folder.'],
    ['.', 'it is a folder.'],
  ])('in a file that cannot be read has a reason: %s', async (file, why) => {
    await expect(resolved({ env: { KEYPLANE_ACCESS_TOKEN_FILE: file } })).rejects.toThrow(why);
    await expect(resolved({ env: { KEYPLANE_ACCESS_TOKEN: 'x', KEYPLANE_CA_FILE: file } })).rejects.toMatchObject({
      code: 'usage.invalid',
      message: `The CA file ${file} cannot be read: ${why}`,
      hint: expect.stringMatching(/--ca-file.*KEYPLANE_CA_FILE/),
    });
  });

  it('is not even asked for without an address', async () => {
    await expect(resolveSettings(sources(), anyOrigin, noOwner)).rejects.toMatchObject({ code: 'usage.invalid' });
  });

  it('shows whose account it is where no user ID is set, unless the gateway requires one', async () => {
    const named = sources({ env: { KEYPLANE_URL: 'http://x', KEYPLANE_ACCESS_TOKEN: 'x' } });
    const { userId, origins } = await resolveSettings(named, anyOrigin, async () => 7);
    expect([userId, origins.userId.from]).toEqual([7, 'the gateway']);
    await expect(resolveSettings(named, anyOrigin, noOwner)).rejects.toMatchObject({
      code: 'credentials.missing',
      message: 'No user ID was given.',
      hint: expect.stringContaining('--user-id'),
    });
    const broken = new Fault('gateway.unreachable', 'down');
    await expect(resolveSettings(named, anyOrigin, () => Promise.reject(broken))).rejects.toBe(broken);
  });

  it.skipIf(process.platform === 'win32')('in a file that others may read is noticed', async () => {
    expect(await isReadableByOthers(join(folder, 'token'))).toBe(false);
    await chmod(join(folder, 'token'), 0o640);
    expect(await isReadableByOthers(join(folder, 'token'))).toBe(true);
  });

  it('never prints, with all the settings around it', async () => {
    const settings = await resolved({ env: { KEYPLANE_ACCESS_TOKEN: 'hunter2', KEYPLANE_MODELS_KEY: 'sk-hunter2' } });
    expect(JSON.stringify(settings)).not.toContain('hunter2');
  });
});
