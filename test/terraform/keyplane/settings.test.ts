import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { asFault, Fault, keyId } from '../../../src/domain/index.ts';
import { SHIPPED_PROFILES } from '../../../src/gateway/index.ts';
import { startReferenceGateway } from '../../../src/reference/index.ts';
import { ExactNumber, type TerraformObject, UNKNOWN } from '../../../src/terraform/codec/value.ts';
import { keyplaneProvider } from '../../../src/terraform/keyplane/provider.ts';
import {
  PROVIDER_SCHEMA,
  parseLimits,
  parseLogPages,
  parseSettings,
} from '../../../src/terraform/keyplane/settings.ts';
import { DiagnosticError } from '../../../src/terraform/provider/diagnostics.ts';
import { hintOf } from '../../../src/terraform/provider/remedies.ts';

const NOTHING: TerraformObject = {
  url: null,
  user_id: null,
  access_token: null,
  ca_file: null,
  gateway_profile: null,
  timeout: null,
  max_concurrency: null,
  allow_unknown_groups: null,
  allow_unknown_models: null,
};
const CONFIG = { ...NOTHING, url: 'https://gateway.example.com', user_id: 42, access_token: 'tok' };

const refusal = async (config: TerraformObject, env: Record<string, string> = {}) => {
  const thrown = await keyplaneProvider(env, () => 0)
    .configure(config, new AbortController().signal)
    .catch((fault: unknown) => fault);
  if (!(thrown instanceof DiagnosticError)) throw new Error('it was not refused');
  return thrown.diagnostics;
};

