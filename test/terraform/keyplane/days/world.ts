import type { TerraformObject } from '../../../../src/terraform/codec/value.ts';
import type { Dice } from '../../../acceptance/terraform/days/world.ts';
import { budgetOf, configOf } from '../core.ts';
import type { Declarations, Declared } from './core.ts';

export const DAY = 86_400;

export const ROTATIONS = [
  { every: '30d', overlap: '2d', quiet: null },
  { every: '30d', overlap: '20d', quiet: '1h' },
  { every: '3d', overlap: '1d', quiet: null },
  { every: '2h', overlap: '30m', quiet: '30m' },
] as const;

/** A declared key. */
export interface Resource {
  readonly name: string;
  readonly budget: TerraformObject;
  readonly rotation?: (typeof ROTATIONS)[number];
  readonly group?: string;
  readonly enabled?: boolean;
  readonly end?: 'delete' | 'disable' | 'abandon';
  readonly ignored?: NonNullable<Declared['ignored']>;
  /** Attributes that are known at the next apply only. */
  readonly unknown?: readonly string[];
}

/** The declared resources by their labels. */
export type World = ReadonlyMap<string, Resource>;

export const BUDGETS = [
  { usd: 5, per: 'lifetime' },
  { unlimited: true },
  { usd: 5, per: 'month' },
  { usd: 5, initial: true },
].map(budgetOf);

export const randomResource = (dice: Dice, name: string): Resource => ({
  name,
  budget: dice.of(BUDGETS),
  ...(dice.below(5) > 0 && { rotation: dice.of(ROTATIONS) }),
  ...(dice.below(3) === 0 && { group: 'vip' }),
  ...(dice.below(8) === 0 && { enabled: dice.below(2) === 0 }),
  ...(dice.below(4) === 0 && { end: dice.of(['delete', 'disable', 'abandon'] as const) }),
});

const declaredOf = ({ name, budget, rotation, group, enabled, end, ignored, unknown }: Resource): Declared => ({
  config: configOf({
    ...{ name, budget },
    ...{ rotation: rotation ?? null, group: group ?? null, enabled: enabled ?? null, on_destroy: end ?? null },
  }),
  ...(ignored && { ignored }),
  ...(unknown && { unknown }),
});

export const declarationsOf = (world: World): Declarations =>
  new Map([...world].map(([label, resource]) => [label, declaredOf(resource)]));

/** Shuffles: core visits resources in any order. */
export const orderBy =
  ({ below }: Dice) =>
  <T>(items: readonly T[]): readonly T[] =>
    items
      .map((item) => [below(1_000_000), item] as const)
      .sort(([one], [other]) => one - other)
      .map(([, item]) => item);
