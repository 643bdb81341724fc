import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { GithubTarget } from '../../src/domain/index.ts';
import { deliverSecret } from '../../src/reconcile/index.ts';
import { describeSink, FIRST, METADATA, SECOND, type SinkBody } from '../contract/sink-suite.ts';
import { openRemoteIn, quickClock, writesOf } from './remote.ts';
import type { ApiAnswer } from './servers/api-server.ts';
import { type GithubOptions, startGithub } from './servers/github-server.ts';

type Github = Awaited<ReturnType<typeof startGithub>>;
type Declared = Partial<GithubTarget['githubSecret']>;

const targetAt = (github: Github, declared: Declared = {}): GithubTarget => ({
  githubSecret: { url: github.url, repository: 'acme/shop', as: 'LLM_API_KEY', ...declared },
});

const sinkAt = (github: Github, declared: Declared = {}, more: { adopt?: boolean } = {}) =>
  openRemoteIn(targetAt(github, declared), { GH_ENTERPRISE_TOKEN: github.token }, more);

const REPOSITORY = '/repos/acme/shop/actions';
const ENVIRONMENT = '/repos/acme/shop/environments/production%20eu';

async function start(declared: Declared, at: string): Promise<SinkBody> {
  const github = await startGithub();
  const path = `${at}/secrets/LLM_API_KEY`;
  return {
    open: (more) => sinkAt(github, declared, more),
    readByOthers: async () => github.secrets.get(path)?.value,
    writeByOthers: async (value) => github.put(path, value),
    readPublic: async () => JSON.stringify([...github.variables, github.secrets.get(path)?.sealed]),
    writes: async () => writesOf(github),
    close: github.close,
  };
}

const TRAITS = { isReadable: false, seesOverwrites: true, knowsOwner: true };
describeSink({ title: 'GitHub, repository', start: () => start({}, REPOSITORY), ...TRAITS });
describeSink({
  title: 'GitHub, environment',
  start: () => start({ environment: 'production eu' }, ENVIRONMENT),
  ...TRAITS,
});

