import { expect, it } from 'vitest';
import { generationName, quota } from '../../../../src/domain/index.ts';
import type { TerraformObject } from '../../../../src/terraform/codec/value.ts';
import { live, NOW } from '../../../reconcile/account.ts';
import { budgetOf, configOf } from '../core.ts';
import { type Declared, openDaysCore } from '../days/core.ts';
import { openDeployed } from '../days/gateway.ts';

const DAY = 86_400;
const ROTATION = { every: '30d', overlap: '2d', quiet: null };
const ROTATING = { rotation: ROTATION };

/** A core with one key, and what its next apply or plan finds. */
async function openOne(written: TerraformObject = ROTATING) {
  const machine = openDeployed();
  const core = openDaysCore(machine);
  const order = <T>(items: readonly T[]): readonly T[] => items;
  const declared = (more: TerraformObject, rest: Omit<Declared, 'config'> = {}): ReadonlyMap<string, Declared> =>
    new Map([['one', { config: configOf({ name: 'one', budget: budgetOf({ usd: 5 }), ...more }), ...rest }]]);
  type Words = Parameters<typeof declared>;
  const one = {
    ...machine,
    pass(days: number) {
      machine.clock.now += days * DAY;
    },
    keys: () => [...machine.store.records.values()].map(({ id, status }) => [id, status]),
    state: () => core.states.get('one')?.state ?? {},
    apply: async (...words: Words) => (await core.apply(declared(...words), { order })).errors,
    /** Plans, and applies that plan this many days later. */
    applyLater: async (days: number, ...words: Words) =>
      (await core.apply(declared(...words), { order, between: () => one.pass(days) })).errors,
    warnings: async (...words: Words) => (await core.plan(declared(...words), { order })).warnings,
    destroy: async () => await core.apply(new Map(), { order }),
    changes: async (...words: Words) => (await core.plan(declared(...words), { order })).changes,
  };
  expect(await one.apply(written)).toEqual([]);
  return one;
}

it('proves no successor of a key that is declared disabled, and proves it once the key is enabled', async () => {
  const one = await openOne({ ...ROTATING, enabled: false });
  // Another run has rotated the key.
  const id = one.store.seed(live(generationName('one', { born: NOW + 60 }), { remain: quota(2_500_000) }), {
    status: 2,
  });
  expect(await one.apply({ ...ROTATING, enabled: false })).toEqual([]);
  expect([one.state().id, await one.changes({ ...ROTATING, enabled: false })]).toEqual([id, []]);
  const { reveal } = one.store;
  one.store.reveal = async () => new Map();
  expect(await one.apply({ ...ROTATING, enabled: true })).toEqual([expect.stringContaining('could not be proven')]);
  one.store.reveal = reveal;
  expect([await one.apply({ ...ROTATING, enabled: true }), await one.changes({ ...ROTATING, enabled: true })]).toEqual([
    [],
    [],
  ]);
});

it.each([
  ['rotation', { ignored: ['rotation'] }],
  ['everything', { ignored: 'all' }],
] as const)('rotates by the block in the state where the configuration ignores %s', async (_, ignoring) => {
  const one = await openOne();
  one.pass(30);
  expect(await one.apply({}, ignoring)).toEqual([]);
  expect([one.keys(), one.state().id, await one.changes({}, ignoring)]).toEqual([
    [
      [1, 1],
      [2, 1],
    ],
    2,
    [],
  ]);
});

it('goes back to the former generation of a key that no longer rotates when somebody deletes the current one', async () => {
  const one = await openOne();
  one.pass(30);
  await one.apply(ROTATING);
  await one.apply({});
  one.store.records.delete(2);
  expect([await one.apply({}), one.state().id, one.keys()]).toEqual([[], 1, [[1, 1]]]);
});

it.each([0, 31])(
  'leaves a successor that came due after the plan to the next one (%i days after the first)',
  async (before) => {
    const one = await openOne();
    one.pass(before);
    if (before > 0) await one.apply(ROTATING);
    const count = one.keys().length;
    const edited = { ...ROTATING, group: 'vip' };
    expect([await one.applyLater(31, edited), one.keys().map(([, status]) => status)]).toEqual([
      [],
      Array(count).fill(1),
    ]);
    expect([await one.changes(edited), await one.apply(edited)]).toEqual([['update one'], []]);
  },
);

