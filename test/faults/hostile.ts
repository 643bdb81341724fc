import { createHash } from 'node:crypto';
import { chanceOf } from '../../scripts/soak/chance.ts';
import { judge, type Played, runClean } from './combinations.ts';
import type { Disturbance, Injected, NumberedRequest } from './fault-proxy.ts';
import { FAULTS, type FaultKind } from './faults.ts';
import type { Scenario } from './scenarios.ts';

/** The share of requests that meet a fault, by the seed: some runs come far, some meet faults in every repetition. */
const SHARES = [0.03, 0.1, 0.3];

/** A closed port is not about one request. */
const PLAYED = FAULTS.filter(({ closesPort }) => !closesPort);

/** Empty 429s, pages that shift, and lost answers: they are chosen more often than the rest. */
const FREQUENT = PLAYED.filter(
  ({ title, hidesKey, timesOut }) => hidesKey || timesOut || title.includes('429') || title.includes('cut connection'),
);
const FREQUENT_SHARE = 0.6;

const identityOf = ({ target, ordinal }: Injected['request']): string => `${target} #${ordinal}`;

function faultBySeed(seed: number, request: NumberedRequest): FaultKind | undefined {
  const digest = createHash('sha256')
    .update(`${seed} ${identityOf(request)}`)
    .digest();
  const chance = chanceOf(digest.readUInt32LE());
  if (!chance.happens(SHARES[seed % SHARES.length] ?? 0)) return undefined;
  const kinds = chance.happens(FREQUENT_SHARE) ? FREQUENT : PLAYED;
  const fitting = kinds.filter(({ about }) => about?.(request.route) ?? true);
  return fitting[chance.number(fitting.length)];
}

/** The faults of a hostile server. Method, path and ordinal of a request decide, with the seed, so that each run repeats. */
export const hostility = (seed: number): Disturbance => ({
  faultOf: (request) => faultBySeed(seed, request),
  timesOut: true,
});

/** Only these faults. */
export function replay(injected: readonly Injected[]): Disturbance {
  const faults = new Map(injected.map(({ request, fault }) => [identityOf(request), fault]));
  return { faultOf: (request) => faults.get(identityOf(request)), timesOut: true };
}

/** Drops fault after fault while something is still wrong: each that is left is needed. */
export async function shrink(
  injected: readonly Injected[],
  isWrong: (fewer: readonly Injected[]) => Promise<boolean>,
): Promise<readonly Injected[]> {
  for (const dropped of injected) {
    const fewer = injected.filter((each) => each !== dropped);
    if (await isWrong(fewer)) return shrink(fewer, isWrong);
  }
  return injected;
}

export const renderInjected = (injected: readonly Injected[]): string =>
  injected.map(({ request, fault }) => `  ${identityOf(request)}: ${fault.title}`).join('\n');

/** A scenario whose account has keys of others on a second page. */
export const crowded = (scenario: Scenario): Scenario => ({
  ...scenario,
  seed: {
    ...scenario.seed,
    keys: [
      ...(scenario.seed.keys ?? []),
      ...Array.from({ length: 120 }, (_, i) => ({ id: 1_000 + i, name: `theirs-${i}`, remain_quota: 1 })),
    ],
  },
});

export const playedOn = async (scenario: Scenario): Promise<Played> => ({
  scenario,
  profile: 'deployed',
  clean: await runClean(scenario, 'deployed'),
});

/** The faults that a seed played and, if something was wrong, the fewest that cause it. */
export interface Shown {
  readonly injected: readonly Injected[];
  readonly failure?: string;
}

/** Plays a seed, and shrinks what fails. */
export async function playSeed(played: Played, seed: number): Promise<Shown> {
  const { problems, injected } = await judge(played, hostility(seed));
  if (problems.length === 0) return { injected };
  const problemsWith = async (faults: readonly Injected[]) => (await judge(played, replay(faults))).problems;
  const fewest = await shrink(injected, async (fewer) => (await problemsWith(fewer)).length > 0);
  const lines = [...problems, 'with only these faults:', ...(await problemsWith(fewest))];
  return {
    injected,
    failure: `seed ${seed}, ${played.scenario.title}: ${lines.join('\n  ')}\n${renderInjected(fewest)}\nall faults:\n${renderInjected(injected)}`,
  };
}
