import { describe, expect, it } from 'vitest';
import { Fault, type ObservedKey } from '../../src/domain/index.ts';
import { createKeyplane, defineManifest, type KeyplaneEvent, type Plan } from '../../src/index.ts';
import { readPlan } from '../../src/library/index.ts';
import { renderSavedPlan } from '../../src/manifest/index.ts';
import { emptyAccount, live } from '../reconcile/account.ts';
import { CLOCK, declared, namesOf, openAccount, PRUNING, scratchFolder } from './account.ts';

const forty = Array.from({ length: 40 }, (_, i) => `k${i}`);

describe('the object that plans and applies', () => {
  it.each(['null', '{}', '{"gateway":null}', '{"store":{},"gateway":{}}'])(
    'is not opened with the options %s',
    (text) => {
      expect(() => createKeyplane(JSON.parse(text))).toThrow(expect.objectContaining({ code: 'usage.invalid' }));
    },
  );

  it.each([
    ['lock', 'gatway'],
    ['lock', {}],
    ['lockTimeoutMs', Number.NaN],
    ['settleMs', -1],
    ['concurrency', 0],
    ['maxLogPages', 1.5],
    ['clock', {}],
    ['sinks', 5],
    ['signal', {}],
    ['onEvent', 5],
    ['stateFolder', 5],
  ])('is not opened with %s: %o', (name, value) => {
    const open = () => createKeyplane({ store: emptyAccount(), [name]: value } as never);
    const message = expect.stringContaining(`\`${name}\``);
    expect(open).toThrow(expect.objectContaining({ code: 'usage.invalid', message }));
  });

  it('applies a manifest, and a plan that it made', async () => {
    const { keyplane, liveNames } = await openAccount(['a']);
    const first = await keyplane.apply(await declared(['a', 'b']));
    expect(first.outcomes).toMatchObject([{ state: 'applied' }, { state: 'applied' }]);
    const { plan } = await keyplane.plan(await declared(['a', 'b', 'c']));
    await keyplane.apply(plan);
    expect(liveNames()).toEqual(['a', 'b', 'c']);
  });

  it('does not apply a plan of another account', async () => {
    const one = await openAccount(forty);
    const two = await openAccount(forty);
    Object.assign(two.store, { account: { url: 'memory://other', userId: 1 } });
    const { plan } = await one.keyplane.plan(await declared(['x'], PRUNING), { allow: { deletes: 40, lastKey: true } });
    const applied = two.keyplane.apply(plan, { allow: { deletes: 40, lastKey: true } });
    await expect(applied).rejects.toMatchObject({ code: 'plan.foreign' });
    expect(two.liveNames()).toEqual(forty);
  });

  it('does not apply what the guard refuses, whether from a plan or a manifest', async () => {
    const { keyplane, liveNames } = await openAccount(forty);
    const manifest = await declared([], PRUNING);
    const { plan, refusals } = await keyplane.plan(manifest);
    expect(refusals.map(({ code }) => code)).toEqual(['guard.mass-change', 'guard.last-key']);
    await expect(keyplane.apply(plan)).rejects.toMatchObject({ code: 'guard.mass-change' });
    await expect(keyplane.apply(manifest)).rejects.toMatchObject({ code: 'guard.mass-change' });
    expect(liveNames()).toEqual(forty);
    await keyplane.apply(plan, { allow: { deletes: 40, lastKey: true } });
    expect(liveNames()).toEqual([]);
  });

  it('lifts the protection of the named keys alone', async () => {
    const { keyplane, store } = await openAccount(['x', 'y', 'z', 'a', 'b', 'c']);
    const off = { enabled: false } as const;
    const manifest = await declared([], { ownership: { protect: ['x', 'y'] }, keys: { x: off, y: off } });
    const partly = keyplane.apply(manifest, { allow: { protected: ['x'], deletes: 2, lastKey: true } });
    const message = 'A protected key would be disabled, deleted or renamed: “y”.';
    await expect(partly).rejects.toMatchObject({ code: 'guard.protected', message });
    await keyplane.apply(manifest, { allow: { protected: ['x', 'y'], deletes: 2, lastKey: true } });
    const disabled = [...store.records.values()].filter(({ status }) => status !== 1).map(({ name }) => name);
    expect(disabled).toEqual(['x', 'y']);
  });

  it('does not apply a stale plan', async () => {
    const { keyplane, store, liveNames } = await openAccount(['a', 'b', 'c', 'd']);
    const { plan } = await keyplane.plan(await declared(['a', 'b', 'c'], PRUNING));
    const [, , , d] = [...store.records.values()];
    Object.assign(d ?? {}, { name: 'somebody-else' });
    await expect(keyplane.apply(plan)).rejects.toMatchObject({ code: 'plan.stale' });
    expect(liveNames()).toHaveLength(4);
  });

  it('applies what was validated: nobody edits a manifest after it was read', async () => {
    const manifest = await declared(['a']);
    expect(() => Object.assign(manifest.desired.keys[0] ?? {}, { name: 'other' })).toThrow(TypeError);
    expect(() => Object.assign(manifest.desired.ownership, { protect: [] })).toThrow(TypeError);
    expect(() => Object.assign(manifest, { desired: {} })).toThrow(TypeError);
  });

  it('applies no copy of a plan, and no object that somebody has put together', async () => {
    const { keyplane, liveNames } = await openAccount(['a', 'b']);
    const manifest = await declared(['a', 'b', 'c']);
    const { plan } = await keyplane.plan(manifest);
    const forged: Plan = { ...plan, changes: [] };
    for (const subject of [forged, structuredClone(plan)]) {
      await expect(keyplane.apply(subject)).rejects.toMatchObject({ code: 'plan.unreadable' });
      await expect(keyplane.apply(subject, { manifest })).rejects.toMatchObject({ code: 'plan.unreadable' });
    }
    await expect(keyplane.apply({ ...manifest })).rejects.toMatchObject({ code: 'manifest.invalid' });
    await expect(keyplane.plan({ ...manifest })).rejects.toMatchObject({ code: 'manifest.invalid' });
    expect(() => Object.assign(plan, { changes: [] })).toThrow(TypeError);
    expect(() => Object.assign(manifest.desired.keys, [])).not.toThrow();
    expect(() => Object.assign(manifest.desired.keys[0] ?? {}, { name: 'b' })).toThrow(TypeError);
    expect(liveNames()).toEqual(['a', 'b']);
  });

  it('applies a saved plan, and only with the manifest that it was made from', async () => {
    const { keyplane, liveNames } = await openAccount([]);
    const manifest = await declared(['a']);
    const { plan } = await keyplane.plan(manifest);
    const text = renderSavedPlan(plan, manifest.desired);
    const other = keyplane.apply(await readPlan(text), { manifest: await declared(['b']) });
    await expect(other).rejects.toMatchObject({ code: 'plan.other-manifest' });
    await keyplane.apply(await readPlan(text));
    expect(liveNames()).toEqual(['a']);
  });

  it('makes each key once when two runs meet, and reports the lock that it waited for', async () => {
    const store = emptyAccount();
    const stateFolder = scratchFolder();
    const waits: string[] = [];
    const open = () =>
      createKeyplane({ store, stateFolder, clock: CLOCK, onEvent: ({ kind }) => void waits.push(kind), lock: 'file' });
    const manifest = await declared(['a', 'b', 'c', 'd', 'e']);
    await Promise.all([open().apply(manifest), open().apply(manifest)]);
    expect(namesOf(store).toSorted()).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(waits).toContain('lock-wait');
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('of the watcher');
      },
    ],
    ['rejects', () => Promise.reject(new Error('of the watcher'))],
  ])('is not disturbed by a callback that %s', async (_, onEvent: (event: KeyplaneEvent) => unknown) => {
    const { keyplane, liveNames } = await openAccount([], { onEvent });
    const report = await keyplane.apply(await declared(['a', 'b']), { onEvent });
    expect(report).toMatchObject({ outcomes: [{ state: 'applied' }, { state: 'applied' }], after: {} });
    expect(liveNames()).toEqual(['a', 'b']);
  });

  it.each([
    ['milliseconds', () => CLOCK.now().getTime()],
    ['seconds', () => CLOCK.now().getTime() / 1000],
    ['an invalid date', () => new Date(Number.NaN)],
  ])('accepts no clock that returns %s', async (_, now: () => unknown) => {
    const { keyplane, store } = await openAccount([], { clock: { now: now as () => Date } });
    const manifest = await declared(['a']);
    await expect(keyplane.apply(manifest)).rejects.toMatchObject({ code: 'usage.invalid' });
    expect(store.records.size).toBe(0);
  });

  it('names the store whose own error ended a run', async () => {
    const { keyplane, store } = await openAccount([]);
    const own = new TypeError('connection of my own');
    store.groups = () => Promise.reject(own);
    const planned = keyplane.plan(await declared(['a']));
    const hint = 'The store is not part of Keyplane. Its error is the cause of this one.';
    await expect(planned).rejects.toMatchObject({
      code: 'store.failed',
      cause: own,
      hint,
      detail: { method: 'groups' },
    });
  });

  const broken = (key: ObservedKey, change: object) => Object.assign({}, key, change);
  it.each<[string, (keys: readonly ObservedKey[]) => unknown]>([
    ['walk', () => 'text'],
    ['walk', () => null],
    ['walk', () => [null]],
    ['walk', ([key]) => [key && broken(key, { name: 5 })]],
    ['walk', ([key]) => [key && broken(key, { remain: Number.NaN })]],
    ['walk', ([key]) => [key && broken(key, { models: 'alpha-chat-1' })]],
    ['walk', ([key]) => [key && broken(key, { id: '1' })]],
    ['quotaPerUnit', () => null],
    ['quotaPerUnit', () => 500_000],
    ['quotaPerUnit', () => ({ digits: 0n, scale: 0 })],
    ['groups', () => 'default'],
    ['groups', () => [null]],
    ['models', () => 'alpha-chat-1'],
    ['usage', () => 'text'],
    ['usage', () => null],
  ])('names the store whose `%s` returned something else', async (method, returned) => {
    const { keyplane, store } = await openAccount(['a', 'b']);
    const keys = await store.walk();
    Object.assign(store, { [method]: () => returned(keys) });
    const one = { budget: { usd: 5, per: 'month' }, models: ['alpha-chat-1'], group: 'default' };
    const planned = keyplane.plan(await declared([], { keys: { a: one, c: one } }));
    const message = expect.stringContaining(`The store failed in \`${method}\`: expected `);
    await expect(planned).rejects.toMatchObject({ code: 'store.failed', message, detail: { method } });
  });

  it('rejects a manifest that nests too deep', async () => {
    let deep: object = {};
    for (let level = 0; level < 20_000; level += 1) deep = { deep };
    const message = expect.stringContaining('keys: The object nests more than 100 levels deep.');
    await expect(defineManifest({ keys: { a: { deep } } } as never)).rejects.toMatchObject({
      code: 'manifest.invalid',
      message,
    });
  });

  it('reports a create as unknown whose store failed with an error of its own, and adopts the key later', async () => {
    const { keyplane, store, liveNames } = await openAccount([], { settleMs: 0 });
    const create = store.create.bind(store);
    store.create = async (settings) => {
      await create(settings);
      throw new Error('the socket closed');
    };
    const manifest = await declared(['a']);
    await keyplane.apply(manifest);
    store.create = create;
    await keyplane.apply(manifest);
    expect(liveNames()).toEqual(['a']);
  });

  it('keeps the reason of an abort while it reads, by each way, and writes nothing', async () => {
    const reason = new Error('the user left');
    for (const verb of ['plan', 'drift', 'apply', 'destroy'] as const) {
      const { keyplane, store, liveNames } = await openAccount(['b']);
      const manifest = await declared(['a']);
      const controller = new AbortController();
      const reads = new Promise<void>((resolve) => {
        store.walk = () => {
          resolve();
          return new Promise(() => {});
        };
      });
      const running = keyplane[verb](manifest, { signal: controller.signal });
      await reads;
      controller.abort(reason);
      await expect(running).rejects.toMatchObject({ code: 'gateway.interrupted', cause: reason });
      await expect(keyplane[verb](manifest, { signal: controller.signal })).rejects.toMatchObject({ cause: reason });
      expect(liveNames()).toEqual(['b']);
    }
  });

  it('reports an abort while it writes', async () => {
    const { keyplane, store, liveNames } = await openAccount([]);
    const controller = new AbortController();
    const { create } = store;
    store.create = async (...given) => {
      controller.abort();
      await create.apply(store, given);
    };
    const report = await keyplane.apply(await declared(['a', 'b']), { signal: controller.signal });
    expect(report).toMatchObject({ interrupted: true });
    expect(liveNames()).toEqual(
      report.outcomes.flatMap(({ state, change }) => (state === 'applied' ? [change.name] : [])),
    );
  });

  it('rejects by each way what is not a manifest', async () => {
    const { keyplane } = await openAccount(['a']);
    for (const nothing of [null, undefined, {}, [], 'keys', 7] as never[]) {
      for (const verb of ['plan', 'drift', 'apply', 'destroy', 'check'] as const)
        await expect(keyplane[verb](nothing), verb).rejects.toMatchObject({ code: 'manifest.invalid' });
    }
    for (const nothing of [null, undefined, [], 'keys', 7] as never[])
      await expect(defineManifest(nothing)).rejects.toMatchObject({ code: 'manifest.invalid' });
  });

  it('refuses a glob that matches no key', async () => {
    const { keyplane } = await openAccount(['a']);
    const manifest = await declared(['a']);
    const wrong = { code: 'plan.no-such-key', detail: { unmatched: ['b*'] } };
    await expect(keyplane.plan(manifest, { only: ['b*'] })).rejects.toMatchObject(wrong);
    await expect(keyplane.apply(manifest, { only: ['b*'] })).rejects.toMatchObject(wrong);
    await expect(keyplane.destroy(manifest, { only: ['b*'] })).rejects.toMatchObject(wrong);
  });

  it('finds drift, and destroys what a manifest owns', async () => {
    const { keyplane, store, liveNames } = await openAccount(['a', 'b']);
    await store.update(1 as never, () => live('a', { group: 'vip' }));
    const manifest = await declared(['a']);
    const { outlook } = await keyplane.drift(manifest);
    expect(outlook.drift.changes).toMatchObject([{ verb: 'update', name: 'a' }]);
    await keyplane.destroy(manifest);
    expect(liveNames()).toEqual(['b']);
  });

  it('stops when nobody confirms, and waits for running work when it is disposed of', async () => {
    const { keyplane, store } = await openAccount([]);
    const manifest = await declared(['a']);
    const stop = new Fault('guard.unconfirmed', 'no');
    const confirm = (): never => {
      throw stop;
    };
    await expect(keyplane.apply(manifest, { confirm })).rejects.toBe(stop);
    expect(store.records.size).toBe(0);
    const applying = keyplane.apply(manifest);
    await keyplane.plan(manifest);
    await keyplane[Symbol.asyncDispose]();
    expect(store.records.size).toBe(1);
    await applying;
  });
});