it('may rotate where the block is known at the apply only, as the plan shows', async () => {
  const one = await openOne();
  one.pass(30);
  expect([await one.apply(ROTATING, { unknown: ['rotation'] }), one.keys()]).toEqual([
    [],
    [
      [1, 1],
      [2, 1],
    ],
  ]);
});

const rotating = (every: string, overlap = '2d'): TerraformObject => ({ rotation: { every, overlap, quiet: null } });

it.each([
  ['a shorter period', { before: 27, written: ROTATING, edited: rotating('29d') }],
  ['a longer period', { before: 27, written: rotating('28d'), edited: ROTATING }],
  ['a key that is enabled', { before: 27, written: { ...rotating('28d'), enabled: false }, edited: rotating('28d') }],
  ['a shorter overlap, of a former key', { before: 31, written: ROTATING, edited: rotating('30d', '1d') }],
])('applies a plan with %s after another rotation came due', async (_, { before, written, edited }) => {
  const one = await openOne(written);
  one.pass(before);
  if (before > 28) await one.apply(written);
  const { length } = one.keys();
  expect(await one.applyLater(3, edited)).toEqual([]);
  expect([one.keys().length - length <= 1, one.keys()[0]?.[0]]).toEqual([true, 1]);
});

it('names a former generation that somebody renamed in each plan, and leaves it to them', async () => {
  const one = await openOne();
  one.pass(30);
  await one.apply(ROTATING);
  const former = one.store.records.get(1);
  if (former) former.name = 'theirs';
  const warning = 'The key 1 ("theirs") is no longer a generation of "one": somebody renamed it at the gateway';
  expect([await one.apply(ROTATING), await one.warnings(ROTATING), await one.warnings({})]).toEqual([
    [],
    [warning],
    [warning],
  ]);
  one.pass(30);
  expect([await one.apply(ROTATING), await one.warnings(ROTATING)]).toEqual([[], [warning]]);
  const { errors, warnings } = await one.destroy();
  expect([errors, warnings, one.keys()]).toEqual([[], [warning], [[1, 1]]]);
});

it('shows no warning about a former generation that somebody renamed and disabled', async () => {
  const one = await openOne();
  one.pass(30);
  await one.apply(ROTATING);
  Object.assign(one.store.records.get(1) ?? {}, { name: 'theirs', status: 2 });
  expect([await one.apply(ROTATING), await one.warnings(ROTATING)]).toEqual([[], []]);
});

it('takes the generations of another key that has its name for one key', async () => {
  const one = await openOne();
  for (const born of [NOW, NOW + 60]) one.store.seed(live(generationName('two', { born })));
  expect(await one.apply({ ...ROTATING, name: 'two' })).toEqual(['A key named "two" already exists (id 2, 3)']);
});

it('names a successor that somebody disabled before it was proven, and proves it once it is enabled', async () => {
  const one = await openOne();
  one.pass(30);
  const { reveal } = one.store;
  one.store.reveal = async () => new Map();
  expect(await one.apply(ROTATING)).toEqual(['The secret of the successor (key 2) could not be proven']);
  Object.assign(one.store.records.get(2) ?? {}, { status: 2 });
  expect(await one.apply(ROTATING)).toEqual([
    'The successor (key 2) is disabled at the gateway, so that its secret could not be proven',
  ]);
  Object.assign(one.store.records.get(2) ?? {}, { status: 1 });
  one.store.reveal = reveal;
  expect(await one.apply(ROTATING)).toEqual([]);
});

it('takes back a ceiling that somebody lifted while a former generation lives', async () => {
  const one = await openOne();
  one.pass(30);
  await one.apply(ROTATING);
  Object.assign(one.store.records.get(2) ?? {}, { unlimited_quota: true });
  expect([await one.changes(ROTATING), await one.apply(ROTATING)]).toEqual([['update one'], []]);
  expect([one.store.records.get(2)?.unlimited_quota, await one.changes(ROTATING)]).toEqual([false, []]);
});