describe('the configuration of the provider', () => {
  it('overrides the environment, which supplies what it omits', async () => {
    const env = { KEYPLANE_URL: 'https://other.example.com', KEYPLANE_TIMEOUT: '30s', KEYPLANE_CONCURRENCY: '4' };
    const settings = await parseSettings({ ...CONFIG, max_concurrency: 16 }, env);
    expect(settings).toMatchObject({ url: CONFIG.url, userId: 42, timeoutMs: 30_000, concurrency: 16 });
    const profiles = { KEYPLANE_GATEWAY_PROFILE: 'docs/conformance/new-api-0.13.2.json' };
    expect((await parseSettings(CONFIG, profiles)).profile).toEqual(SHIPPED_PROFILES.deployed);
    const named = await parseSettings({ ...CONFIG, gateway_profile: 'contract' }, profiles);
    expect(named.profile).toBe(SHIPPED_PROFILES.contract);
    const all = { KEYPLANE_USER_ID: '7', KEYPLANE_ACCESS_TOKEN: 'x', ...env };
    expect(await parseSettings(NOTHING, all)).toMatchObject({ url: env.KEYPLANE_URL, userId: 7, concurrency: 4 });
  });

  it.each<[Partial<TerraformObject>, string]>([
    [{ url: null }, 'url'],
    [{ access_token: null }, 'access_token'],
    [{ user_id: 1.5 }, 'user_id'],
    [{ max_concurrency: 0 }, 'max_concurrency'],
    [{ timeout: 'long' }, 'timeout'],
    [{ max_wait: '1.5' }, 'max_wait'],
    [{ ca_file: '/nowhere.pem' }, 'ca_file'],
    [{ gateway_profile: '/nowhere.json' }, 'gateway_profile'],
    [{ gateway_profile: 'package.json' }, 'gateway_profile'],
    [{ url: 'ftp://x' }, 'url'],
    [{ access_token: '' }, 'access_token'],
    [{ models_key: '' }, 'models_key'],
  ])('is refused with %j, at the field', async (change, field) => {
    expect(await refusal({ ...CONFIG, ...change })).toMatchObject([{ severity: 'error', path: [field] }]);
  });

  it('is refused with all that is missing or invalid in one run, wherever it was set', async () => {
    expect(await refusal(NOTHING)).toMatchObject([
      { path: ['url'], summary: 'The gateway is missing', detail: 'Set `url` or KEYPLANE_URL.' },
      { path: ['access_token'], summary: 'The system access token is missing' },
      {
        path: ['user_id'],
        summary: 'The user ID is not set either',
        detail: expect.stringContaining('KEYPLANE_USER_ID'),
      },
    ]);
    const env = { KEYPLANE_URL: 'ftp://x', KEYPLANE_TIMEOUT: 'long', KEYPLANE_LOCK: 'maybe', KEYPLANE_USER_ID: 'me' };
    const found = await refusal({ ...NOTHING, access_token: 'a\nb', max_concurrency: 0, max_log_pages: 0.5 }, env);
    expect(found.map(({ path }) => path?.join())).toEqual([
      'url',
      'user_id',
      'access_token',
      'timeout',
      'lock',
      'max_concurrency',
      'max_log_pages',
    ]);
    const named = found.flatMap(({ detail = '' }) => /The value is that of (\w+)\.$/.exec(detail)?.[1] ?? []);
    expect(named.sort()).toEqual(Object.keys(env).sort());
    expect(JSON.stringify(found)).not.toContain('a\\nb');
    expect(await refusal({ ...CONFIG, url: null, user_id: null })).toMatchObject([
      { path: ['url'] },
      { path: ['user_id'] },
    ]);
    expect(await refusal({ ...CONFIG, url: null, timeout: 'long' })).toMatchObject([
      { path: ['url'] },
      { path: ['timeout'] },
    ]);
  });

  it('ends a wait for a limit after `max_wait`, and reports how long the limit lasts', async () => {
    const reference = await startReferenceGateway({
      profile: 'deployed',
      seed: {
        accounts: [{ userId: 42, accessToken: 'tok' }],
        limits: { api: { requests: 3, seconds: 180 } },
      },
    });
    const configure = (config: TerraformObject) =>
      keyplaneProvider({}, () => Math.floor(Date.now() / 1000)).configure(
        { ...CONFIG, url: reference.url, ...config },
        new AbortController().signal,
      );
    const client = await configure({ max_wait: '0s' });
    await client?.store.list();
    const walks = [1, 2, 3].map(() => client?.store.tryRead(keyId(1)));
    const thrown = await Promise.all(walks).catch(asFault);
    if (!(thrown instanceof Fault)) throw new Error('it was not limited');
    expect(thrown.message).toMatch(
      /: the gateway responds with 429 \(too many requests\)(?:, after \d s of waiting)?\. The next attempt would be in \d s, and a request waits 0 s in all\.$/,
    );
    expect(hintOf(thrown)).toMatch(/^The limit ends in 1[78]\d s at most\. .*raise `max_wait`/);
    await reference.close();
  });

  it('leaves no listener when core configures a process again and again, as one that is debugged', async () => {
    const gateway = await startReferenceGateway({ seed: { accounts: [{ userId: 42, accessToken: 'tok' }] } });
    const provider = keyplaneProvider({}, () => 0);
    const stop = new AbortController();
    const counts: number[] = [];
    for (let run = 0; run < 3; run += 1) {
      const client = await provider.configure({ ...CONFIG, url: gateway.url }, stop.signal);
      counts.push(getEventListeners(stop.signal, 'abort').length);
      await client?.gateway.close();
    }
    expect(counts).toEqual([0, 0, 0]);
    await gateway.close();
  });

  it('judges time by the clock of the gateway', async () => {
    const [here, there] = [1_800_000_000, 1_800_003_600];
    const gateway = await startReferenceGateway({
      seed: { accounts: [{ userId: 42, accessToken: 'tok' }] },
      now: () => there,
    });
    const config = { ...CONFIG, url: gateway.url };
    const client = await keyplaneProvider({}, () => here).configure(config, new AbortController().signal);
    expect(client?.now()).toBe(there);
    await client?.gateway.close();
    await gateway.close();
  });

  it('needs no user ID where the gateway reports it, and refuses another one', async () => {
    const seed = { accounts: [{ userId: 42, accessToken: 'tok' }] };
    const configure = (config: TerraformObject) =>
      keyplaneProvider({}, () => 0).configure(config, new AbortController().signal);
    const lenient = await startReferenceGateway({ seed, userHeader: 'ignored' });
    const strict = await startReferenceGateway({ seed });
    try {
      const client = await configure({ ...CONFIG, url: lenient.url, user_id: null });
      expect(client?.store.account.userId).toBe(42);
      await client?.gateway.close();
      expect(await refusal({ ...CONFIG, url: lenient.url, user_id: 99_999 })).toMatchObject([
        {
          severity: 'error',
          path: ['user_id'],
          summary: 'The access token belongs to user 42, not to user 99999.',
        },
      ]);
      expect(await refusal({ ...CONFIG, url: strict.url, user_id: null })).toMatchObject([
        { path: ['user_id'], summary: 'The user ID is missing' },
      ]);
    } finally {
      await Promise.all([lenient.close(), strict.close()]);
    }
  });

  it('goes through the proxies of the environment, in either case, and knows the key that may ask for models', async () => {
    const env = {
      HTTPS_PROXY: 'http://big.example:3128',
      https_proxy: 'http://small.example:3128',
      HTTP_PROXY: '',
      NO_PROXY: 'localhost',
      KEYPLANE_MODELS_KEY: ' sk-models\n',
    };
    const { proxy, modelsKey } = await parseSettings(CONFIG, env);
    expect(proxy).toEqual({ https: 'http://small.example:3128', no: 'localhost' });
    expect(modelsKey?.reveal()).toBe('sk-models');
    const configured = await parseSettings({ ...CONFIG, models_key: ' sk-other\n' }, env);
    expect(configured.modelsKey?.reveal()).toBe('sk-other');
    expect(await parseSettings(CONFIG, {})).toMatchObject({ proxy: {} });
  });

  it('is rejected where the environment is wrong, and names the variable', async () => {
    const [diagnostic] = await refusal(CONFIG, { HTTPS_PROXY: 'http://a b' });
    expect(diagnostic).toMatchObject({ summary: 'The proxy setting is not an http or https URL.' });
    expect(diagnostic).not.toHaveProperty('path');
    expect(await refusal({ ...CONFIG, ca_file: import.meta.filename })).toMatchObject([
      { path: ['ca_file'], detail: expect.stringMatching(/`ca_file`/) },
    ]);
  });

  it('lifts a limit only when configured', () => {
    expect([parseLogPages(CONFIG), parseLogPages({ ...CONFIG, max_log_pages: 9 })]).toEqual([undefined, 9]);
    expect(() => parseLogPages({ ...CONFIG, max_log_pages: 0.5 })).toThrow('must be a whole number');
    expect(parseLimits(CONFIG)).toEqual({});
    expect(parseLimits({ ...CONFIG, allow_unknown_groups: true, allow_unknown_models: false })).toEqual({
      allowUnknownGroups: true,
    });
  });

  it('may be known only after an apply', async () => {
    const configured = keyplaneProvider({}, () => 0).configure(
      { ...CONFIG, url: UNKNOWN },
      new AbortController().signal,
    );
    expect(await configured).toBeUndefined();
  });

  it.each(['access_token', 'models_key'])('shows %s in no message, and marks it as sensitive', async (name) => {
    const diagnostics = await refusal({ ...CONFIG, [name]: 'canary\nsecret' });
    expect(diagnostics).toMatchObject([{ path: [name] }]);
    expect(JSON.stringify(diagnostics)).not.toContain('canary');
    expect(PROVIDER_SCHEMA.attributes[name]).toMatchObject({ isSensitive: true });
  });
});

