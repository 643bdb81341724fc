import type { StoredKey } from './bench.ts';
import { type Days, LIMITS } from './days.ts';
import { EDITS } from './manifest-steps.ts';
import { PEOPLE } from './people-steps.ts';
import {
  anyOf,
  change,
  commanded,
  liveGenerations,
  liveOf,
  type Step,
  tryDeclared,
  tryNamed,
  tryRotating,
} from './step.ts';
import type { Trouble } from './tap.ts';
import { inScope, nameFor, PROTECTED, type Team } from './teams.ts';

/** Commands, at their time or late, and with trouble. */

const ENDS: readonly [readonly string[], ...(readonly string[])[]] = [
  [],
  ['--overlap', '1h'],
  ['--overlap', '3d'],
  ['--leaked'],
];

const rotateNow: Step = async (days, team) => {
  const declared = tryRotating(days, team);
  if (!declared?.enabled) return undefined;
  const more = days.chance.pick(ENDS);
  if (more.includes('--leaked')) days.truth.leaked.add(declared.label);
  const asked = { team, rotates: new Set([declared.label]) };
  return (await commanded(days, asked, ['keys', 'rotate', declared.name, ...more])).title;
};

const revoke: Step = async (days, team) => {
  const declared = await tryNamed(days, team);
  if (!declared?.enabled) return undefined;
  const disables = new Set((await liveGenerations(days, declared)).map(({ id }) => id));
  days.truth.leaked.add(declared.label);
  const asked = { team, disables, rotates: new Set([declared.label]) };
  return (await commanded(days, asked, ['keys', 'revoke', declared.name, '--reason', 'leaked'])).title;
};

const disable: Step = async (days, team) => {
  const declared = await tryNamed(days, team);
  const current = declared && (await liveGenerations(days, declared)).at(-1);
  if (!declared || !current) return undefined;
  const asked = { team, disables: new Set([current.id]) };
  const { code, title } = await commanded(days, asked, ['keys', 'disable', `name:${declared.name}`]);
  const fact = days.truth.facts.get(current.id);
  if (code === 0 && fact) fact.disabledBy = 'person';
  return title;
};

const enable: Step = async (days, team) => {
  const declared = tryDeclared(days, team);
  const current = declared && (await liveGenerations(days, declared)).at(-1);
  if (!declared?.enabled || current?.status !== 2) return undefined;
  const asked = { team, enables: new Set([declared.label]) };
  return (await commanded(days, asked, ['apply', ...LIMITS, '--allow-enable', declared.name])).title;
};

const rename: Step = async (days, team) => {
  const declared = await tryNamed(days, team);
  if (!declared) return undefined;
  const renames = new Set((await liveGenerations(days, declared)).map(({ id }) => id));
  const name = nameFor(team.prefix, days.fresh(), false);
  const { code, title } = await commanded(days, { team, renames }, ['keys', 'rename', `name:${declared.name}`, name]);
  if (code === 0) change(team, { ...declared, name });
  return title;
};

const remove: Step = async (days, team) => {
  const key = await liveOf(days, team);
  if (!key) return undefined;
  return (await commanded(days, { team, deletes: new Set([key.id]) }, ['keys', 'delete', `${key.id}`])).title;
};

/** Ends everything that the manifest owns. The next run makes what it declares again. */
const destroy: Step = async (days, team) => {
  const { bench, truth } = days;
  const isOwn = (key: StoredKey): boolean =>
    !key.name.startsWith(`${team.prefix}-${PROTECTED}`) &&
    (inScope(team, key) ||
      (truth.facts.get(key.id)?.team === team && team.keys.has(truth.facts.get(key.id)?.label ?? '')));
  const own = new Set((await bench.keys()).filter(isOwn).map(({ id }) => id));
  const { code, title } = await commanded(days, { team, deletes: own }, ['destroy', '--max-deletes', '99']);
  const left = (await bench.keys()).filter(({ id }) => own.has(id));
  if (code === 0 && left.length > 0)
    days.problems.push(`destroy left ${left.map(({ id, name }) => `${id} (${name})`)}`);
  return title;
};

