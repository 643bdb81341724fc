import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type GitlabTarget, Secret } from '../../src/domain/index.ts';
import { deliverSecret } from '../../src/reconcile/index.ts';
import { describeSink, FIRST, METADATA, SECOND, type SinkBody } from '../contract/sink-suite.ts';
import { openRemoteIn, quickClock, writesOf } from './remote.ts';
import { type GitlabOptions, startGitlab } from './servers/gitlab-server.ts';

type Gitlab = Awaited<ReturnType<typeof startGitlab>>;
type Declared = Partial<GitlabTarget['gitlabVariable']>;

const sinkAt = (gitlab: Gitlab, declared: Declared = {}, more: { adopt?: boolean } = {}) =>
  openRemoteIn(
    { gitlabVariable: { url: gitlab.url, project: 'acme/shop', as: 'LLM_API_KEY', ...declared } },
    { GITLAB_TOKEN: gitlab.token },
    more,
  );

const theirs = (more: object = {}) => ({
  owner: 'projects/acme/shop',
  key: 'LLM_API_KEY',
  value: 'somebody-else',
  environment_scope: '*',
  masked: true,
  hidden: false,
  protected: false,
  raw: true,
  variable_type: 'env_var',
  description: null,
  ...more,
});

async function start(declared: Declared, owner: string): Promise<SinkBody> {
  const gitlab = await startGitlab();
  const hidden = declared.hidden === true;
  const held = () => gitlab.variables.find((each) => each.owner === owner);
  return {
    open: (more) => sinkAt(gitlab, declared, more),
    readByOthers: async () => held()?.value,
    async writeByOthers(value) {
      const own = held();
      if (own) Object.assign(own, { value, description: hidden ? 'by hand' : own.description });
      else
        gitlab.variables.push({ ...theirs({ owner, value, hidden, environment_scope: declared.environment ?? '*' }) });
    },
    readPublic: async () => JSON.stringify({ ...held(), value: undefined }),
    writes: async () => writesOf(gitlab),
    close: gitlab.close,
  };
}

const WHERE = { project: undefined, group: 'acme', environment: 'production' };
describeSink({
  title: 'GitLab, project',
  start: () => start({}, 'projects/acme/shop'),
  isReadable: true,
  seesOverwrites: true,
  knowsOwner: true,
});
describeSink({
  title: 'GitLab, group and environment, hidden',
  start: () => start({ ...WHERE, hidden: true }, 'groups/acme'),
  isReadable: false,
  // Somebody who overwrites the value and leaves the description is not noticed.
  seesOverwrites: false,
  knowsOwner: true,
});

