import type { Days } from './days.ts';
import { change, liveGenerations, noteDeclared, type Step, tryDeclared, tryRenamable, tryRotating } from './step.ts';
import {
  BUDGETS,
  type Declared,
  FIELDS,
  hasName,
  nameFor,
  PROTECTED,
  ROTATIONS,
  randomDeclared,
  VALUES,
} from './teams.ts';

/** Edits of manifests. */

const add: Step = (days, team) => {
  if (team.keys.size > 5) return undefined;
  const declared = randomDeclared(days.chance, days.fresh(), team.prefix);
  change(team, declared);
  return `add ${JSON.stringify(declared)}`;
};

const addProtected: Step = (days, team) => {
  if (team.keys.size > 5) return undefined;
  const { rotate: _, ...declared } = randomDeclared(days.chance, days.fresh(), team.prefix);
  const name = `${team.prefix}-${PROTECTED}-${declared.label}`;
  change(team, { ...declared, name, enabled: true });
  return `add ${name}`;
};

const drop: Step = (days, team) => {
  const declared = tryDeclared(days, team);
  // Without its declaration, nothing would show the former name.
  if (!declared || declared.renamedFrom !== undefined) return undefined;
  team.keys = new Map([...team.keys].filter(([label]) => label !== declared.label));
  team.removed.set(declared.label, declared);
  noteDeclared(days, declared.label, false);
  return `drop ${declared.name}`;
};

const declareAgain: Step = (days, team) => {
  const [declared] = [...team.removed.values()].slice(-1 - days.chance.number(3));
  if (!declared || [...team.keys.values()].some(({ name }) => name === declared.name)) return undefined;
  team.removed.delete(declared.label);
  const { id: _, renamedFrom: __, ...rest } = declared;
  change(team, rest);
  noteDeclared(days, declared.label, true);
  return `declare ${declared.name} again`;
};

const edit: Step = (days, team) => {
  const declared = tryDeclared(days, team);
  if (!declared) return undefined;
  const field = days.chance.pick(FIELDS);
  const value = days.chance.pick(VALUES[field]);
  change(team, { ...declared, settings: { ...declared.settings, [field]: value } });
  return `${field} of ${declared.name}: ${JSON.stringify(value.text)}`;
};

const editBudget: Step = (days, team) => {
  const declared = tryDeclared(days, team);
  if (!declared) return undefined;
  const budget = days.chance.pick(BUDGETS);
  change(team, { ...declared, budget });
  return `budget of ${declared.name}: ${JSON.stringify(budget.text)}`;
};

const toggle: Step = (days, team) => {
  const declared = tryRenamable(days, team);
  if (!declared) return undefined;
  change(team, { ...declared, enabled: !declared.enabled });
  return `${declared.name}: enabled ${!declared.enabled}`;
};

const schedule: Step = (days, team) => {
  const declared = tryRotating(days, team);
  if (!declared) return undefined;
  const { rotate, ...rest } = declared;
  const next = rotate ? undefined : days.chance.pick(ROTATIONS);
  change(team, { ...rest, ...(next && { rotate: next }) });
  return `${declared.name}: rotate ${JSON.stringify(next)}`;
};

const deliver: Step = (days, team) => {
  const declared = tryDeclared(days, team);
  if (!declared) return undefined;
  change(team, { ...declared, isDelivered: !declared.isDelivered });
  return `${declared.name}: delivered ${!declared.isDelivered}`;
};

/** Until it is applied, the former name is the one that the key has. */
async function renamed(days: Days, declared: Declared, name: string): Promise<Declared> {
  const { id, renamedFrom: former, ...rest } = declared;
  const all = await liveGenerations(days, declared);
  const isApplied = all.some((key) => hasName(declared.name, key.name));
  const renamedFrom = id === undefined ? (isApplied ? declared.name : (former ?? declared.name)) : { id };
  return { ...rest, name, renamedFrom };
}

const rename: Step = async (days, team) => {
  const declared = tryRenamable(days, team);
  if (!declared) return undefined;
  const name = nameFor(team.prefix, days.fresh(), days.chance.happens(0.15));
  change(team, await renamed(days, declared, name));
  return `rename ${declared.name} to ${name}`;
};

/** The name of one key goes to another one, and that one gets a new name. */
const chain: Step = async (days, team) => {
  const [one, two] = [tryRotating(days, team), tryRotating(days, team)];
  if (!one || !two || one === two || one.renamedFrom !== undefined || two.renamedFrom !== undefined) return undefined;
  const all = await Promise.all([liveGenerations(days, one), liveGenerations(days, two)]);
  if (all.some((keys) => keys.length === 0)) return undefined;
  const name = nameFor(team.prefix, days.fresh(), false);
  change(team, await renamed(days, one, two.name));
  change(team, await renamed(days, two, name));
  return `rename ${one.name} to ${two.name}, and that to ${name}`;
};

/** Somebody takes a key of others into the manifest. */
const adopt: Step = async (days, team) => {
  const account = team.seat.account === 0 ? 42 : 43;
  const free = (await days.bench.keys()).filter(
    ({ id, user_id, name }) =>
      user_id === account && name.startsWith('theirs') && days.truth.facts.get(id)?.label === undefined,
  );
  const key = free[days.chance.number(Math.max(1, free.length))];
  if (!key || team.keys.size > 6) return undefined;
  const label = days.fresh();
  const { rotate: _, ...declared } = randomDeclared(days.chance, label, team.prefix);
  change(team, { ...declared, renamedFrom: { id: key.id } });
  days.truth.facts.set(key.id, {
    ...(days.truth.facts.get(key.id) ?? { madeAt: 0, lastUse: 0, used: 0 }),
    label,
    team,
  });
  return `adopt key ${key.id} (${key.name}) as ${declared.name}`;
};

export const EDITS: readonly [Step, ...Step[]] = [
  ...[add, add, add, addProtected, drop, drop, declareAgain, declareAgain, edit, edit, editBudget, toggle],
  ...[schedule, deliver, rename, rename, chain, chain, adopt],
] as [Step, ...Step[]];