describe('a sink in GitHub', () => {
  let github: Github;
  const restart = async (options: GithubOptions): Promise<void> => {
    await github.close();
    github = await startGithub(options);
  };
  const tag = (): string | undefined => github.variables.get(`${REPOSITORY}/variables/KEYPLANE_FP_LLM_API_KEY`)?.value;
  beforeEach(async () => {
    github = await startGithub();
  });
  afterEach(() => github.close());

  /** Answers the first write of this kind in another way, once. */
  const once = (method: string, part: string, answer: ApiAnswer | 'cut-before' | 'cut-after'): void => {
    let isFirst = true;
    github.interfere = (request) => {
      if (!isFirst || request.method !== method || !request.path.includes(part)) return undefined;
      isFirst = false;
      return answer;
    };
  };

  it('does not replace a secret of somebody else that an empty answer hides', async () => {
    const path = `${REPOSITORY}/secrets/LLM_API_KEY`;
    github.put(path, 'theirs');
    github.interfere = ({ method, path: asked }) => (method === 'GET' && asked === path ? { status: 200 } : undefined);
    await expect(deliverSecret(sinkAt(github), FIRST, { metadata: METADATA })).rejects.toMatchObject({
      code: 'sink.unexpected-answer',
    });
    expect(github.secrets.get(path)?.value).toBe('theirs');
  });

  it('states fingerprint, time, key, owner and labels in a variable', async () => {
    await sinkAt(github).write(FIRST, METADATA);
    const { updated_at } = github.secrets.get(`${REPOSITORY}/secrets/LLM_API_KEY`) ?? {};
    expect(tag()).toMatch(
      /^managed-by=keyplane fingerprint=v1\.\S+ updated=\S+ key=prod-checkout owner=team-search labels=\{"team":"search"\}$/,
    );
    expect(tag()).toContain(`updated=${updated_at} `);
  });

  it('sends a sealed box that differs each time, and never the secret', async () => {
    await sinkAt(github).write(FIRST, METADATA);
    const first = github.secrets.get(`${REPOSITORY}/secrets/LLM_API_KEY`)?.sealed;
    await sinkAt(github).write(SECOND, METADATA);
    await sinkAt(github).write(FIRST, METADATA);
    expect(github.secrets.get(`${REPOSITORY}/secrets/LLM_API_KEY`)?.sealed).not.toBe(first);
    expect(JSON.stringify(github.requests)).not.toContain(FIRST.reveal().slice(3, 20));
  });

  it.each([
    [
      'a secondary limit with a header',
      { status: 403, json: { message: 'slow down' }, headers: { 'retry-after': '45' } },
      45_000,
    ],
    [
      'a secondary limit that only the text names',
      { status: 403, json: { message: 'You have exceeded a secondary rate limit.' } },
      60_000,
    ],
    [
      'a primary limit',
      {
        status: 403,
        json: { message: 'API rate limit exceeded' },
        headers: {
          date: 'Wed, 25 Nov 2026 12:00:00 GMT',
          'x-ratelimit-remaining': '0',
          'x-ratelimit-reset': '1795608090',
        },
      },
      90_000,
    ],
    ['a 429', { status: 429, json: { message: 'Too many' } }, 60_000],
  ] as const)('waits for the end of %s, and then writes once', async (_title, answer, ms) => {
    once('PUT', '/secrets/', answer);
    const clock = quickClock();
    const sink = openRemoteIn(targetAt(github), { GH_ENTERPRISE_TOKEN: github.token }, {}, { clock });
    expect(await deliverSecret(sink, FIRST, { metadata: METADATA })).toMatchObject({ written: true });
    expect(clock.waits.filter((wait) => wait >= ms && wait < ms + 2000)).toHaveLength(1);
    expect(await sinkAt(github).compare(FIRST)).toBe('current');
  });

  it('gives up when a limit would last longer than its patience', async () => {
    github.interfere = () => ({
      status: 403,
      json: { message: 'secondary rate limit' },
      headers: { 'retry-after': '3000' },
    });
    await expect(sinkAt(github).compare(FIRST)).rejects.toMatchObject({ code: 'sink.rate-limited' });
    expect(github.requests).toHaveLength(1);
  });

  it('keeps a second between two writes', async () => {
    const clock = quickClock();
    const sink = openRemoteIn(targetAt(github), { GH_ENTERPRISE_TOKEN: github.token }, {}, { clock });
    await sink.write(FIRST, METADATA);
    expect(writesOf(github)).toBe(3);
    expect(clock.waits.filter((ms) => ms > 900)).toHaveLength(2);
  });

  it('reports a missing permission for variables before a key is created', async () => {
    await restart({ mayUseVariables: false });
    await expect(sinkAt(github).probe()).rejects.toMatchObject({
      code: 'sink.unauthorized',
      message: expect.stringContaining('Resource not accessible by personal access token'),
      hint: expect.stringContaining('“Variables”'),
    });
  });

  it('reports a classic token without its scope before a key is created', async () => {
    await restart({ scopes: 'read:org, gist' });
    await expect(sinkAt(github).probe()).rejects.toMatchObject({ code: 'sink.unauthorized' });
    await restart({ scopes: 'repo, gist' });
    expect(await sinkAt(github).probe()).toBe('absent');
  });

  it('distinguishes a repository or an environment that is missing from a secret that is', async () => {
    for (const declared of [{ repository: 'acme/other' }, { environment: 'nowhere' }]) {
      await expect(sinkAt(github, declared).probe()).rejects.toMatchObject({ code: 'sink.refused' });
    }
  });

  it('is written to again after a crash between the secret and its fingerprint, and does not look like a stranger’s', async () => {
    github.interfere = ({ method, path }) =>
      method === 'PATCH' && path.includes('/variables/') ? 'cut-before' : undefined;
    await sinkAt(github)
      .write(FIRST, METADATA)
      .catch(() => undefined);
    github.interfere = () => undefined;
    expect([await sinkAt(github).probe(), await sinkAt(github).compare(FIRST)]).toEqual(['ours', 'other']);
    await deliverSecret(sinkAt(github), FIRST, { metadata: METADATA });
    expect(await sinkAt(github).compare(FIRST)).toBe('current');
  });

  it('finds out what became of a write whose answer was lost', async () => {
    once('PUT', '/secrets/', 'cut-after');
    expect(await deliverSecret(sinkAt(github), FIRST, { metadata: METADATA })).toMatchObject({ written: true });
    expect(github.secrets.get(`${REPOSITORY}/secrets/LLM_API_KEY`)?.value).toBe(FIRST.reveal());
  });

  it('never states a fingerprint for a secret that GitHub accepted and did not store', async () => {
    await sinkAt(github).write(FIRST, METADATA);
    once('PUT', '/secrets/', { status: 204 });
    await expect(deliverSecret(sinkAt(github), SECOND, { metadata: METADATA })).rejects.toMatchObject({
      code: 'sink.not-kept',
    });
    expect(await sinkAt(github).compare(SECOND)).toBe('other');
    await deliverSecret(sinkAt(github), SECOND, { metadata: METADATA });
    expect(github.secrets.get(`${REPOSITORY}/secrets/LLM_API_KEY`)?.value).toBe(SECOND.reveal());
  });

  it('throws `sink.stale` when the public key was replaced meanwhile', async () => {
    once('PUT', '/secrets/', { status: 422, json: { message: 'The key_id does not match the public key' } });
    await expect(sinkAt(github).write(FIRST, METADATA)).rejects.toMatchObject({ code: 'sink.stale' });
  });

  it('makes its variable although somebody made it at the same moment', async () => {
    once('POST', '/variables', { status: 409, json: { message: 'Variable already exists' } });
    github.variables.set(`${REPOSITORY}/variables/KEYPLANE_FP_LLM_API_KEY`, { value: 'x', updated_at: 'then' });
    await sinkAt(github).write(FIRST, METADATA);
    expect(tag()).toContain('managed-by=keyplane');
  });

  it('does not send the token of github.com to another server', async () => {
    const sink = openRemoteIn(targetAt(github), { GH_TOKEN: github.token, GITHUB_TOKEN: github.token });
    await expect(sink.probe()).rejects.toMatchObject({
      code: 'sink.unauthorized',
      hint: expect.stringContaining('GH_ENTERPRISE_TOKEN'),
    });
    expect(github.requests).toEqual([]);
  });
});
