import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openConnections } from '../../src/delivery/index.ts';
import { Secret } from '../../src/domain/index.ts';
import { deliverSecret } from '../../src/reconcile/index.ts';
import { describeSink, FIRST, METADATA, SECOND, type SinkBody } from '../contract/sink-suite.ts';
import { openRemoteIn, quickClock, writesOf } from './remote.ts';
import { ALL_RIGHTS, IS_VAULT_NAMED, openNamedPeer, type VaultRights } from './servers/vault-peer.ts';
import { startVault, type VaultOptions } from './servers/vault-server.ts';

const PATH = 'apps/checkout';
const QUESTIONS = ['/v1/sys/capabilities-self'];

type Vault = Awaited<ReturnType<typeof startVault>>;

const sinkAt = (
  vault: Vault,
  more: object = {},
  options: { adopt?: boolean } = {},
  connections = openConnections({ clock: quickClock() }),
) =>
  openRemoteIn(
    { vault: { url: vault.url, path: PATH, as: 'api_key', ...more } },
    { VAULT_TOKEN: vault.token },
    options,
    { connections },
  );

async function start(options: VaultOptions = {}): Promise<SinkBody> {
  const vault = await startVault(options);
  return {
    open: (more) => sinkAt(vault, {}, more),
    readByOthers: async () => vault.live(PATH)?.api_key as string | undefined,
    writeByOthers: async (value) => vault.put(PATH, { ...vault.live(PATH), api_key: value }),
    readPublic: async () => JSON.stringify(vault.entries.get(PATH)?.custom),
    writes: async () => writesOf(vault, QUESTIONS),
    close: vault.close,
  };
}

describeSink({ title: 'Vault', start, isReadable: true, seesOverwrites: true, knowsOwner: true });
describeSink({
  title: 'Vault with a token that may not read values',
  start: () => start({ dataRights: ['create', 'update', 'patch'] }),
  isReadable: false,
  seesOverwrites: true,
  knowsOwner: true,
});

/** The same promises, kept by the server that the environment names. */
async function startNamed(data: VaultRights['data']): Promise<SinkBody> {
  const peer = await openNamedPeer({ ...ALL_RIGHTS, data });
  const askFor = async (part: string): Promise<Record<string, unknown>> => {
    const { json } = await peer.ask('GET', `secret/${part}/${peer.path}`, undefined, 'administrator');
    return ((json as { data?: Record<string, unknown> }).data ?? {}) as Record<string, unknown>;
  };
  const live = async () => (await askFor('data')).data as Record<string, unknown> | undefined;
  return {
    open: (more) =>
      openRemoteIn({ vault: { url: peer.url, path: peer.path, as: 'api_key' } }, { VAULT_TOKEN: peer.token }, more),
    readByOthers: async () => (await live())?.api_key as string | undefined,
    async writeByOthers(value) {
      const body = { data: { ...(await live()), api_key: value } };
      await peer.ask('POST', `secret/data/${peer.path}`, body, 'administrator');
    },
    readPublic: async () => JSON.stringify(await askFor('metadata')),
    async writes() {
      const { current_version: version, current_metadata_version: changes } = await askFor('metadata');
      return Number(version ?? 0) + Number(changes ?? 0);
    },
    close: peer.close,
  };
}

const WITHOUT_READ = ALL_RIGHTS.data.filter((right) => right !== 'read');
if (IS_VAULT_NAMED) {
  const traits = { seesOverwrites: true, knowsOwner: true };
  const title = 'Vault at KEYPLANE_ACCEPTANCE_VAULT_URL';
  describeSink({ title, start: () => startNamed(ALL_RIGHTS.data), isReadable: true, ...traits });
  describeSink({
    title: `${title}, with a token that may not read values`,
    start: () => startNamed(WITHOUT_READ),
    isReadable: false,
    ...traits,
  });
} else {
  it('Vault at KEYPLANE_ACCEPTANCE_VAULT_URL', (context) => context.skip('it is not set'));
}