describe('the validation of the provider block', () => {
  const errorsOf = (config: TerraformObject) => keyplaneProvider({}, () => 0).validate?.({ ...NOTHING, ...config });

  it.each<[TerraformObject, string]>([
    [{ url: 'ftp://x' }, 'The gateway’s URL is not an http or https URL.'],
    [{ url: '' }, 'The gateway’s URL is not an http or https URL.'],
    [{ url: 'https://ann:secret@gateway.example.com' }, 'contains a user name or a password'],
    [{ user_id: 0 }, '`user_id` must be a whole number above 0'],
    [{ user_id: new ExactNumber('1.5') }, '`user_id` must be a whole number above 0'],
    [{ access_token: ' ' }, 'The system access token is empty.'],
    [{ access_token: 'two words' }, 'The system access token contains invalid characters'],
    [{ models_key: ' ' }, 'The API key for models is empty'],
    [{ models_key: 'two words' }, 'The API key for models contains invalid characters'],
    [{ ca_file: '/nowhere.pem' }, 'Cannot read /nowhere.pem'],
    [{ ca_file: 'package.json' }, 'it is not a PEM certificate'],
    [{ gateway_profile: 'newest' }, 'Cannot read newest'],
    [{ timeout: '5 min' }, '`timeout` is not a duration'],
    [{ timeout: '0s' }, '`timeout` is not a duration'],
    [{ timeout: '25d' }, '`timeout` is not a duration of at most a day'],
    [{ settle: 'soon' }, '`settle` is not a duration'],
    [{ lock: 'both' }, '`lock` must be one of gateway, file, none'],
    [{ lock_timeout: '-1s' }, '`lock_timeout` is not a duration'],
    [{ max_concurrency: -1 }, '`max_concurrency` must be a whole number above 0'],
    [{ max_log_pages: new ExactNumber('1e400') }, '`max_log_pages` must be a whole number above 0'],
  ])('rejects %j at its setting, without a gateway', async (config, summary) => {
    expect(await errorsOf(config)).toMatchObject([
      { severity: 'error', summary: expect.stringContaining(summary), path: Object.keys(config) },
    ]);
  });

  it('reports every error', async () => {
    const errors = await errorsOf({ url: 'gateway', user_id: 0.5, timeout: 'long', ca_file: '/nowhere.pem' });
    expect(errors?.map(({ path }) => path?.[0])).toEqual(['url', 'user_id', 'ca_file', 'timeout']);
  });

  it('accepts what is valid, omitted or unknown', async () => {
    const valid = { user_id: 42, timeout: '30s', settle: '0s', lock: 'file', lock_timeout: '0s', max_concurrency: 1 };
    expect(await errorsOf({ ...CONFIG, ...valid, gateway_profile: 'contract', max_log_pages: 9 })).toEqual([]);
    expect(await errorsOf({})).toEqual([]);
    expect(await errorsOf(Object.fromEntries(Object.keys(NOTHING).map((name) => [name, UNKNOWN])))).toEqual([]);
  });
});
