import { describe, expect, it } from 'vitest';
import { type KeyName, keyId } from '../../src/domain/index.ts';
import { applied, declare, declareNew, emptyAccount, live, planOf, state, verbs } from './account.ts';

/** Keys 1, 2 and 3; no new key could have the name of the first, and the others share theirs. */
function odd() {
  const store = emptyAccount();
  for (const name of [' lead ', 'twin', 'twin']) store.seed(live(name));
  return store;
}

const adopt = (id: number, name: string, more: Parameters<typeof declare>[1] = {}) => ({
  ...declare('label', { ...more, id: keyId(id) }),
  name: name as KeyName,
});

describe('a key that is declared by its ID', () => {
  it('is adopted under any name, and plans to nothing', async () => {
    const plan = await planOf(odd(), state([adopt(1, ' lead '), adopt(2, 'twin'), adopt(3, 'twin')]));
    expect(verbs(plan)).toEqual(['keep  lead ', 'keep twin', 'keep twin']);
  });

  it('is updated like any other', async () => {
    const store = odd();
    const desired = state([adopt(3, 'twin', { group: 'vip' })]);
    expect((await applied(store, desired)).outcomes).toMatchObject([{ state: 'applied', id: 3 }]);
    expect(verbs(await planOf(store, desired))).toEqual(['keep twin']);
  });

  it('plan.stale-adoption: is refused when it has another name, with the name that it has', async () => {
    await expect(planOf(odd(), state([adopt(1, 'lead')]))).rejects.toMatchObject({
      code: 'plan.stale-adoption',
      message: 'An adopted key has another name: key 1 is named “ lead ”, not “lead”.',
    });
  });

  it('plan.stale-adoption: lists all that have another name, and all that do not exist', async () => {
    await expect(planOf(odd(), state([adopt(1, 'lead'), adopt(2, 'x')]))).rejects.toMatchObject({
      message: 'An adopted key has another name: key 1 is named “ lead ”, not “lead”; key 2 is named “twin”, not “x”.',
      hint: 'If it is the same key, write its current name in `name`. If not, remove its declaration.',
      detail: {
        stale: [
          { id: 1, name: ' lead ', declared: 'lead' },
          { id: 2, name: 'twin', declared: 'x' },
        ],
      },
    });
    await expect(planOf(odd(), state([adopt(8, 'twin'), adopt(9, 'gone')]))).rejects.toMatchObject({
      message: 'An adopted key no longer exists: key 9 (“gone”); key 8 (“twin”).',
      hint: 'Remove its declaration. To create a key instead, declare it by its name alone.',
      detail: {
        gone: [
          { id: 9, name: 'gone' },
          { id: 8, name: 'twin' },
        ],
      },
    });
  });

  it('leaves its name to the one other key of that name', async () => {
    const { changes } = await planOf(odd(), state([adopt(2, 'twin', { group: 'vip' }), declare('twin')]));
    expect(changes).toMatchObject([
      { verb: 'update', id: 2 },
      { verb: 'keep', id: 3 },
    ]);
  });

  it('plan.stale-adoption: is refused when it does not exist, and never created', async () => {
    await expect(planOf(odd(), state([adopt(9, 'gone', { budget: { kind: 'unlimited' } })]))).rejects.toMatchObject({
      code: 'plan.stale-adoption',
      message: 'An adopted key no longer exists: key 9 (“gone”).',
    });
  });
});

describe('a rename by ID', () => {
  it('renames the key, whatever its name is, once', async () => {
    const store = odd();
    const desired = state([declareNew('lead', { renamedFrom: keyId(1), budget: { kind: 'unlimited' } })]);
    expect(verbs(await planOf(store, desired))).toEqual(['rename lead']);
    await applied(store, desired);
    expect(verbs(await planOf(store, desired))).toEqual(['keep lead']);
  });

  it('distinguishes keys with one name', async () => {
    const store = odd();
    await applied(store, state([adopt(2, 'twin'), declare('other', { renamedFrom: keyId(3) })]));
    expect((await store.walk()).map(({ id, name }) => [id, name])).toEqual([
      [1, ' lead '],
      [2, 'twin'],
      [3, 'other'],
    ]);
  });

  it('frees a name for the next rename, and takes none that another key holds', async () => {
    const chain = state([
      declare('moved', { renamedFrom: keyId(1) }),
      { ...declare('x', { renamedFrom: keyId(2) }), name: ' lead ' as KeyName },
    ]);
    expect(verbs(await planOf(odd(), chain))).toEqual(['rename  lead ', 'rename moved']);
    const held = emptyAccount();
    for (const name of ['a', 'b']) held.seed(live(name));
    expect(verbs(await planOf(held, state([declare('b', { renamedFrom: keyId(1) })])))).toEqual(['keep b']);
  });

  it('does not take a name that one of two keys keeps', async () => {
    const desired = state([declare('x', { renamedFrom: keyId(2) }), declare('twin', { renamedFrom: keyId(1) })]);
    expect((await planOf(odd(), desired)).changes).toMatchObject([
      { verb: 'rename', name: 'x', id: 2 },
      { verb: 'keep', name: 'twin', id: 3 },
    ]);
  });

  it('names one of two keys that share the new name already', async () => {
    expect((await planOf(odd(), state([declare('twin', { renamedFrom: keyId(3) })]))).changes).toMatchObject([
      { verb: 'keep', name: 'twin', id: 3 },
    ]);
  });
});
