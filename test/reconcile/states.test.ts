import { describe, expect, it } from 'vitest';
import { quota } from '../../src/domain/index.ts';
import { declare, emptyAccount, live, NOW, planOf, state, verbs } from './account.ts';

describe('states of a key', () => {
  const limited = { kind: 'initial', amount: { quota: quota(10) } } as const;
  it.each([
    ['disabled behind our back', { status: 2 }, {}, {}, ['hold a']],
    ['disabled, and its status is not managed', { status: 2 }, {}, { enabled: undefined }, ['keep a']],
    ['disabled as declared', { status: 2 }, {}, { enabled: false }, ['keep a']],
    ['enabled, declared disabled', { status: 1 }, {}, { enabled: false }, ['disable a']],
    ['stored expired, cause gone', { status: 3 }, {}, {}, ['enable a']],
    ['stored exhausted, refilled', { status: 4 }, {}, {}, ['enable a']],
    ['expired, expiry lifted now', { status: 3 }, { expires: NOW - 5 }, { expires: null }, ['update a', 'enable a']],
    [
      'exhausted, budget raised now',
      { status: 4 },
      { remain: quota(0) },
      { budget: { kind: 'unlimited' } },
      ['update a', 'enable a'],
    ],
    ['expired as declared', { status: 3 }, { expires: NOW - 5 }, { expires: NOW - 5 }, ['keep a']],
    ['exhausted as declared', { status: 4 }, { remain: quota(0) }, { budget: limited }, ['keep a']],
    ['expired and declared disabled', { status: 3 }, { expires: NOW - 5 }, { enabled: false }, ['keep a']],
    [
      'expired but not stored so, declared disabled',
      { status: 1 },
      { expires: NOW - 5 },
      { enabled: false },
      ['disable a'],
    ],
  ] as const)('%s', async (_, stored, settings, declared, expected) => {
    const store = emptyAccount();
    store.seed(live('a', settings), stored);
    expect(verbs(await planOf(store, state([declare('a', declared)])))).toEqual(expected);
  });

  it('expired and exhausted are notes, not drift', async () => {
    const store = emptyAccount();
    store.seed(live('a', { expires: NOW - 5 }), { status: 3 });
    store.seed(live('b', { remain: quota(0) }), { status: 4 });
    const notes = (await planOf(store, state([declare('a'), declare('b')]))).notes;
    expect(notes.map((n) => `${n.data?.name} ${n.code}`)).toEqual(['a expired-undeclared', 'b exhausted-as-declared']);
  });
});
