import { describe, expect, it } from 'vitest';
import { Fault } from '../../../src/domain/index.ts';
import { type ClaimTerms, type ClaimWorld, openSharedClaim } from '../../../src/engine/index.ts';
import type { ClaimStore } from '../../../src/reconcile/index.ts';
import { startReferenceGateway } from '../../../src/reference/index.ts';
import { KEY_RESOURCE } from '../../../src/terraform/keyplane/key/resource.ts';
import { keyplaneProvider } from '../../../src/terraform/keyplane/provider.ts';
import { parseLockTimeout } from '../../../src/terraform/keyplane/settings.ts';
import { plannedBySchema } from '../../../src/terraform/provider/planned.ts';
import { RunTime } from '../../contract/lock-time.ts';
import { faultOf, MemoryClaims } from '../../contract/memory-claims.ts';
import { budgetOf, configOf } from './core.ts';

const { signal } = new AbortController();

function worldOf(host: string, more: Partial<ClaimWorld> = {}) {
  const note = { process: 7, host: `${host}.example.com`, since: 1_800_000_000 };
  return { holder: async () => note, ...more, time: new RunTime() };
}

const TERMS = { timeoutSeconds: 0, settleSeconds: 0 };

describe('the claim of a run of Terraform', () => {
  it('is placed once for all resources, keeps others out, and is removed at the end', async () => {
    const claims = new MemoryClaims();
    const mine = openSharedClaim(claims, TERMS, worldOf('mine'));
    await Promise.all([mine.take(signal), mine.take(signal), mine.take(signal)]);
    expect([...claims.stored.values()].map((note) => note?.host)).toEqual(['mine.example.com']);
    await mine.ensureHeld();
    const other = openSharedClaim(claims, TERMS, worldOf('other'));
    expect(await faultOf(other.take(signal))).toMatchObject({ code: 'apply.locked' });
    await other.release();
    await mine.release();
    expect(claims.stored.size).toBe(0);
  });

  it('is held until another run has taken it, also while this one was paused', async () => {
    const claims = new MemoryClaims();
    const world = worldOf('mine');
    const mine = openSharedClaim(claims, TERMS, world);
    expect(await mine.isHeld()).toBe(false);
    await mine.take(signal);
    expect(await mine.isHeld()).toBe(true);
    world.time.sleepMachine(3_600_000);
    expect(await mine.isHeld()).toBe(true);
    claims.stored.clear();
    world.time.sleepMachine(3_600_000);
    expect(await mine.isHeld()).toBe(false);
    await mine.release();
    expect(await mine.isHeld()).toBe(false);
  });

  it('waits for another run as long as the configuration allows', async () => {
    const claims = new MemoryClaims();
    const mine = openSharedClaim(claims, TERMS, worldOf('mine'));
    await mine.take(signal);
    const waits: unknown[] = [];
    const world = worldOf('other', { onWait: (wait) => waits.push(wait) });
    const other = openSharedClaim(claims, { ...TERMS, timeoutSeconds: 300 }, world);
    world.time.onSleep = () => mine.release();
    await other.take(signal);
    expect(waits).toMatchObject([{ holder: { host: 'mine.example.com' }, seconds: 300 }]);
    await other.release();
  });

  it('is given up where it would take the place of a new key, and left where a create may still take effect', async () => {
    const claims = new MemoryClaims();
    const messages: string[] = [];
    const full = openSharedClaim(claims, TERMS, worldOf('mine', { onUnavailable: (text) => messages.push(text) }));
    await full.take(signal);
    await Promise.all([full.forgo(), full.forgo()]);
    await full.take(signal);
    expect([claims.stored.size, messages.length]).toEqual([0, 1]);
    const interrupted = openSharedClaim(claims, TERMS, worldOf('mine'));
    await interrupted.take(signal);
    interrupted.leaveAtEnd();
    await interrupted.release();
    expect(claims.stored.size).toBe(1);
  });

  it('is left out where the gateway cannot hold it', async () => {
    const claims = new MemoryClaims();
    claims.hook = () => {
      throw new Fault('apply.lock-unavailable', 'The account is full.');
    };
    const messages: string[] = [];
    const mine = openSharedClaim(claims, TERMS, worldOf('mine', { onUnavailable: (text) => messages.push(text) }));
    await mine.take(signal);
    await mine.ensureHeld();
    await mine.release();
    expect(messages).toEqual(['The account is full.']);
  });

  it.each([
    [{ lock: null }, {}, 600],
    [{ lock: null, settle: '10m' }, {}, 1080],
    [{ lock: null, lock_timeout: '0s' }, {}, 0],
    [{ lock: null, lock_timeout: null }, { KEYPLANE_LOCK_TIMEOUT: '5m' }, 300],
    [{ lock: 'none' }, { KEYPLANE_LOCK: 'gateway' }, undefined],
    [{ lock: null }, { KEYPLANE_LOCK: 'file' }, undefined],
  ])('is configured by %j and %j', (config, env, seconds) => {
    expect(parseLockTimeout({ lock_timeout: null, ...config }, env)).toBe(seconds);
  });

  it('is one for all aliases of an account in one process, which else would wait for each other until the end', async () => {
    const seed = { accounts: [{ userId: 42, accessToken: 'tok' }] };
    const gateway = await startReferenceGateway({ seed, profile: 'deployed' });
    const env = { KEYPLANE_SETTLE: '0s', KEYPLANE_LOCK_TIMEOUT: '0s' };
    const provider = keyplaneProvider(env, () => Math.floor(Date.now() / 1000), {
      openClaim: (claims, terms) => openSharedClaim(claims, terms, worldOf('mine')),
    });
    const without = Object.fromEntries(Object.keys(provider.schema.attributes).map((name) => [name, null]));
    const settings = { ...without, user_id: 42, access_token: 'tok' };
    const urls = [gateway.url, `${gateway.url.replace('127.0.0.1', 'localhost')}/`];
    const clients = await Promise.all(urls.map((url) => provider.configure({ ...settings, url }, signal)));
    for (const [n, client] of clients.entries()) {
      if (!client) throw new Error('it was not configured');
      const config = configOf({ name: `key-${n}`, enabled: true, budget: budgetOf({ quota: 5 }) });
      const context = { client, signal, warn: () => {} };
      const proposed = { prior: undefined, config, planned: plannedBySchema(KEY_RESOURCE.schema, config, undefined) };
      const planned = await KEY_RESOURCE.plan(proposed, context);
      expect(await KEY_RESOURCE.create({ ...proposed, planned }, context)).toMatchObject({ diagnostics: [] });
      expect(await client.gateway.claims.list()).toHaveLength(1);
    }
    await provider.close();
    expect(await clients[0]?.gateway.claims.list()).toEqual([]);
    for (const client of clients) await client?.gateway.close();
    await gateway.close();
  });

  it.each([
    ['is placed before the first write, and not by a plan', 0, ['mine.example.com']],
    ['is not placed where it would take the last place for a key', 999, []],
  ])('%s', async (_, count, expected) => {
    const keys = Array.from({ length: count }, (_each, i) => ({ id: i + 1, name: `old-${i}`, unlimited_quota: true }));
    const seed = { accounts: [{ userId: 42, accessToken: 'tok' }], keys };
    const gateway = await startReferenceGateway({ seed, profile: 'deployed' });
    const openClaim = (claims: ClaimStore, terms: ClaimTerms) => openSharedClaim(claims, terms, worldOf('mine'));
    const provider = keyplaneProvider({ KEYPLANE_SETTLE: '0s' }, () => Math.floor(Date.now() / 1000), { openClaim });
    const without = Object.fromEntries(Object.keys(provider.schema.attributes).map((name) => [name, null]));
    const client = await provider.configure({ ...without, url: gateway.url, user_id: 42, access_token: 'tok' }, signal);
    if (!client) throw new Error('it was not configured');
    const held = async () => (await client.gateway.claims.list()).map(({ note }) => note?.host);
    const config = configOf({ name: 'a', enabled: true, budget: budgetOf({ quota: 5 }) });
    const context = { client, signal, warn: () => {} };
    const proposed = { prior: undefined, config, planned: plannedBySchema(KEY_RESOURCE.schema, config, undefined) };
    const planned = await KEY_RESOURCE.plan(proposed, context);
    expect(await held()).toEqual([]);
    expect(await KEY_RESOURCE.create({ ...proposed, planned }, context)).toMatchObject({ diagnostics: [] });
    expect(await held()).toEqual(expected);
    expect((await client.store.walk()).map(({ name }) => name)).toContain('a');
    await provider.close();
    expect(await held()).toEqual([]);
    await client.gateway.close();
    await gateway.close();
  });
});
