import { diceOf } from '../../../acceptance/terraform/days/world.ts';
import { type Ended, openDaysCore } from './core.ts';
import { change, type Days, type Step } from './days.ts';
import { openDeployed } from './gateway.ts';
import { expectDeclared, expectEnded, expectJust, snapshotOf } from './judge.ts';
import { STEPS } from './steps.ts';
import { declarationsOf, orderBy, ROTATIONS, randomResource } from './world.ts';

function open(seed: number): Days {
  const dice = diceOf(seed);
  const machine = openDeployed(dice.below(3) > 0);
  let count = 0;
  return {
    ...{ machine, dice, core: openDaysCore(machine), world: new Map(), owners: new Map() },
    ...{ foreign: new Set<number>(), states: [], story: [] },
    fresh() {
      count += 1;
      return `k${count}`;
    },
  };
}

/** Applies once, and judges what that did. */
async function applyOnce(days: Days, step: Omit<Step, 'title'> = {}): Promise<Ended> {
  const states = new Map(days.core.states);
  const ending = [...states].filter(([label, { isTainted }]) => isTainted || !days.world.has(label));
  const before = {
    ...{ records: snapshotOf(days), states },
    ending: new Set([...ending.map(([label]) => label), ...(step.replaced ?? [])]),
  };
  const ended = await days.core.apply(declarationsOf(days.world), { ...step, order: orderBy(days.dice) });
  expectJust(days, before);
  if (ended.errors.length === 0 && !ended.isKilled && !step.targets) expectEnded(days, before);
  return ended;
}

/** More than time makes due: the end of one generation takes two applies, and its successor may then be due. */
const MOST_APPLIES = 6;

/** Applies until nothing is left to do. Returns the errors that stop this. */
async function settle(days: Days): Promise<readonly string[]> {
  for (let n = 0; n < MOST_APPLIES; n += 1) {
    const { errors, changes } = await applyOnce(days);
    if (errors.length > 0 || changes.length === 0) return errors;
  }
  throw new Error('each plan has a change');
}

async function playOut(days: Days, step: Step, former: Days['world']): Promise<void> {
  days.story.push(step.title);
  const { errors } = await applyOnce(days, step);
  if (errors.length > 0) days.story.push(`   failed: ${errors.join('; ')}`);
  for (const [label, { unknown: _, ...resource }] of days.world) change(days, label, resource);
  let left = await settle(days);
  if (left.length > 0) {
    days.story.push(`   rejected: ${left.join('; ')}`);
    step.undo?.();
    if (step.undo === undefined && step.kill === undefined) days.world = former;
    left = await settle(days);
  }
  if (left.length > 0) throw new Error(left.join('; '));
  expectDeclared(days);
}

/** Keys with the names of resources would be in the way of later steps. */
function clearNamesakes({ world, foreign, machine: { store } }: Days): void {
  for (const { id, name } of [...store.records.values()]) {
    if (!foreign.has(id) || ![...world.values()].some((resource) => resource.name === name)) continue;
    store.records.delete(id);
    foreign.delete(id);
  }
}

/** Plays so many random steps with keys that rotate. After each, the gateway has what is declared, and the state knows all of it. */
export async function playRotations(seed: number, count: number): Promise<void> {
  const days = open(seed);
  try {
    for (const label of ['first', 'second'])
      change(days, label, { ...randomResource(days.dice, label), rotation: days.dice.of(ROTATIONS) });
    await playOut(days, { title: 'the first apply' }, days.world);
    for (let n = 0; n < count; n += 1) {
      const former = days.world;
      const step = await days.dice.of(STEPS)(days);
      if (step === undefined) continue;
      await playOut(days, step, former);
      days.states.push(new Map(days.core.states));
      if (days.states.length > 4) days.states.shift();
      clearNamesakes(days);
    }
  } catch (thrown) {
    const lines = days.story.map((line, n) => `${n + 1}. ${line}`).join('\n');
    throw new Error(`seed ${seed}:\n${lines}\n${JSON.stringify([...days.world])}\n${thrown}`, { cause: thrown });
  }
}