describe('a sink in Vault', () => {
  let vault: Vault;
  const restart = async (options: VaultOptions): Promise<void> => {
    await vault.close();
    vault = await startVault(options);
  };
  beforeEach(async () => {
    vault = await startVault();
  });
  afterEach(() => vault.close());

  it('leaves the other entries of the secret and the custom metadata of others as they are', async () => {
    vault.put(PATH, { DB_PASSWORD: 'theirs', port: 5432 }, { team: 'payments' });
    await deliverSecret(sinkAt(vault), FIRST, { metadata: METADATA });
    await deliverSecret(sinkAt(vault), SECOND, { metadata: METADATA });
    expect(vault.live(PATH)).toEqual({ DB_PASSWORD: 'theirs', port: 5432, api_key: SECOND.reveal() });
    expect(vault.entries.get(PATH)?.custom).toMatchObject({ team: 'payments', 'managed-by': 'keyplane' });
    await sinkAt(vault).remove();
    expect(vault.live(PATH)).toEqual({ DB_PASSWORD: 'theirs', port: 5432 });
    expect(vault.entries.get(PATH)?.custom).toEqual({ team: 'payments' });
  });

  it('states the key, its owner and its labels in the custom metadata', async () => {
    await sinkAt(vault).write(FIRST, METADATA);
    expect(vault.entries.get(PATH)?.custom).toEqual({
      'managed-by': 'keyplane',
      'keyplane/api_key': expect.stringMatching(/^v1\.[\w-]{22}\.[\w-]{22} 1$/),
      'keyplane/api_key/key': 'prod-checkout',
      'keyplane/api_key/owner': 'team-search',
      'keyplane/api_key/labels': '{"team":"search"}',
    });
  });

  it.each([
    ['a no-break space', 'team\u00a0search'],
    ['a joiner', 'team-\u{1f469}\u200d\u{1f4bb}'],
    ['more than 512 bytes', '\u00e9'.repeat(300)],
  ])('delivers without an owner whose name Vault rejects: %s', async (_, owner) => {
    await deliverSecret(sinkAt(vault), FIRST, { metadata: { ...METADATA, owner } });
    expect(vault.live(PATH)).toEqual({ api_key: FIRST.reveal() });
    expect(vault.entries.get(PATH)?.custom).not.toHaveProperty('keyplane/api_key/owner');
  });

  it('states the key alone where it has no owner and no labels', async () => {
    await deliverSecret(sinkAt(vault), FIRST, { metadata: { key: 'lone' } });
    expect(Object.keys(vault.entries.get(PATH)?.custom ?? {})).toEqual([
      'managed-by',
      'keyplane/api_key/key',
      'keyplane/api_key',
    ]);
  });

  /** Writes as somebody else before some of the writes of values. */
  const beforeWrites = (times: number, interfere: () => void): void => {
    let left = times;
    vault.interfere = ({ method, path }) => {
      if (method !== 'PATCH' || !path.includes('/data/') || left === 0) return undefined;
      left -= 1;
      interfere();
      return undefined;
    };
  };

  it('throws `sink.stale` when somebody writes its entry between its read and its write, and keeps what they wrote', async () => {
    vault.put(PATH, { other: 'a' });
    beforeWrites(1, () => vault.put(PATH, { other: 'b', api_key: 'theirs' }));
    await expect(sinkAt(vault).write(FIRST, METADATA)).rejects.toMatchObject({ code: 'sink.stale' });
    expect(vault.live(PATH)).toEqual({ other: 'b', api_key: 'theirs' });
  });

  it('is written again where somebody writes another entry between its read and its write', async () => {
    vault.put(PATH, { other: 'a' });
    beforeWrites(5, () => vault.put(PATH, { other: 'b' }));
    await sinkAt(vault).write(FIRST, METADATA);
    expect(vault.live(PATH)).toEqual({ other: 'b', api_key: FIRST.reveal() });
  });

  it('gives up with `sink.stale` where somebody keeps writing other entries', async () => {
    vault.put(PATH, { other: 'a' });
    beforeWrites(6, () => vault.put(PATH, { other: 'b' }));
    await expect(sinkAt(vault).write(FIRST, METADATA)).rejects.toMatchObject({ code: 'sink.stale' });
    expect(vault.live(PATH)).toEqual({ other: 'b' });
  });

  it('is not written over a version of somebody else, where values cannot be read', async () => {
    await restart({ dataRights: ['create', 'update', 'patch'] });
    await sinkAt(vault).write(FIRST, METADATA);
    beforeWrites(1, () => vault.put(PATH, { api_key: 'theirs' }));
    await expect(sinkAt(vault).write(SECOND, METADATA)).rejects.toMatchObject({ code: 'sink.stale' });
    expect(vault.live(PATH)).toEqual({ api_key: 'theirs' });
  });

  it('is written by two runs at the same time, each with its own entries', async () => {
    const names = ['a', 'b', 'c', 'd'];
    await Promise.all([deliverAll(names.slice(0, 2)), deliverAll(names.slice(2))]);
    expect(await comparedLater(names)).toEqual(['current', 'current', 'current', 'current']);
  });

  it('writes after a deletion of its version, with the version as it is', async () => {
    await sinkAt(vault).write(FIRST, METADATA);
    const last = vault.entries.get(PATH)?.versions.at(-1);
    if (last) last.deletion_time = '2026-01-01T00:00:00Z';
    expect(await sinkAt(vault).compare(FIRST)).toBe('absent');
    await deliverSecret(sinkAt(vault), FIRST, { metadata: METADATA });
    expect(vault.live(PATH)).toEqual({ api_key: FIRST.reveal() });
  });

  it('keeps the other entries of a version that ends later, where the time of the server is unknown', async () => {
    await restart({ dataRights: ['create', 'update', 'patch'] });
    vault.put(PATH, { DB_PASSWORD: 'theirs' });
    const versions = { 1: { deletion_time: '2999-01-01T00:00:00Z', destroyed: false } };
    vault.interfere = ({ method, path }) =>
      method === 'GET' && path.includes('/metadata/')
        ? { status: 200, json: { data: { current_version: 1, versions } }, headers: { date: 'unknown' } }
        : undefined;
    await sinkAt(vault).write(FIRST, METADATA);
    expect(vault.live(PATH)).toEqual({ DB_PASSWORD: 'theirs', api_key: FIRST.reveal() });
  });

  it('refuses a secret that another program manages, unless it is adopted', async () => {
    vault.put(PATH, { other: 'a' }, { 'managed-by': 'external-secrets' });
    expect(await sinkAt(vault).probe()).toBe('foreign');
    await expect(deliverSecret(sinkAt(vault), FIRST, { metadata: METADATA })).rejects.toMatchObject({
      code: 'sink.foreign',
    });
    expect(vault.live(PATH)).toEqual({ other: 'a' });
    await deliverSecret(sinkAt(vault, {}, { adopt: true }), FIRST, { metadata: METADATA });
    expect(await sinkAt(vault).probe()).toBe('ours');
  });

  /** Delivers one secret to each entry in one run, and returns the sinks. */
  async function deliverAll(names: readonly string[]) {
    const connections = openConnections({ clock: quickClock() });
    const sinks = names.map((as) => sinkAt(vault, { as }, {}, connections));
    await Promise.all(sinks.map((sink, at) => deliverSecret(sink, secretOf(names[at]), { metadata: METADATA })));
  }
  const secretOf = (name = '') => new Secret(`sk-${name.repeat(40)}`);
  const comparedLater = (names: readonly string[]) =>
    Promise.all(names.map((as) => sinkAt(vault, { as }).compare(secretOf(as))));

  it('delivers several entries of one secret in one run', async () => {
    const names = ['a', 'b', 'c', 'd'];
    await deliverAll(names);
    expect(vault.live(PATH)).toEqual(Object.fromEntries(names.map((as) => [as, secretOf(as).reveal()])));
    for (const as of names) expect(vault.entries.get(PATH)?.custom).toHaveProperty([`keyplane/${as}/key`]);
  });

  it('delivers one entry after the other into a secret that the run made, without reading values', async () => {
    await restart({ dataRights: ['create', 'update', 'patch'] });
    const connections = openConnections({ clock: quickClock() });
    const deliver = (as: string) =>
      deliverSecret(sinkAt(vault, { as }, {}, connections), secretOf(as), { metadata: METADATA });
    await deliver('a');
    await deliver('b');
    vault.put(PATH, { ...vault.live(PATH), c: 'theirs' });
    await expect(deliver('c')).rejects.toMatchObject({ code: 'sink.foreign' });
    expect(vault.live(PATH)).toEqual({ a: secretOf('a').reveal(), b: secretOf('b').reveal(), c: 'theirs' });
  });

  it.each([
    ['', ['create', 'read', 'update', 'patch']],
    [', and a token that may not read values', ['create', 'update', 'patch']],
  ] as const)('waits for a standby that lags behind what the run wrote%s', async (_, dataRights) => {
    await restart({ lag: 3, dataRights });
    const names = ['a', 'b', 'c'];
    await deliverAll(names);
    expect(vault.live(PATH)).toEqual(Object.fromEntries(names.map((as) => [as, secretOf(as).reveal()])));
    // Whoever comes later meets reads that have caught up.
    for (let read = 0; read < 3; read += 1) await sinkAt(vault).probe();
    expect(await comparedLater(names)).toEqual(['current', 'current', 'current']);
  });

  it('does not wait for ever for custom metadata that somebody else has changed since', async () => {
    const sink = sinkAt(vault);
    await sink.write(FIRST, METADATA);
    vault.put(PATH, { api_key: FIRST.reveal() }, {});
    vault.entries.get(PATH)?.versions.pop();
    expect([await sink.compare(FIRST), await sink.probe()]).toEqual(['current', 'foreign']);
  });

  it('keeps the marks of more entries than one request can have', async () => {
    await restart({ dataRights: ['create', 'update', 'patch'] });
    const names = Array.from({ length: 70 }, (_, index) => `entry-${index}`);
    await deliverAll(names);
    expect(new Set(await comparedLater(names))).toEqual(new Set(['current']));
  });

  it('names the version of metadata where OpenBao requires it', async () => {
    await restart({ needsMetadataVersion: true });
    await deliverAll(['a', 'b']);
    expect(Object.keys(vault.entries.get(PATH)?.custom ?? {})).toEqual(
      expect.arrayContaining(['managed-by', 'keyplane/a', 'keyplane/b']),
    );
    await sinkAt(vault, { as: 'a' }).remove();
    expect(vault.live(PATH)).toEqual({ b: secretOf('b').reveal() });
  });

  it('keeps the custom metadata of others on a secret without versions', async () => {
    vault.entries.set(PATH, { versions: [], custom: { team: 'payments' } });
    await deliverSecret(sinkAt(vault), FIRST, { metadata: METADATA });
    expect(vault.entries.get(PATH)?.custom).toMatchObject({ team: 'payments', 'managed-by': 'keyplane' });
  });

  it('refuses a secret without versions that another program manages', async () => {
    vault.entries.set(PATH, { versions: [], custom: { 'managed-by': 'external-secrets' } });
    expect(await sinkAt(vault).probe()).toBe('foreign');
  });

  it('reports a store that does not exist before a key is created', async () => {
    await expect(sinkAt(vault, { mount: 'nowhere' }).probe()).rejects.toMatchObject({
      code: 'sink.refused',
      message: expect.stringContaining('no such store'),
    });
  });

  it('takes the longest name of an entry that custom metadata can hold, and reports a longer one', async () => {
    await deliverAll(['K'.repeat(112)]);
    await expect(sinkAt(vault, { as: 'K'.repeat(113) }).probe()).rejects.toMatchObject({ code: 'sink.refused' });
  });

  it('keeps two entries of one secret current that were written one after the other, without reading values', async () => {
    await restart({ dataRights: ['create', 'update', 'patch'] });
    await deliverSecret(sinkAt(vault), FIRST, { metadata: METADATA });
    await deliverSecret(sinkAt(vault, { as: 'second' }, { adopt: true }), SECOND, { metadata: METADATA });
    expect([
      await sinkAt(vault).compare(FIRST),
      await sinkAt(vault, { as: 'second' }).compare(SECOND),
      vault.live(PATH),
    ]).toEqual(['current', 'current', { api_key: FIRST.reveal(), second: SECOND.reveal() }]);
  });

  it('keeps an entry current when another one is removed, without reading values', async () => {
    await restart({ dataRights: ['create', 'update', 'patch'] });
    await deliverAll(['a', 'b']);
    await sinkAt(vault, { as: 'a' }).remove();
    expect(await sinkAt(vault, { as: 'b' }).compare(secretOf('b'))).toBe('current');
  });

  it('is removed where somebody writes another entry meanwhile, and not where they write this one', async () => {
    await deliverAll(['a', 'b']);
    beforeWrites(1, () => vault.put(PATH, { ...vault.live(PATH), b: 'theirs' }));
    await sinkAt(vault, { as: 'a' }).remove();
    expect(vault.live(PATH)).toEqual({ b: 'theirs' });
    beforeWrites(1, () => vault.put(PATH, { b: 'theirs, later' }));
    await expect(sinkAt(vault, { as: 'b' }).remove()).rejects.toMatchObject({ code: 'sink.stale' });
    expect(vault.live(PATH)).toEqual({ b: 'theirs, later' });
  });

  it.each([
    ['create', { dataRights: ['read', 'update', 'patch'] }],
    ['create', { metadataRights: ['read', 'patch'] }],
    ['patch', { metadataRights: ['create', 'read', 'update'] }],
    ['patch', { dataRights: ['create', 'read', 'update'] }],
  ] as const)('reports a missing capability “%s” before a key is created', async (right, options) => {
    await restart(options);
    await expect(sinkAt(vault).probe()).rejects.toMatchObject({
      code: 'sink.unauthorized',
      message: expect.stringContaining(`lacks the capability “${right}” on secret/`),
    });
    expect(writesOf(vault, QUESTIONS)).toBe(0);
  });

  it('is probed without knowledge of capabilities where the token may not ask for them', async () => {
    await restart({ isSilentAboutRights: true });
    expect(await sinkAt(vault).probe()).toBe('absent');
  });

  it('refuses a store of version 1, which would store something else', async () => {
    await restart({ kvVersion: '1' });
    await expect(sinkAt(vault).probe()).rejects.toMatchObject({ code: 'sink.refused' });
  });

  it('sends the namespace', async () => {
    await restart({ namespace: 'admin/team' });
    await expect(sinkAt(vault).probe()).rejects.toMatchObject({ code: 'sink.unauthorized' });
    expect(await sinkAt(vault, { namespace: 'admin/team' }).probe()).toBe('absent');
    await expect(sinkAt(vault, { namespace: 'admin/other' }).probe()).rejects.toMatchObject({ code: 'sink.refused' });
  });

  it('delivers nothing to a Vault that ignores the namespace', async () => {
    await restart({ isCommunity: true });
    const sink = sinkAt(vault, { namespace: 'team' });
    await expect(deliverSecret(sink, FIRST, { metadata: METADATA })).rejects.toMatchObject({
      code: 'sink.refused',
      message: expect.stringContaining('has no namespaces'),
    });
    expect(vault.entries.size).toBe(0);
  });

  it('reports a sealed Vault after a few attempts, in its own words', async () => {
    vault.state.isSealed = true;
    await expect(sinkAt(vault).compare(FIRST)).rejects.toMatchObject({
      code: 'sink.unreachable',
      message: expect.stringContaining('Vault responded with 503: Vault is sealed'),
    });
    expect(vault.requests.length).toBe(4);
  });

  it('waits as long as a quota of requests asks, and then succeeds', async () => {
    let isLimited = true;
    vault.interfere = () => {
      const answer = isLimited ? { status: 429, json: { errors: [] }, headers: { 'retry-after': '7' } } : undefined;
      isLimited = false;
      return answer;
    };
    const clock = quickClock();
    const target = { vault: { url: vault.url, path: PATH, as: 'api_key' } };
    const sink = openRemoteIn(target, { VAULT_TOKEN: vault.token }, {}, { clock });
    expect(await sink.compare(FIRST)).toBe('absent');
    expect(Math.max(...clock.waits)).toBeGreaterThanOrEqual(7000);
  });

  it('gives up with `sink.rate-limited` when the limit does not end', async () => {
    vault.interfere = () => ({ status: 429, json: { errors: ['request path "secret" exceeded'] } });
    await expect(sinkAt(vault).compare(FIRST)).rejects.toMatchObject({ code: 'sink.rate-limited' });
  });

  it('does not take a page for an answer', async () => {
    vault.interfere = () => ({ status: 200, html: '<html><title>Sign in</title></html>' });
    await expect(sinkAt(vault).compare(FIRST)).rejects.toMatchObject({
      code: 'sink.unexpected-answer',
      message: expect.stringContaining('a page titled “Sign in”'),
    });
  });

  it.each([
    ['an empty answer', { status: 200 }],
    ['an answer without a secret', { status: 200, json: { data: null } }],
  ])('does not take %s for a secret that does not exist', async (_, answer) => {
    vault.interfere = ({ method, path }) => (method === 'GET' && path.includes('/data/') ? answer : undefined);
    await expect(sinkAt(vault).compare(FIRST)).rejects.toMatchObject({ code: 'sink.unexpected-answer' });
  });

  it('follows no redirect with its token, and shows no token that the new address repeats', async () => {
    const thief = await startVault();
    vault.interfere = ({ path, headers }) => ({
      status: 307,
      headers: { location: `${thief.url}${path}/${headers['x-vault-token']}` },
    });
    const fault = await sinkAt(vault)
      .compare(FIRST)
      .catch((thrown) => thrown);
    expect(fault).toMatchObject({ code: 'sink.unexpected-answer', message: expect.stringContaining(thief.url) });
    expect(inspect(fault)).not.toContain(vault.token);
    expect(thief.requests).toEqual([]);
    await thief.close();
  });

  it('shows no secret that the error of a read repeats, however it is encoded', async () => {
    const encoded = Buffer.from(FIRST.reveal()).toString('base64');
    vault.interfere = () => ({ status: 400, json: { errors: [`${encoded} is not what was asked for`] } });
    const fault = await sinkAt(vault)
      .compare(FIRST)
      .catch((thrown) => thrown);
    expect(fault).toMatchObject({ code: 'sink.refused', message: expect.stringContaining('what was asked for') });
    expect(inspect(fault)).not.toContain(encoded.slice(4, 16));
  });

  it('finds out what became of a write whose answer was lost', async () => {
    vault.interfere = ({ method, path }) => (method === 'POST' && path.includes('/data/') ? 'cut-after' : undefined);
    expect(await deliverSecret(sinkAt(vault), FIRST, { metadata: METADATA })).toMatchObject({
      written: true,
      verified: true,
    });
    expect(vault.entries.get(PATH)?.versions.length).toBe(1);
  });

  it('shows neither the token nor the secret in an error that repeats both', async () => {
    vault.interfere = ({ path, method, headers, body }) =>
      method === 'POST' && path.includes('/data/')
        ? { status: 400, json: { errors: [`rejected ${JSON.stringify(body)} of ${headers['x-vault-token']}`] } }
        : undefined;
    const fault = await sinkAt(vault)
      .write(FIRST, METADATA)
      .catch((thrown) => thrown);
    expect(fault).toMatchObject({ code: 'sink.refused' });
    const shown = `${fault.message} ${fault.hint} ${JSON.stringify(fault.detail)}`;
    for (const part of [FIRST.reveal().slice(3, 15), vault.token]) expect(shown).not.toContain(part);
  });

  it('names the variables of the credential when none is set', async () => {
    const sink = openRemoteIn({ vault: { url: vault.url, path: PATH, as: 'api_key' } }, {});
    await expect(sink.probe()).rejects.toMatchObject({
      code: 'sink.unauthorized',
      hint: expect.stringContaining('VAULT_TOKEN'),
    });
    expect(vault.requests).toEqual([]);
  });
});
