import type { ProfileName } from '../../src/reference/index.ts';
import { FAULTS, type FaultKind } from './faults.ts';
import { liesOf, unconverged } from './lies.ts';
import type { Scenario } from './scenarios.ts';
import { type Ended, openWorld, type Truth, type World } from './world.ts';

/** An undisturbed run: its requests are the positions that faults strike. */
export interface Clean {
  readonly ended: Ended;
  readonly routes: readonly string[];
}

export interface Combination {
  readonly fault: FaultKind;
  /** From 1. */
  readonly position: number;
}

async function openScenario({ seed, files, start }: Scenario, profile: ProfileName): Promise<Started> {
  const world = await openWorld(profile, seed);
  for (const [name, text] of Object.entries(files)) await world.write(name, text);
  return { world, run: await start(world) };
}

interface Started {
  readonly world: World;
  readonly run: () => Promise<Ended>;
}

async function runClean(scenario: Scenario, profile: ProfileName): Promise<Clean> {
  const { world, run } = await openScenario(scenario, profile);
  try {
    const { result } = await world.strike(undefined, run);
    return { ended: result, routes: world.proxy.seen.map(({ route }) => route) };
  } finally {
    await world.close();
  }
}

export const PROFILES = ['contract', 'deployed'] as const satisfies readonly ProfileName[];

/** A command with its undisturbed runs. */
export const measure = async (scenario: Scenario) => ({
  scenario,
  runs: { contract: await runClean(scenario, 'contract'), deployed: await runClean(scenario, 'deployed') },
});

/** Every fault at every position that it is about. */
export const combinationsOf = ({ routes }: Pick<Clean, 'routes'>): readonly Combination[] =>
  routes.flatMap((route, index) =>
    FAULTS.filter(({ about }) => about?.(route) ?? true).map((fault) => ({ fault, position: index + 1 })),
  );

/** A command that only reads lists the keys once. Without a total, nothing shows that the list lacks a key: see the page. */
const isUndetectable = ({ changes }: Scenario, profile: ProfileName, { fault }: Combination): boolean =>
  fault.hidesKey === true && profile === 'contract' && Object.keys(changes).length === 0;

/** Plays one combination, then runs the command again undisturbed. Returns everything that is wrong; empty: nothing. */
export async function problemsOf(
  scenario: Scenario,
  { profile, clean }: { readonly profile: ProfileName; readonly clean: Clean },
  combination: Combination,
): Promise<readonly string[]> {
  const { world, run } = await openScenario(scenario, profile);
  try {
    const before = await world.truth();
    const { result: ended, played } = await world.strike(combination, run);
    const after = await world.truth();
    const { result: again } = await world.strike(undefined, run);
    const last: Truth = await world.truth();
    return [
      ...(played ? [] : ['the fault was not played']),
      ...(isUndetectable(scenario, profile, combination)
        ? []
        : liesOf(scenario, {
            before,
            after,
            ended,
            clean: clean.ended,
            isDoubled: combination.fault.committed === 'twice',
          })),
      ...unconverged(scenario, before, last, again),
    ];
  } finally {
    await world.close();
  }
}
