import { type Chance, chanceOf } from '../../scripts/soak/chance.ts';
import { type ApplyReport, asFault, type Fault } from '../../src/domain/index.ts';
import { createEngine } from '../../src/engine/index.ts';
import { createGatewayStore } from '../../src/gateway/index.ts';
import { endRuns, journalMemory, openMemoryJournal } from '../contract/memory-journal.ts';
import { NOW } from '../reconcile/account.ts';
import { openPeople } from './people.ts';
import { type HistoryEvent, openRecordedGateway, type RecordedGateway } from './recorded-gateway.ts';
import { openSchedule, type Schedule } from './schedule.ts';
import { manifestOf, SEEDS, TEAMS, type Team } from './teams.ts';

/** The end of one run: its report, or the fault that kept it from writing. */
export interface RunEnd {
  readonly writer: string;
  readonly team: Team;
  readonly result: ApplyReport | Fault;
  /** The number of events before it. */
  readonly from: number;
}

/** One history: everything that happened while four runs, people and traffic met, and the runs after that. */
export interface History {
  readonly seed: number;
  readonly isDeployed: boolean;
  readonly gateway: RecordedGateway;
  /** The events while the runs met; what follows is undisturbed. */
  readonly disturbed: readonly HistoryEvent[];
  readonly first: readonly RunEnd[];
  /** One run of each writer, in its own home. */
  readonly next: readonly RunEnd[];
  /** One more run of each team. */
  readonly last: readonly RunEnd[];
}

interface Writer {
  readonly name: string;
  readonly team: Team;
  readonly journal: ReturnType<typeof journalMemory>;
}

const WRITERS = ['one', 'two', 'three', 'four'];
const LONG_SECONDS = 400;

interface Clock {
  seconds: number;
}

/** Runs apply as one machine does. Never throws. */
function runner(gateway: RecordedGateway, schedule: Schedule, clock: Clock) {
  return async ({ name, team, journal }: Writer): Promise<RunEnd> => {
    const now = () => Math.floor(clock.seconds);
    const from = gateway.events.length;
    const keyplane = createEngine({
      store: createGatewayStore(gateway.clientOf(name), { url: 'memory://account', userId: 1 }),
      now,
      concurrency: 2,
      late: {
        journal: openMemoryJournal(journal, now),
        settle: 120,
        async wait({ seconds }) {
          clock.seconds += seconds;
          await schedule.turn(name);
        },
      },
    });
    const request = {
      confirm: () => schedule.turn(name),
      assumeLogComplete: true,
      allow: { maxDeletes: 100, allowLastKey: true },
    };
    const result = await keyplane.apply(manifestOf(team), request).catch(asFault);
    endRuns(journal);
    return { writer: name, team, result, from };
  };
}

interface Scene {
  readonly chance: Chance;
  readonly gateway: RecordedGateway;
  readonly schedule: Schedule;
  readonly clock: Clock;
  readonly isViolent: boolean;
}

/** Something that nobody planned: a person edits, a key spends, a process crashes or is paused. */
function disturb({ chance, gateway, schedule, clock, isViolent }: Scene, writers: readonly Writer[]) {
  const people = openPeople(gateway, chance);
  const crashed = new Set<string>();
  return () => {
    clock.seconds += chance.number(2);
    if (chance.happens(0.08)) people.edit();
    if (chance.happens(0.2)) people.spend();
    if (!isViolent) return;
    const writer = writers[chance.number(writers.length)];
    if (writer === undefined || crashed.has(writer.name)) return;
    const what = chance.number(1_000);
    if (what < 8) {
      crashed.add(writer.name);
      gateway.crash(writer.name);
      endRuns(writer.journal);
    } else if (what < 28) {
      gateway.record({ actor: writer.name, what: 'pauses' });
      schedule.pause(writer.name, 20 + chance.number(150));
      if (chance.happens(0.5)) clock.seconds += LONG_SECONDS;
    } else if (what < 48) gateway.deliverLate();
  };
}

/** Plays the history of a seed: with crashes and paused processes in every second one. */
export async function playHistory(seed: number): Promise<History> {
  const chance = chanceOf(seed);
  const [isViolent, isDeployed] = [seed % 2 === 0, seed % 4 < 2];
  const schedule = openSchedule(chance);
  const clock: Clock = { seconds: NOW };
  const gateway = openRecordedGateway({ chance, schedule, isDeployed, now: () => Math.floor(clock.seconds) });
  for (const settings of SEEDS) gateway.memory.seed(settings);
  const writers = WRITERS.map((name): Writer => ({ name, team: chance.pick(TEAMS), journal: journalMemory() }));
  const run = runner(gateway, schedule, clock);
  const act = disturb({ chance, gateway, schedule, clock, isViolent }, writers);
  const first: RunEnd[] = [];
  for (const writer of writers) void schedule.follow(writer.name, run(writer)).then((end) => first.push(end));
  while (await schedule.step()) act();
  const disturbed = [...gateway.events];

  gateway.calm();
  schedule.open();
  if (chance.happens(0.5)) gateway.deliverLate();
  const next: RunEnd[] = [];
  for (const writer of writers) {
    // A process of its own.
    const ended = run({ ...writer, name: `${writer.name} again` });
    // The rest arrives while the first run waits for it, or works.
    gateway.deliverLate();
    next.push(await ended);
  }
  const last: RunEnd[] = [];
  for (const team of new Set(writers.map((writer) => writer.team))) {
    last.push(await run({ name: `last of ${team}`, team, journal: journalMemory() }));
  }
  return { seed, isDeployed, gateway, disturbed, first, next, last };
}
