import type { ProfileName } from '../../src/reference/index.ts';
import type { Disturbance, Injected } from './fault-proxy.ts';
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

export async function runClean(scenario: Scenario, profile: ProfileName): Promise<Clean> {
  const { world, run } = await openScenario(scenario, profile);
  try {
    const { result } = await world.disturb(undefined, run);
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

const disturbanceOf = ({ fault, position }: Combination): Disturbance => ({
  faultOf: (request) => (request.position === position && !fault.closesPort ? fault : undefined),
  ...(fault.closesPort ? { closing: { position, fault } } : {}),
  timesOut: fault.timesOut === true,
});

/** A command that only reads lists the keys once. Without a total, nothing shows that the list lacks a key: see the page. */
const isUndetectable = ({ changes }: Scenario, profile: ProfileName, { fault }: Combination): boolean =>
  fault.hidesKey === true && profile === 'contract' && Object.keys(changes).length === 0;

/** A command, with what an undisturbed run of it did. */
export interface Played {
  readonly scenario: Scenario;
  readonly profile: ProfileName;
  readonly clean: Clean;
}

/** The end of a disturbed run: what is wrong, nothing if it is empty, and the faults that were played. */
export interface Verdict {
  readonly problems: readonly string[];
  readonly injected: readonly Injected[];
}

/** Disturbs a command, then runs it again undisturbed, and compares both runs with the ledger. */
export async function judge(
  { scenario, profile, clean }: Played,
  disturbance: Disturbance,
  isUndetectable = false,
): Promise<Verdict> {
  const { world, run } = await openScenario(scenario, profile);
  try {
    const before = await world.truth();
    const { result: ended, injected } = await world.disturb(disturbance, run);
    const after = await world.truth();
    const { result: again } = await world.disturb(undefined, run);
    const last: Truth = await world.truth();
    const isDoubled = injected.some(({ fault }) => fault.committed === 'twice');
    const lies = isUndetectable ? [] : liesOf(scenario, { before, after, ended, clean: clean.ended, isDoubled });
    return { problems: [...lies, ...unconverged(scenario, before, last, again)], injected };
  } finally {
    await world.close();
  }
}

/** Plays one combination. Returns everything that is wrong; empty: nothing. */
export async function problemsOf(played: Played, combination: Combination): Promise<readonly string[]> {
  const { scenario, profile } = played;
  const { problems, injected } = await judge(
    played,
    disturbanceOf(combination),
    isUndetectable(scenario, profile, combination),
  );
  return [...(injected.length === 1 ? [] : ['the fault was not played']), ...problems];
}
