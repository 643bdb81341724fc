import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ALL_RIGHTS, IS_VAULT_NAMED, openNamedPeer, openOwnPeer, type VaultPeer } from './servers/vault-peer.ts';

const STALE = { status: 400, json: { errors: ['check-and-set parameter did not match the current version'] } };
const named = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'v']));

/** The behaviour of a server that the sink depends on: rows of decision 38. */
function describeVault(title: string, open: typeof openOwnPeer): void {
  describe(title, () => {
    let peer: VaultPeer;
    let data: string;
    let metadata: string;
    beforeEach(async () => {
      peer = await open(ALL_RIGHTS);
      [data, metadata] = ['data', 'metadata'].map((part) => `secret/${part}/${peer.path}`) as [string, string];
    });
    afterEach(() => peer.close());

    const write = (cas: number, more: object = { a: 'x' }) => peer.ask('POST', data, { options: { cas }, data: more });
    const patch = (cas: number, more: object) => peer.ask('PATCH', data, { options: { cas }, data: more });
    const annotate = (method: 'POST' | 'PATCH', custom_metadata: object) =>
      peer.ask(method, metadata, { custom_metadata });
    const custom = async () => {
      const { json } = await peer.ask('GET', metadata);
      return (json as { data: { custom_metadata: Record<string, string> } }).data.custom_metadata;
    };

    it('answers about a missing secret with 404 and no reason', async () => {
      const missing = { status: 404, json: { errors: [] } };
      expect([await peer.ask('GET', data), await peer.ask('GET', metadata)]).toEqual([missing, missing]);
      const empty = { status: 404, json: undefined };
      expect([await patch(1, { a: 'x' }), await annotate('PATCH', { a: 'x' })]).toEqual([empty, empty]);
    });

    it('answers about a missing store with 404 and a reason', async () => {
      expect(await peer.ask('GET', 'nowhere/data/x', undefined, 'administrator')).toEqual({
        status: 404,
        json: { errors: [expect.stringContaining('no handler for route')] },
      });
    });

    it('answers about a secret without versions as about a missing one, and has its metadata', async () => {
      await annotate('POST', { team: 'payments' });
      expect(await peer.ask('GET', data)).toEqual({ status: 404, json: { errors: [] } });
      expect(await patch(0, { a: 'x' })).toEqual({ status: 404, json: undefined });
      expect(await peer.ask('GET', metadata)).toMatchObject({
        status: 200,
        json: { data: { current_version: 0, custom_metadata: { team: 'payments' }, versions: {} } },
      });
    });

    it('numbers versions, and rejects a write of another one', async () => {
      expect(await write(0)).toMatchObject({ status: 200, json: { data: { version: 1, destroyed: false } } });
      expect([await write(0), await patch(2, { b: 'y' })]).toMatchObject([STALE, STALE]);
      expect(await patch(1, { b: 'y' })).toMatchObject({ status: 200, json: { data: { version: 2 } } });
    });

    it('merges a patch, in which null removes, and keeps entries of any kind', async () => {
      const others = { n: 5432, flag: true, nothing: null, nested: { list: [1, null], none: null } };
      await write(0, { a: 'x', b: 'y', ...others });
      await patch(1, { a: null, c: 'z' });
      expect(await peer.ask('GET', data)).toMatchObject({
        status: 200,
        json: { data: { data: { b: 'y', c: 'z', ...others }, metadata: { version: 2, custom_metadata: null } } },
      });
    });

    it('answers about a deleted and a destroyed version with 404 and its facts', async () => {
      await write(0);
      await peer.ask('DELETE', data);
      const deleted = await peer.ask('GET', data);
      const facts = { version: 1, deletion_time: expect.stringMatching(/^20.+Z$/), destroyed: false };
      expect(deleted).toMatchObject({ status: 404, json: { data: { data: null, metadata: facts } } });
      expect([await patch(1, {}), await patch(7, {})]).toMatchObject([{ status: 404, json: { data: facts } }, STALE]);
      await write(1);
      await peer.ask('POST', `secret/destroy/${peer.path}`, { versions: [2] }, 'administrator');
      expect(await peer.ask('GET', data)).toMatchObject({
        status: 404,
        json: { data: { data: null, metadata: { version: 2, destroyed: true } } },
      });
    });

    it('replaces custom metadata by a POST, and merges them by a PATCH', async () => {
      await annotate('POST', { a: 'x', b: 'y' });
      await annotate('POST', { c: 'z' });
      expect(await custom()).toEqual({ c: 'z' });
      expect((await annotate('PATCH', { d: 'w', c: null, none: null })).status).toBe(204);
      expect(await custom()).toEqual({ d: 'w' });
    });

    it.each([
      ['a name of 129 bytes', { ['k'.repeat(129)]: 'v' }],
      ['a value of 513 bytes', { k: 'v'.repeat(513) }],
      ['an empty value', { k: '' }],
      ['a no-break space', { k: 'a\u00a0b' }],
      ['a joiner', { k: 'a\u200db' }],
      ['65 pairs', named(65)],
    ])('rejects custom metadata with %s', async (_, pairs) => {
      await annotate('POST', { team: 'payments' });
      expect([(await annotate('POST', pairs)).status, (await annotate('PATCH', pairs)).status]).toEqual([400, 400]);
    });

    it('takes names of 128 and values of 512 bytes, and any number of pairs by patches of at most 64', async () => {
      await annotate('POST', { ['k'.repeat(128)]: 'v'.repeat(512), umlaut: 'ü'.repeat(256) });
      expect((await annotate('PATCH', named(64))).status).toBe(204);
      expect(Object.keys(await custom())).toHaveLength(66);
    });

    it('shows the capabilities of the token', async () => {
      const answer = await peer.ask('POST', 'sys/capabilities-self', { paths: [data, 'secret/data/other'] });
      expect(answer).toMatchObject({
        status: 200,
        json: { data: { [data]: expect.arrayContaining(['create', 'patch', 'read']), 'secret/data/other': ['deny'] } },
      });
    });

    it('shows the version of the store to a token with rights below it', async () => {
      expect(await peer.ask('GET', `sys/internal/ui/mounts/secret/${peer.path}`)).toMatchObject({
        status: 200,
        json: { data: { type: 'kv', options: { version: '2' } } },
      });
      expect((await peer.ask('GET', 'sys/internal/ui/mounts/nowhere/x')).status).toBe(403);
    });

    it('rejects what the policy does not allow', async () => {
      expect(await peer.ask('GET', 'secret/data/of-others')).toEqual({
        status: 403,
        json: { errors: [expect.stringContaining('permission denied')] },
      });
    });
  });
}

describeVault('the server of the tests of Vault', openOwnPeer);
if (IS_VAULT_NAMED) describeVault('the Vault of KEYPLANE_ACCEPTANCE_VAULT_URL', openNamedPeer);
else it('the Vault of KEYPLANE_ACCEPTANCE_VAULT_URL', (context) => context.skip('it is not set'));
