import { expect } from 'vitest';
import { stemOf, tryParseDuration, tryParseGeneration } from '../../../../src/domain/index.ts';
import type { States } from './core.ts';
import { type Days, keysOf } from './days.ts';

type Records = Days['machine']['store']['records'];

const DISABLED = 2;
const USUAL_OVERLAP = 7 * 86_400;

export const snapshotOf = ({ machine }: Days): Records => structuredClone(machine.store.records);

/** The account and the states right before an apply. */
export interface Before {
  readonly records: Records;
  readonly states: States;
  /** Labels of resources whose keys may end in any case. */
  readonly ending: ReadonlySet<string>;
}

const stemIn = (name: string): string => tryParseGeneration(name)?.stem ?? name;

/** The shortest overlap that somebody declared, then or now. */
function overlapOf({ world }: Days, label: string, { states }: Before): number {
  const stated = [world.get(label)?.rotation, states.get(label)?.state.rotation].map((rotation) =>
    tryParseDuration(String((rotation as { readonly overlap?: string } | null | undefined)?.overlap ?? '')),
  );
  return Math.min(USUAL_OVERLAP, ...stated.filter((seconds) => seconds !== undefined));
}

/** Is a key a former generation whose overlap is over? */
function isOver(days: Days, id: number, before: Before): boolean {
  const label = days.owners.get(id) ?? '';
  const next = [...before.records.values()].find((key) => key.id > id && days.owners.get(key.id) === label);
  const born = next && tryParseGeneration(next.name)?.born;
  return born !== undefined && days.machine.clock.now >= born + overlapOf(days, label, before);
}

/** Notes the keys that an apply made: at most one for each resource, and none while two of its keys work. */
function noteMade(days: Days, { records, states }: Before): void {
  const { world, owners, machine } = days;
  const made = new Set<string>();
  for (const { id, name } of machine.store.records.values()) {
    if (records.has(id)) continue;
    const declared = [...world].find(([, resource]) => stemOf(resource.name) === stemIn(name))?.[0];
    const label = declared ?? [...states].find(([, { state }]) => state.name === stemIn(name))?.[0];
    if (label === undefined || made.has(label)) throw new Error(`nobody asked for ${name}`);
    const working = [...records.values()].filter((key) => owners.get(key.id) === label && key.status !== DISABLED);
    expect(working.filter((key) => machine.store.records.has(key.id)).length, `${name} is a third one`).toBeLessThan(2);
    made.add(label);
    owners.set(id, label);
  }
}

/** Judges what one apply did: foreign keys stay, and only a former generation ends that is due, or a key whose resource ends. */
export function expectJust(days: Days, before: Before): void {
  for (const [id, was] of before.records) {
    const is = days.machine.store.records.get(id);
    const label = days.owners.get(id) ?? '';
    if (days.foreign.has(id)) expect(is, `somebody else’s ${was.name}`).toEqual(was);
    if (days.foreign.has(id) || before.ending.has(label)) continue;
    const mayEnd = isOver(days, id, before);
    if (is === undefined) expect([was.status, mayEnd], `${was.name} of ${label} was deleted`).toEqual([DISABLED, true]);
    const isDisabled = was.status !== DISABLED && is?.status === DISABLED;
    if (isDisabled) expect(mayEnd || days.world.get(label)?.enabled === false, `${was.name} was disabled`).toBe(true);
    if (was.status === DISABLED && is?.status === 1) expect(days.world.get(label)?.enabled, was.name).toBe(true);
  }
  noteMade(days, before);
}

/** Judges what became of the keys of resources that an apply ended. They are nobody’s from now on. */
export function expectEnded(days: Days, { states }: Before): void {
  for (const [label, { state }] of states) {
    if (days.world.has(label)) continue;
    const end = state.on_destroy ?? 'delete';
    for (const id of keysOf(days, label)) {
      expect(end, `the key ${id} of ${label} is left`).not.toBe('delete');
      if (end === 'disable') expect(days.machine.store.records.get(id)?.status, label).toBe(DISABLED);
      days.foreign.add(id);
    }
  }
}

/** Judges an account in which nothing is left to do: the state has the latest generation of each key and knows the others. */
export function expectDeclared(days: Days): void {
  const { world, core, machine, owners, foreign } = days;
  const nameOf = (id: number | undefined): string => String(machine.store.records.get(id ?? 0)?.name);
  for (const [label, { name, ignored }] of world) {
    const own = keysOf(days, label);
    const { id, old_generations: old } = core.states.get(label)?.state ?? {};
    expect([id, new Set((old ?? []) as readonly string[])], label).toEqual([
      own.at(-1),
      new Set(own.slice(0, -1).map(nameOf)),
    ]);
    if (!ignored) expect(new Set(own.map((each) => stemIn(nameOf(each)))), label).toEqual(new Set([name]));
  }
  const left = [...machine.store.records.keys()].filter((id) => !foreign.has(id) && !world.has(owners.get(id) ?? ''));
  expect(left, 'keys that nobody has').toEqual([]);
}