describe('a sink in GitLab', () => {
  let gitlab: Gitlab;
  const restart = async (options: GitlabOptions): Promise<void> => {
    await gitlab.close();
    gitlab = await startGitlab(options);
  };
  beforeEach(async () => {
    gitlab = await startGitlab();
  });
  afterEach(() => gitlab.close());

  it('states fingerprint, key, owner and labels in the description, which is never too long', async () => {
    await sinkAt(gitlab).write(FIRST, METADATA);
    expect(gitlab.variables[0]?.description).toMatch(
      /^managed-by=keyplane fingerprint=v1\.\S+ key=prod-checkout owner=team-search labels=\{"team":"search"\}$/,
    );
    const labels = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`label-${index}`, 'x'.repeat(20)]));
    await sinkAt(gitlab).write(SECOND, { ...METADATA, labels });
    expect([gitlab.variables[0]?.description?.length, await sinkAt(gitlab).compare(SECOND)]).toEqual([255, 'current']);
  });

  it('creates a variable as declared: masked by default, protected, raw, in its scope', async () => {
    await sinkAt(gitlab, { environment: 'production', protected: true }).write(FIRST, METADATA);
    await sinkAt(gitlab, { environment: 'staging', masked: false }).write(SECOND, METADATA);
    expect(gitlab.variables).toMatchObject([
      { environment_scope: 'production', masked: true, protected: true, raw: true },
      { environment_scope: 'staging', masked: false, protected: false, raw: true },
    ]);
    expect(await sinkAt(gitlab).compare(FIRST)).toBe('absent');
    await sinkAt(gitlab, { environment: 'staging' }).remove();
    expect(gitlab.variables.map((each) => each.environment_scope)).toEqual(['production']);
  });

  it('notices that somebody unmasked the variable, and masks it again', async () => {
    await sinkAt(gitlab).write(FIRST, METADATA);
    Object.assign(gitlab.variables[0] ?? {}, { masked: false });
    expect(await sinkAt(gitlab).compare(FIRST)).toBe('other');
    await deliverSecret(sinkAt(gitlab), FIRST, { metadata: METADATA });
    expect(gitlab.variables[0]?.masked).toBe(true);
  });

  it('replaces the value of a hidden variable without naming its visibility, which GitLab rejects', async () => {
    const hidden = { hidden: true };
    await deliverSecret(sinkAt(gitlab, hidden), FIRST, { metadata: METADATA });
    expect(await deliverSecret(sinkAt(gitlab, hidden), SECOND, { metadata: METADATA })).toEqual({
      verified: false,
      written: true,
    });
    expect(gitlab.variables).toMatchObject([{ hidden: true, masked: true, value: SECOND.reveal() }]);
  });

  it('does not put a secret that is declared hidden into a variable that is not', async () => {
    gitlab.variables.push(theirs());
    const sink = sinkAt(gitlab, { hidden: true }, { adopt: true });
    await expect(sink.probe()).rejects.toMatchObject({ code: 'sink.refused' });
    await expect(sink.write(FIRST, METADATA)).rejects.toMatchObject({ code: 'sink.refused' });
    expect(gitlab.variables[0]?.value).toBe('somebody-else');
  });

  it('finds its variable on a later page where the server ignores the filter', async () => {
    await restart({ ignoresFilter: true, pageSize: 2 });
    for (const scope of ['a', 'b', 'c', 'd']) gitlab.variables.push(theirs({ environment_scope: scope, value: scope }));
    gitlab.variables.push(theirs({ environment_scope: 'production', value: FIRST.reveal() }));
    expect(await sinkAt(gitlab, { environment: 'production' }).compare(FIRST)).toBe('current');
    expect(gitlab.requests.filter(({ query }) => query.has('page')).map(({ query }) => query.get('page'))).toEqual([
      '1',
      '2',
      '3',
    ]);
  });

  it('does not take the variable of another scope for its own', async () => {
    await restart({ ignoresFilter: true });
    gitlab.variables.push(theirs({ environment_scope: 'staging' }));
    expect(await sinkAt(gitlab, { environment: 'production' }).probe()).toBe('absent');
  });

  it('distinguishes a project that the token cannot see from a variable that is missing', async () => {
    await expect(sinkAt(gitlab, { project: 'acme/other' }).compare(FIRST)).rejects.toMatchObject({
      code: 'sink.refused',
      message: expect.stringContaining('GitLab has no project acme/other, or the token may not see its variables'),
    });
  });

  it('reports a token that may only read before a key is created', async () => {
    await restart({ scopes: ['read_api'] });
    await expect(sinkAt(gitlab).probe()).rejects.toMatchObject({ code: 'sink.unauthorized' });
    expect(writesOf(gitlab)).toBe(0);
  });

  it('reports a rejected token, without it', async () => {
    const sink = openRemoteIn(
      { gitlabVariable: { url: gitlab.url, project: 'acme/shop', as: 'A' } },
      { GITLAB_TOKEN: 'glpat-wrong-wrong-wrong-1' },
    );
    const fault = await sink.probe().catch((thrown) => thrown);
    expect(fault).toMatchObject({ code: 'sink.unauthorized', message: expect.stringContaining('401 Unauthorized') });
    expect(`${fault.message}${JSON.stringify(fault.detail)}`).not.toContain('wrong-wrong');
  });

  it('throws `sink.stale` when somebody creates the variable at the same moment, and leaves theirs', async () => {
    gitlab.interfere = ({ method }) => {
      if (method === 'POST') gitlab.variables.push(theirs());
      return undefined;
    };
    await expect(sinkAt(gitlab).write(FIRST, METADATA)).rejects.toMatchObject({ code: 'sink.stale' });
    expect(gitlab.variables.map(({ value }) => value)).toEqual(['somebody-else']);
  });

  it.each(['projects', 'groups'] as const)(
    'throws `sink.stale` when a variable of %s is gone before its update',
    async (kind) => {
      const declared = kind === 'groups' ? { project: undefined, group: 'acme' } : {};
      await sinkAt(gitlab, declared).write(FIRST, METADATA);
      gitlab.interfere = ({ method }) => {
        if (method === 'PUT') gitlab.variables.splice(0);
        return undefined;
      };
      await expect(sinkAt(gitlab, declared).write(SECOND, METADATA)).rejects.toMatchObject({ code: 'sink.stale' });
    },
  );

  it('reports that GitLab changed the variable of another scope, because the own one was deleted', async () => {
    const declared = { project: undefined, group: 'acme', environment: 'production' };
    await sinkAt(gitlab, declared).write(FIRST, METADATA);
    gitlab.variables.push(theirs({ owner: 'groups/acme', environment_scope: 'staging' }));
    gitlab.interfere = ({ method }) => {
      if (method === 'PUT') gitlab.variables.splice(0, 1);
      return undefined;
    };
    await expect(sinkAt(gitlab, declared).write(SECOND, METADATA)).rejects.toMatchObject({
      code: 'sink.stale',
      hint: expect.stringContaining('staging'),
    });
  });

  it.each([
    ['environment', { isFree: true }, { project: undefined, group: 'acme', environment: 'production' }],
    ['hidden', { isOld: true }, { hidden: true }],
  ] as const)('leaves no variable behind where GitLab ignores `%s`', async (setting, options, declared) => {
    await restart(options);
    const refused = { code: 'sink.refused', message: expect.stringContaining(setting) };
    await expect(deliverSecret(sinkAt(gitlab, declared), FIRST, { metadata: METADATA })).rejects.toMatchObject(refused);
    expect(gitlab.variables).toEqual([]);
  });

  const scoped = { project: undefined, group: 'acme', environment: 'production' };

  it('reports a variable that it cannot delete again', async () => {
    await restart({ isFree: true });
    gitlab.interfere = ({ method }) =>
      method === 'DELETE' ? { status: 403, json: { message: '403 Forbidden' } } : undefined;
    await expect(sinkAt(gitlab, scoped).write(FIRST, METADATA)).rejects.toMatchObject({
      code: 'sink.refused',
      message: expect.stringMatching(/could not be deleted: .*403/),
      hint: expect.stringContaining('rotate the key'),
    });
  });

  it('reports what a killed run left for every environment', async () => {
    await restart({ isFree: true });
    const everywhere = { ...scoped, environment: undefined };
    await sinkAt(gitlab, everywhere).write(FIRST, METADATA);
    const before = structuredClone(gitlab.variables);
    const refused = { code: 'sink.refused', message: expect.stringContaining('every environment') };
    await expect(sinkAt(gitlab, scoped).write(FIRST, METADATA)).rejects.toMatchObject(refused);
    await expect(sinkAt(gitlab, scoped).write(SECOND, METADATA)).rejects.toMatchObject({ code: 'sink.stale' });
    expect(gitlab.variables).toEqual(before);
  });

  it('masks a secret with any characters but white space, as it is not expanded', async () => {
    const secret = new Secret('sk-$with-{special}#characters');
    await sinkAt(gitlab).write(secret, METADATA);
    expect(gitlab.variables).toMatchObject([{ masked: true, value: secret.reveal() }]);
  });

  it('shows the reason of a rejection, without the value', async () => {
    gitlab.interfere = ({ method, body }) =>
      method === 'POST'
        ? { status: 400, json: { message: { value: [`is invalid: ${JSON.stringify(body)}`] } } }
        : undefined;
    const fault = await sinkAt(gitlab)
      .write(FIRST, METADATA)
      .catch((thrown) => thrown);
    expect(fault).toMatchObject({ code: 'sink.refused', message: expect.stringContaining('is invalid') });
    expect(`${fault.message}${JSON.stringify(fault)}`).not.toContain(FIRST.reveal().slice(3, 15));
  });

  it('waits for a limit as long as the server asks', async () => {
    let isFirst = true;
    gitlab.interfere = () => {
      const limited = isFirst ? { status: 429, html: 'Retry later\n', headers: { 'retry-after': '12' } } : undefined;
      isFirst = false;
      return limited;
    };
    const clock = quickClock();
    const target = { gitlabVariable: { url: gitlab.url, project: 'acme/shop', as: 'A' } };
    expect(await openRemoteIn(target, { GITLAB_TOKEN: gitlab.token }, {}, { clock }).compare(FIRST)).toBe('absent');
    expect(Math.max(...clock.waits)).toBeGreaterThanOrEqual(12_000);
  });

  it.each(['cut-before', 'cut-after'] as const)(
    'finds out what became of a create whose connection ended: %s',
    async (cut) => {
      gitlab.interfere = ({ method }) => (method === 'POST' ? cut : undefined);
      const delivered = await deliverSecret(sinkAt(gitlab), FIRST, { metadata: METADATA }).catch(({ code }) => code);
      expect(delivered).toEqual(cut === 'cut-after' ? expect.objectContaining({ written: true }) : 'sink.unreachable');
      expect(gitlab.variables.length).toBe(cut === 'cut-after' ? 1 : 0);
    },
  );

  it.each([
    ['the page of a proxy', { status: 404, html: '<html><title>Not here</title></html>' }],
    ['an empty answer', { status: 200 }],
  ])('does not take %s for a missing variable', async (_, answer) => {
    gitlab.interfere = () => answer;
    await expect(sinkAt(gitlab).compare(FIRST)).rejects.toMatchObject({ code: 'sink.unexpected-answer' });
  });
});
