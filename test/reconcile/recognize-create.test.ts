import { describe, expect, it } from 'vitest';
import { type IpRule, type ObservedKey, quota } from '../../src/domain/index.ts';
import { createDigest, type LeftCreate, recognizeCreate } from '../../src/reconcile/index.ts';
import { rememberSets } from '../../src/reconcile/plan/diff.ts';
import { plainKey } from '../plain-key.ts';
import { emptyAccount } from './account.ts';

const made = (id: number, more: Partial<ObservedKey> = {}): ObservedKey =>
  plainKey(id, { name: 'a', used: quota(0), ...more });
const left: LeftCreate = {
  name: 'a',
  digest: createDigest(made(1)),
  enabled: true,
  newestBefore: 6,
  at: 10_000,
  run: 'run-1',
};

describe('the key of a create that was left', () => {
  it.each<[string, readonly ObservedKey[], LeftCreate, object]>([
    ['is absent', [made(7, { name: 'b' })], left, { state: 'absent' }],
    ['is its own', [made(7)], left, { state: 'own', key: made(7), twins: [] }],
    ['has a twin that it did not send', [made(9), made(7)], left, { state: 'ambiguous', ids: [7, 9] }],
    ['was made within an hour', [made(7, { createdAt: 13_600 })], left, { state: 'own' }],
    ['was made later', [made(7, { createdAt: 13_601 })], left, { state: 'foreign', ids: [7] }],
    ['is older', [made(6)], left, { state: 'foreign', ids: [6] }],
    ['has an older twin', [made(7), made(6)], left, { state: 'foreign', ids: [6, 7] }],
    ['was used', [made(7, { used: quota(1) })], left, { state: 'foreign', ids: [7] }],
    ['has a used twin', [made(7), made(8, { used: quota(1) })], left, { state: 'ambiguous', ids: [7, 8] }],
    ['was changed', [made(7, { group: 'vip' })], left, { state: 'foreign', ids: [7] }],
    ['was disabled by somebody', [made(7, { status: 'disabled' })], left, { state: 'foreign', ids: [7] }],
    ['is exhausted', [made(7, { status: 'exhausted' })], { ...left, enabled: false }, { state: 'foreign', ids: [7] }],
    [
      'was disabled as declared',
      [made(7, { status: 'disabled' })],
      { ...left, enabled: false },
      { state: 'own', key: made(7, { status: 'disabled' }), twins: [] },
    ],
  ])('%s', async (_, keys, create, expected) => {
    expect(await recognizeCreate(emptyAccount(), keys, [create])).toMatchObject(expected);
  });

  it('has the digest that earlier versions recorded, also with a memory of the sets of its batch', () => {
    const settings = made(1, { models: ['b', 'a'], allowIps: ['10.1.2.3/8' as IpRule] });
    const digest = 'sha256:1ea3ec07dfa196d95d739b09adf1caf08c4283f7e889d93a4dd707caf22169ac';
    expect(createDigest(settings)).toBe(digest);
    const normal = rememberSets();
    for (const _ of [1, 2]) expect(createDigest(settings, normal)).toBe(digest);
    expect(createDigest({ ...settings, models: ['a'] }, normal)).not.toBe(digest);
  });

  it('is recognized by any of several creates, each with its own settings', async () => {
    const other = { ...left, digest: createDigest(made(1, { group: 'vip' })), newestBefore: 7 };
    const vip = made(8, { group: 'vip' });
    expect(await recognizeCreate(emptyAccount(), [made(7), vip], [left, other])).toMatchObject({ twins: [vip] });
    expect(await recognizeCreate(emptyAccount(), [], [])).toEqual({ state: 'absent' });
  });

  it('is looked up in the log from an hour before the first create, where no record reports its use', async () => {
    const unknown = plainKey(7, { name: 'a' });
    const spent = (at: number) => {
      const store = emptyAccount();
      store.log.push({
        id: 'x',
        at,
        keyId: unknown.id,
        keyName: 'a',
        model: 'm',
        spent: quota(1),
        detail: '',
      } as never);
      return store;
    };
    const creates = [{ ...left, at: 20_000 }, left];
    expect(await recognizeCreate(spent(9_000), [unknown], creates)).toMatchObject({ state: 'foreign' });
    expect(await recognizeCreate(spent(15_000), [unknown], creates)).toMatchObject({ state: 'foreign' });
    expect(await recognizeCreate(emptyAccount(), [unknown], creates)).toMatchObject({ state: 'own' });
    const twin = plainKey(8, { name: 'a' });
    expect(await recognizeCreate(emptyAccount(), [twin, unknown], creates)).toMatchObject({
      key: unknown,
      twins: [twin],
    });
  });

  it.each([
    [9_900, 'foreign', 2],
    [9_700, 'foreign', 2],
    [9_699, 'own', 1],
  ] as const)('is looked up past a hundred entries, the last of them at %i: %s', async (at, expected, pages) => {
    const store = emptyAccount();
    const entry = (keyId: number, then: number) =>
      ({ identity: `${keyId} ${store.log.length}`, at: then, keyId, keyName: 'a', spent: quota(1) }) as never;
    for (let n = 0; n < 100; n += 1) store.log.push(entry(1, n < 50 ? 15_000 : at));
    store.log.push(entry(7, at));
    const creates = [{ ...left, at: 20_000 }, left];
    expect(await recognizeCreate(store, [plainKey(7, { name: 'a' })], creates)).toMatchObject({ state: expected });
    expect(store.calls.usage).toBe(pages);
  });
});
