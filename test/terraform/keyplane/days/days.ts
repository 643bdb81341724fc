import type { Dice } from '../../../acceptance/terraform/days/world.ts';
import type { Options, openDaysCore, States } from './core.ts';
import type { openDeployed } from './gateway.ts';
import type { Resource, World } from './world.ts';

/** One user with one state, over many days, in which keys rotate. */
export interface Days {
  readonly machine: ReturnType<typeof openDeployed>;
  readonly core: ReturnType<typeof openDaysCore>;
  readonly dice: Dice;
  world: World;
  /** The resource of each key that a resource ever had. */
  readonly owners: Map<number, string>;
  /** Keys that no resource has: they must stay. */
  readonly foreign: Set<number>;
  /** Earlier states, the oldest first. */
  readonly states: States[];
  readonly story: string[];
  fresh(): string;
}

/** The work that a step leaves to the applies that follow. */
export interface Step extends Omit<Options, 'order'> {
  readonly title: string;
  /** Takes back what somebody did at the gateway, where a plan rejects it. */
  readonly undo?: () => void;
}

/** Undefined where there is nothing to do it to. */
export type Play = (days: Days) => Promise<Step | undefined> | Step | undefined;

/** A resource, with its label. */
export function tryResource({
  world,
  dice,
}: Days): { readonly label: string; readonly resource: Resource } | undefined {
  if (world.size === 0) return undefined;
  const [label, resource] = dice.of([...world]);
  return { label, resource };
}

/** The stored keys of a resource, the oldest first. */
export const keysOf = ({ owners, machine: { store } }: Days, label: string): readonly number[] =>
  [...store.records.keys()].filter((id) => owners.get(id) === label).sort((a, b) => a - b);

/** A stored key of a resource. */
export function tryKey(days: Days) {
  const found = tryResource(days);
  const ids = found === undefined ? [] : keysOf(days, found.label);
  const record = ids.length === 0 ? undefined : days.machine.store.records.get(days.dice.of(ids));
  return found && record && { ...found, record, isCurrent: record.id === ids.at(-1) };
}

export function change(days: Days, label: string, resource: Resource | undefined): void {
  const world = new Map(days.world);
  if (resource === undefined) world.delete(label);
  else world.set(label, resource);
  days.world = world;
}
