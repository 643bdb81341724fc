import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Fault, type KeyId, keyId, pendingChanges } from '../../src/domain/index.ts';
import { apply, type KeyStore, observe, plan, reportFaults } from '../../src/reconcile/index.ts';
import { live, NOW, TRUSTED } from '../reconcile/account.ts';
import { BODIES, type Body, overHttp } from './bodies.ts';
import { MemoryStore } from './memory-store.ts';
import { STEPS, type Step } from './steps.ts';

async function runStep(store: KeyStore, { desired, basis }: Step) {
  const observed = await observe(store, desired, { now: NOW, ...TRUSTED });
  const made = plan(desired, observed, NOW, basis ? { basis } : {});
  const report = await apply(made, store, { observed, desired, now: () => NOW, concurrency: 4, ...TRUSTED });
  expect(report.outcomes.filter((outcome) => outcome.state !== 'applied')).toEqual([]);
  expect(reportFaults(report)[0]).toBeUndefined();
  return pendingChanges(made).map((change) => `${change.verb} ${change.name}`);
}

describe.each(BODIES)('the key store $title', ({ title, open }) => {
  let body: Body;
  beforeAll(async () => {
    body = await open();
  });
  afterAll(() => body.close());

  // In order: each step starts where the previous one ended.
  it('applies the changes of each step, and none when the step is repeated', async () => {
    for (const step of STEPS) {
      expect([step.title, await runStep(body.store, step)]).toEqual([step.title, step.changes]);
      expect([step.title, await runStep(body.store, step)]).toEqual([step.title, []]);
    }
  });

  it('reads a key as the walk returns it, and returns undefined for a missing id', async () => {
    const [first] = await body.store.walk();
    if (!first) throw new Error('there is no key');
    expect(await body.store.tryRead(first.id)).toEqual(first);
    expect(await body.store.tryRead(keyId(999_999))).toBeUndefined();
  });

  it('reveals a different credential for each existing key', async () => {
    const keys = await body.store.walk();
    const secrets = await body.store.reveal([...keys.map((key) => key.id), keyId(999_999)]);
    expect([...secrets.keys()].sort()).toEqual(keys.map((key) => key.id).sort());
    const values = [...secrets.values()].map((secret) => secret.reveal());
    expect(values.every((value) => /^sk-(?!sk-).+/.test(value))).toBe(true);
    expect(new Set(values).size).toBe(keys.length);
  });

  it('deletes the existing keys of many ids, and ignores missing ones', async () => {
    await body.store.create(live('gone-1'));
    await body.store.create(live('gone-2'));
    const gone = (await body.store.walk()).filter((key) => key.name.startsWith('gone-'));
    await body.store.delete([...gone.map((key) => key.id), keyId(999_999)]);
    expect((await body.store.walk()).some((key) => key.name.startsWith('gone-'))).toBe(false);
    await body.store.delete([]);
  });

  it('rejects an update or status change of a missing key', async () => {
    const ghost = keyId(999_999);
    const revise = () => ({ group: 'vip' });
    await expect(body.store.update(ghost, revise)).rejects.toMatchObject({ code: 'gateway.not-found' });
    await expect(body.store.setEnabled(ghost, false)).rejects.toBeInstanceOf(Fault);
  });

  it('gives an update the key as it is, and writes nothing when the update is refused', async () => {
    const [first] = await body.store.walk();
    if (!first) throw new Error('there is no key');
    const stop = new Fault('plan.stale', 'no');
    const update = body.store.update(first.id, (now) => {
      expect(now).toEqual(first);
      throw stop;
    });
    await expect(update).rejects.toBe(stop);
    expect(await body.store.tryRead(first.id)).toEqual(first);
  });

  it('returns every key once over many pages', async () => {
    const before = (await body.store.walk()).length;
    await Promise.all(Array.from({ length: 250 }, (_, i) => body.store.create(live(`page-${i}`))));
    const ids = (await body.store.walk()).map((key) => key.id);
    expect(ids).toHaveLength(before + 250);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each([3, 250])('reads %i keys again, and omits the missing ones', async (count) => {
    const keys = (await body.store.walk()).slice(-count);
    const found = await body.store.readMany([...keys.map(({ id }) => id), keyId(999_999)]);
    expect([...found.values()].sort((a, b) => a.id - b.id)).toEqual([...keys].sort((a, b) => a.id - b.id));
  });

  it('reads keys again after others were created and deleted', async () => {
    const keys = (await body.store.walk()).filter(({ name }) => name.startsWith('page-'));
    await body.store.delete(keys.slice(0, 30).map(({ id }) => id));
    for (const name of ['late-1', 'late-2']) await body.store.create(live(name));
    const found = await body.store.readMany(keys.map(({ id }) => id));
    expect([...found.keys()].sort((a, b) => a - b)).toEqual(
      keys
        .slice(30)
        .map(({ id }) => id)
        .sort((a, b) => a - b),
    );
  });

  it('returns the newest keys in one request, or undefined', async () => {
    const known = new Map((await body.store.walk()).map((key) => [key.id, key.name]));
    const newest = await body.store.newest();
    if (newest === undefined) {
      // Its pages begin with the oldest: nothing shows which are new but a walk.
      expect(title).toContain('profile contract');
      return;
    }
    const shown = newest.keys.map(({ id, name }) => [id, name]);
    expect(shown.every(([id, name]) => known.get(id as KeyId) === name)).toBe(true);
    // All keys with a higher id are among them.
    expect([...known.keys()].filter((id) => id > newest.after).every((id) => shown.some(([one]) => one === id))).toBe(
      true,
    );
    expect(shown.length).toBeGreaterThan(0);
  });

  it('confirms a delete only when all keys existed', async () => {
    await body.store.create(live('certain-1'));
    await body.store.create(live('certain-2'));
    const [one, two] = (await body.store.walk()).filter((key) => key.name.startsWith('certain-'));
    if (!one || !two) throw new Error('they were made');
    expect(await body.store.delete([one.id, keyId(999_999)])).toBe(false);
    expect(await body.store.delete([one.id])).toBe(false);
    expect(await body.store.delete([two.id])).toBe(true);
  });
});

describe.each<[string, () => Promise<Body>]>([
  [
    'in memory',
    async () => ({
      store: new MemoryStore({ reportsUse: true, now: () => NOW, owner: 7 }),
      close: async () => {},
    }),
  ],
  ['over HTTP', () => overHttp('deployed', { userId: 99_999, userHeader: 'ignored' })],
])('the key store %s, with the credentials of another account', (_title, open) => {
  const use: Readonly<Record<string, (store: KeyStore) => Promise<unknown>>> = {
    verifyAccount: (store) => store.verifyAccount(),
    wallet: (store) => store.wallet(),
    groups: (store) => store.groups(),
    walk: (store) => store.walk(),
    newest: (store) => store.newest(),
    tryRead: (store) => store.tryRead(keyId(1)),
    create: (store) => store.create(live('a')),
    setEnabled: (store) => store.setEnabled(keyId(1), true),
    delete: (store) => store.delete([keyId(1)]),
    reveal: (store) => store.reveal([keyId(1)]),
    usage: async (store) => {
      for await (const page of store.usage()) return page;
      return undefined;
    },
  };

  it.each(Object.entries(use))('refuses %s', async (_method, work) => {
    const { store, close } = await open();
    try {
      await expect(work(store)).rejects.toMatchObject({ code: 'credentials.other-account' });
    } finally {
      await close();
    }
  });
});
