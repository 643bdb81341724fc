import type { StoredKey } from './bench.ts';
import type { Days } from './days.ts';
import type { Trouble } from './tap.ts';
import { type Declared, hasName, inScope, PROTECTED, type Team } from './teams.ts';
import { generationsOf } from './truth.ts';

/** One step of a day; undefined where there is nothing that it could be done to. */
export type Step = (days: Days, team: Team) => Promise<string | undefined> | string | undefined;

export const change = (team: Team, declared: Declared): void => {
  team.keys = new Map(team.keys).set(declared.label, declared);
};

export function tryDeclared({ chance }: Days, { keys }: Team): Declared | undefined {
  return [...keys.values()][chance.number(Math.max(1, keys.size))];
}

export async function liveOf(days: Days, team: Team): Promise<StoredKey | undefined> {
  const keys = (await days.bench.keys()).filter((key) => inScope(team, key));
  return keys[days.chance.number(Math.max(1, keys.length))];
}

/** Notes that the keys of a declaration are declared no more, or again. */
export function noteDeclared({ truth, bench }: Days, label: string, isDeclared: boolean): void {
  for (const fact of truth.facts.values()) {
    if (fact.label !== label) continue;
    if (isDeclared) delete fact.undeclaredAt;
    else fact.undeclaredAt = bench.now();
  }
}

/** A declared key that may rotate. */
export function tryRotating(days: Days, team: Team): Declared | undefined {
  const declared = tryDeclared(days, team);
  const isFree = declared?.id === undefined && declared?.name.includes(`-${PROTECTED}`) === false;
  return isFree ? declared : undefined;
}

/** The generations of a declared key, the oldest first. */
export const liveGenerations = async ({ truth, bench }: Days, { label }: Declared) =>
  generationsOf(truth, await bench.keys(), label);

/** A declared key that may be renamed and disabled. */
export function tryRenamable(days: Days, team: Team): Declared | undefined {
  const declared = tryDeclared(days, team);
  return declared?.name.includes(`-${PROTECTED}`) === false ? declared : undefined;
}

/** A declared key whose live keys have its name, and nobody else's do: a name on the command line means these. */
export async function tryNamed(days: Days, team: Team): Promise<Declared | undefined> {
  const declared = tryRotating(days, team);
  if (!declared || declared.renamedFrom !== undefined) return undefined;
  const named = (await days.bench.keys()).filter((key) => inScope(team, key) && hasName(declared.name, key.name));
  const isOwn = named.every(({ id }) => days.truth.facts.get(id)?.label === declared.label);
  return isOwn && named.length > 0 ? declared : undefined;
}

/** Chooses until something is done. */
export async function anyOf(steps: readonly [Step, ...Step[]], days: Days, team: () => Team): Promise<string> {
  for (;;) {
    const title = await days.chance.pick(steps)(days, team());
    if (title !== undefined) return title;
  }
}

/** Runs a command, and states how it ended. */
export async function commanded(
  days: Days,
  asked: Parameters<Days['run']>[0],
  words: readonly string[],
  trouble?: Trouble,
): Promise<{ readonly code: number | undefined; readonly title: string }> {
  const { code, stderr } = await days.run(asked, [...words, '-f', 'manifest', '--yes'], trouble);
  const how = trouble ? ` with ${JSON.stringify(trouble)}` : '';
  const why = code === 0 || trouble ? '' : ` ${stderr.split('\n')[0]}`;
  return { code, title: `${words.join(' ')}${how}: ${code ?? 'killed'}${why}` };
}
