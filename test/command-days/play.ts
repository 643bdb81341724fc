import { type Chance, chanceOf } from '../../scripts/soak/chance.ts';
import type { ProfileName } from '../../src/reference/index.ts';
import { openBench } from './bench.ts';
import { COMMANDS } from './command-steps.ts';
import { byId, type Days } from './days.ts';
import { EDITS } from './manifest-steps.ts';
import { PEOPLE } from './people-steps.ts';
import { settle } from './settle.ts';
import { anyOf } from './step.ts';
import { type Team, writeManifest } from './teams.ts';
import { type Asked, judge, type Truth } from './truth.ts';

const NONE: ReadonlySet<never> = new Set();

function teamsOf(chance: Chance): Days['teams'] {
  const team = (title: string, prefix: string, account: 0 | 1): Team => ({
    title,
    prefix,
    seat: { folder: title, account },
    prune: chance.pick(['never', 'disable', 'delete', 'quarantine', 'quarantine']),
    keys: new Map(),
    removed: new Map(),
  });
  return [team('one', 'a', 0), team('two', 'b', 0), team('three', 'a', 1)];
}

async function open(seed: number, profile: ProfileName): Promise<Days> {
  const chance = chanceOf(seed);
  const bench = await openBench(profile, chance.pick(['file', 'gateway']));
  const truth: Truth = { facts: new Map(), leaked: new Set(), knowsAges: profile !== 'contract', now: bench.now };
  const problems: string[] = [];
  let labels = 0;
  return {
    ...{ bench, chance, truth, problems },
    teams: teamsOf(chance),
    story: [],
    fresh() {
      labels += 1;
      return `k${labels}`;
    },
    async run(asked, words, trouble) {
      await writeManifest(bench, asked.team);
      const before = byId(await bench.keys());
      const ended = await bench.command(asked.team.seat, words, trouble);
      const after = byId(await bench.keys());
      const whole: Asked = { enables: NONE, rotates: NONE, disables: NONE, deletes: NONE, renames: NONE, ...asked };
      problems.push(...judge(truth, whole, before, after));
      bench.pass(1 + chance.number(40));
      return ended;
    },
  };
}

async function playStep(days: Days): Promise<void> {
  const { chance, teams, story, problems } = days;
  const team = chance.pick(teams);
  const steps = chance.pick([EDITS, EDITS, PEOPLE, PEOPLE, COMMANDS]);
  // There may be nothing yet that any of them could be done to.
  const title =
    team.keys.size === 0
      ? await anyOf(EDITS, days, () => team)
      : await anyOf(steps, days, () => chance.pick([team, ...teams]));
  story.push(title);
  if (problems.length === 0 && chance.happens(0.5)) await settle(days, team);
}

/** Plays so many random steps, and returns what was wrong, after everything that happened. */
export async function playDays(seed: number, profile: ProfileName, count: number): Promise<readonly string[]> {
  const days = await open(seed, profile);
  const { bench, problems, story, teams } = days;
  try {
    for (let step = 0; step < count && problems.length === 0; step += 1) await playStep(days);
    for (const team of teams) if (problems.length === 0) await settle(days, team);
  } finally {
    await bench.close();
  }
  if (problems.length === 0) return [];
  const manifests = teams.map(({ title, prune }) => `${title}: prune ${prune}`);
  return [`seed ${seed}, ${profile}:`, ...manifests, ...story.map((line, n) => `${n + 1}. ${line}`), ...problems];
}
