import { Fault, pendingChanges } from '../../src/domain/index.ts';
import { reportFaults } from '../../src/reconcile/index.ts';
import type { History, RunEnd } from './history.ts';
import { EDITED } from './people.ts';
import type { HistoryEvent } from './recorded-gateway.ts';
import { GRANTS, manifestOf, SEEDS } from './teams.ts';

export interface Verdict {
  readonly problems: readonly string[];
  /** The edits that were overwritten within the round trip between the last read and the write. */
  readonly roundTrips: number;
  readonly edits: number;
  readonly crashes: number;
  /** The twins that runs made and deleted again. */
  readonly twins: number;
}

const codesOf = ({ result }: RunEnd): readonly string[] =>
  result instanceof Fault ? [result.code] : reportFaults(result).map(({ code }) => code);

/** Did this edit fall between the last read of the writer and its write? */
function isInRoundTrip(events: readonly HistoryEvent[], at: number, write: number): boolean {
  const { actor, id } = events[write] as HistoryEvent;
  const isRead = (event: HistoryEvent): boolean =>
    event.actor === actor && event.id === id && (event.what === 'reads' || event.what === 'lists');
  return events.slice(0, write).findLastIndex(isRead) < at;
}

/** The writes of runs to a key after an event. */
const writesAfter = (events: readonly HistoryEvent[], at: number): readonly number[] =>
  events.flatMap(({ actor, what, id }, i) =>
    i > at && id === events[at]?.id && actor !== 'person' && (what === 'updates' || what === 'deletes') ? [i] : [],
  );

const isSuperseded = (events: readonly HistoryEvent[], at: number): boolean =>
  events.some(
    ({ actor, what, id, of }, i) =>
      i > at && actor === 'person' && id === events[at]?.id && (what === 'deletes' || of === events[at]?.of),
  );

/** The ids of the keys at the beginning, and of those among them that manifests prune. */
const KNOWN = SEEDS.length;
const PRUNED: ReadonlySet<number> = new Set([5, 10]);

/**
 * A key that a manifest prunes may be deleted with whatever was edited before the plan, unless it was renamed. Twins are
 * compared by their settings: two keys differ in unknown fields anyway. A disabled twin may go where the key that stays is
 * disabled too.
 */
function mayBeDeleted({ gateway: { events, memory } }: History, { id = 0, of }: HistoryEvent): boolean {
  if (id <= KNOWN) return of !== 'name' && PRUNED.has(id);
  const name = events.find((event) => event.what === 'creates' && event.id === id)?.of;
  const kept = [...memory.records.values()].filter((record) => record.name === name);
  return of === 'note' || (of === 'status' && kept.some(({ status }) => status === 2));
}

function lostEdits(history: History) {
  const { events, memory } = history.gateway;
  let roundTrips = 0;
  const lost = events.flatMap((event, at) => {
    const { actor, what, id = 0, of = '', value } = event;
    const isEdit = actor === 'person' && what === 'edits' && EDITED.some((field) => field === of);
    if (!isEdit || isSuperseded(events, at)) return [];
    const stored: Readonly<Record<string, unknown>> | undefined = memory.records.get(id);
    if (stored?.[of] === value) return [];
    if (stored === undefined && mayBeDeleted(history, event)) return [];
    const isExcused = of !== 'status' || stored === undefined;
    if (isExcused && writesAfter(events, at).some((write) => isInRoundTrip(events, at, write))) {
      roundTrips += 1;
      return [];
    }
    return [`the edit of ${of} of key ${id} (event ${at}) is lost: ${stored?.[of]}`];
  });
  return { lost, roundTrips };
}

/** Twins that differ, or that were used, are for a person to decide; until then the runs of their team change nothing. */
const waitsForPerson = (end: RunEnd): boolean => codesOf(end).some((code) => /duplicate|ambiguous/.test(code));