/** Deletes keys that share a name, except one of them and whatever was used. */
const dedupe: Step = async (days, team) => {
  const { bench, truth } = days;
  const before = (await bench.keys()).filter(({ user_id }) => user_id === (team.seat.account === 0 ? 42 : 43));
  const unused = before.filter(
    ({ id, name }) => truth.facts.get(id)?.used === 0 && before.some((each) => each.id !== id && each.name === name),
  );
  if (unused.length === 0) return undefined;
  const deletes = new Set(unused.map(({ id }) => id));
  const { title } = await commanded(days, { team, deletes }, ['keys', 'dedupe']);
  const names = new Set((await bench.keys()).map(({ name }) => name));
  for (const { name } of before) if (!names.has(name)) days.problems.push(`dedupe deleted every ${name}`);
  return title;
};

const targeted: Step = async (days, team) => {
  const declared = tryDeclared(days, team);
  if (!declared) return undefined;
  return (await commanded(days, { team }, ['apply', ...LIMITS, '--key', declared.name])).title;
};

/** Several titles, of so many steps at most. */
async function several(days: Days, most: number, one: () => Promise<string>): Promise<string> {
  const titles: string[] = [];
  for (let n = days.chance.number(most); n >= 0; n -= 1) titles.push(await one());
  return titles.join('; ');
}

/** A saved plan that is applied after something else has happened. */
const late: Step = async (days, team) => {
  const { chance, teams } = days;
  const edited = await anyOf(EDITS, days, () => team);
  const { title, code } = await planned(days, team);
  if (code !== 0) return `${edited}; ${title}`;
  const events = await several(days, 2, () => anyOf(PEOPLE, days, () => chance.pick(teams)));
  const more = chance.happens(0.15) ? await anyOf(EDITS, days, () => team) : '';
  const applied = await commanded(days, { team }, ['apply', 'plan.json', '--max-deletes', '99', '--allow-last-key']);
  return `${edited}; ${title}; ${events}; ${more}; ${applied.title}`;
};

async function planned(days: Days, team: Team) {
  const { code, stderr } = await days.run({ team }, ['plan', '-f', 'manifest', ...LIMITS, '--out', 'plan.json']);
  return { code, title: code === 0 ? 'planned' : `a plan exits with ${code}: ${stderr}` };
}

const KINDS: readonly [Trouble['kind'], ...Trouble['kind'][]] = [
  ...(['killed-before', 'killed-after', 'killed-after', 'cut-before', 'cut-after', 'cut-after'] as const),
  'refused',
  'failed',
];

/** A run in which something goes wrong. */
const troubled: Step = async (days, team) => {
  const { chance } = days;
  const edits = await several(days, 3, () => anyOf(EDITS, days, () => team));
  const writes = chance.happens(0.7);
  const at = 1 + chance.number(writes ? 6 : 20);
  const trouble: Trouble = { kind: chance.pick(KINDS), writes, at, times: 1 + chance.number(2) };
  const declared = chance.happens(0.3) ? tryRotating(days, team) : undefined;
  const rotated = declared?.enabled ? declared : undefined;
  const words = rotated ? ['keys', 'rotate', rotated.name, '--overlap', '1h'] : ['apply', ...LIMITS];
  const asked = { team, rotates: new Set(rotated ? [rotated.label] : []) };
  return `${edits}; ${(await commanded(days, asked, words, trouble)).title}`;
};

export const COMMANDS: readonly [Step, ...Step[]] = [
  ...[rotateNow, rotateNow, revoke, disable, enable, enable, rename, targeted, remove, destroy, dedupe],
  ...[late, late, late, troubled, troubled, troubled, troubled],
] as [Step, ...Step[]];