/** Keys with one name. Only those that somebody has edited or used may be left, and are reported. */
function leftTwins({ gateway: { memory, events }, last }: History): readonly string[] {
  const names = [...memory.records.values()].map(({ name }) => name);
  const doubled = [...new Set(names.filter((name, i) => names.indexOf(name) !== i))];
  return doubled.flatMap((name) => {
    const twins = [...memory.records.values()].filter((record) => record.name === name);
    const isLeft =
      twins.some(({ id, used_quota }) => used_quota > 0 || isTouched(events, id)) && last.some(waitsForPerson);
    return isLeft ? [] : [`twins of ${name}: ${twins.map(({ id }) => id)}`];
  });
}

/** Budgets above the policy after the last run. */
function grantedTooMuch({ gateway: { memory }, last }: History): readonly string[] {
  const teams = last.flatMap((end) => (waitsForPerson(end) ? [] : [end.team]));
  return [...memory.records.values()].flatMap(({ id, name, remain_quota, used_quota }) => {
    const isJudged = teams.some((team) => name.startsWith(`${team}-`));
    const excess = remain_quota + used_quota - (GRANTS.get(name) ?? Number.POSITIVE_INFINITY);
    return isJudged && excess > 0 ? [`key ${id} (${name}) has ${excess} units more than its budget`] : [];
  });
}

const isForeign = (id: number): boolean => id === KNOWN || id === KNOWN - 1;

const foreignTouched = ({ gateway: { events } }: History): readonly string[] =>
  events.flatMap(({ actor, what, id = 0 }) =>
    isForeign(id) && actor !== 'person' && ['updates', 'switches', 'deletes'].includes(what)
      ? [`${actor} ${what} key ${id}, which nobody declared`]
      : [],
  );

const isTouched = (events: readonly HistoryEvent[], id: number | undefined): boolean =>
  events.some(({ what, id: of }) => (what === 'deletes' || what === 'edits') && of === id);

/** A create that a run reports as not made, and that it made; nobody touched the key since. */
function untrueReports({ gateway: { events }, first }: History): readonly string[] {
  return first.flatMap(({ writer, result, from }) => {
    if (result instanceof Fault) return [];
    return result.outcomes.flatMap((outcome) => {
      if (outcome.change.verb !== 'create') return [];
      const { name } = outcome.change;
      const made = events.some(
        ({ actor, what, of, id }, i) =>
          i >= from && actor === writer && what === 'creates' && of === name && !isTouched(events, id),
      );
      const isDenied =
        outcome.state === 'skipped' || (outcome.state === 'failed' && outcome.fault.code !== 'apply.duplicate');
      return made && isDenied ? [`${writer} made ${name}, and reports ${outcome.state}`] : [];
    });
  });
}

const unconverged = ({ last, gateway: { memory } }: History): readonly string[] =>
  last.flatMap((end) => {
    if (waitsForPerson(end)) return [];
    const codes = codesOf(end);
    const names = new Set([...memory.records.values()].map(({ name }) => name));
    const missing = manifestOf(end.team).keys.filter(({ name }) => !names.has(name));
    const left = end.result instanceof Fault ? [] : pendingChanges(end.result.plan);
    return [
      ...codes.map((code) => `the last run of team ${end.team} ends with ${code}`),
      ...missing.map(({ name }) => `${name} is missing`),
      ...left.map(({ verb, name }) => `the last run still had to ${verb} ${name}`),
    ];
  });

const countOf = (events: readonly HistoryEvent[], isCounted: (event: HistoryEvent) => boolean): number =>
  events.filter(isCounted).length;

export function judge(history: History): Verdict {
  const { events } = history.gateway;
  const { lost, roundTrips } = lostEdits(history);
  return {
    problems: [
      ...lost,
      ...leftTwins(history),
      ...grantedTooMuch(history),
      ...foreignTouched(history),
      ...untrueReports(history),
      ...unconverged(history),
    ],
    roundTrips,
    edits: countOf(events, ({ actor, what }) => actor === 'person' && what === 'edits'),
    crashes: countOf(events, ({ what }) => what === 'crashes'),
    twins: countOf(events, ({ what, id = 0 }) => what === 'deletes' && id > KNOWN),
  };
}
