import {
  type ApplyReport,
  asFault,
  type DesiredKey,
  declaredName,
  Fault,
  matchesKeyGlob,
  type Plan,
  pendingChanges,
  type RetainReason,
  tryParseDuration,
  tryRenderOverlap,
} from '../../domain/index.ts';
import type { PlanRequest } from '../../library/index.ts';
import type { Manifest } from '../../manifest/index.ts';
import { type ForcedRotation, reportFaults } from '../../reconcile/index.ts';
import { exitCodeOf, strongestFault } from '../output/exit-codes.ts';
import { plain } from '../output/json/envelope.ts';
import { counted } from '../output/layout/amount.ts';
import { quoted } from '../output/layout/printable.ts';
import type { Context, Result } from '../program/command.ts';
import { has, text } from '../program/option.ts';
import { confirm } from '../session/confirm.ts';
import { type KeyplaneSession, withKeyplane } from '../session/keyplane.ts';
import { selectedNames, selectsKeys } from '../session/named-keys.ts';
import { checkStep } from './checking/check-step.ts';
import { reportResult } from './report-result.ts';

/** @throws Fault `usage.invalid` */
function endOf({ given }: Context): ForcedRotation {
  const overlap = text(given, 'overlap');
  const isLeaked = has(given, 'leaked');
  if (overlap === undefined) return isLeaked ? { end: 'leaked' } : {};
  if (isLeaked) {
    throw new Fault('usage.invalid', '--leaked and --overlap exclude each other.', {
      hint: 'A leaked secret ends as soon as its successor works.',
    });
  }
  const seconds = tryParseDuration(overlap);
  if (seconds !== undefined && tryRenderOverlap(seconds) !== undefined) return { end: { overlap: seconds } };
  throw new Fault(
    'usage.invalid',
    `Invalid overlap ${JSON.stringify(overlap)}: expected a duration such as 1h or 7d.`,
    {
      hint: 'The name of the new key states it, with at most four digits and one unit.',
    },
  );
}

/** The reason why a key cannot get a successor: only a declaration determines what the successor may do. */
export function findNoSuccessor(key: DesiredKey | undefined): string | undefined {
  if (key === undefined) return 'the manifest does not declare it';
  if (key.id !== undefined) return 'it is adopted by its ID, and its successor would have another one';
  return key.enabled === false ? 'it is declared disabled' : undefined;
}

function refuseUndeclared({ desired }: Manifest, names: readonly string[]): void {
  for (const name of names) {
    const why = findNoSuccessor(desired.keys.find((each) => each.name === name));
    if (why === undefined) continue;
    throw new Fault('usage.invalid', `The key ${quoted(name)} cannot be rotated: ${why}.`, {
      hint: 'Declare it by its name, enabled. A key that nobody declares can be disabled with `keyplane keys disable`.',
    });
  }
}

/** The selected keys that can get a successor. The others are shown, and left out. @throws Fault `usage.invalid` when all are */
function replaceable(context: Context, { desired }: Manifest): readonly string[] {
  const selected = selectedNames(context, desired);
  const left = selected.flatMap((name) => {
    const why = findNoSuccessor(desired.keys.find((key) => key.name === name));
    return why === undefined ? [] : [{ name, why }];
  });
  for (const { name, why } of left) context.print(`${quoted(name)} is not rotated: ${why}.`);
  const names = selected.filter((name) => !left.some((each) => each.name === name));
  if (names.length > 0) return names;
  throw new Fault('usage.invalid', 'None of the selected keys can be rotated.');
}

/** A leaked secret that goes on working under a successor is worse than none: whoever asked for its end believes it over. */
function refuseProtected({ desired: { ownership } }: Manifest, names: readonly string[]): void {
  const found = names.filter((name) => matchesKeyGlob(ownership.protect, name));
  if (found.length === 0) return;
  throw new Fault(
    'guard.protected',
    `Protected by the manifest: ${found.map(quoted).join(', ')}. Their leaked secrets would go on working.`,
    {
      hint: 'Nothing was changed. `keyplane keys revoke --allow-protected` disables them, and then creates successors.',
      detail: { names: found },
    },
  );
}

interface Replacement {
  /** Somebody has agreed already. */
  readonly isConfirmed?: boolean;
  readonly names: readonly string[];
  readonly forced: ForcedRotation;
  /** Ends the old generations in the same run. */
  readonly ends: boolean;
}

/** The applies that replaced keys. */
interface ReplacementRuns {
  readonly reports: readonly ApplyReport[];
  /** States what went on working although it was to end. */
  readonly fault?: Fault;
}

/** Creates and proves the successors, then ends what leaked. Each step is an apply of its own, which a later apply repeats. */
async function rotateIn(context: Context, session: KeyplaneSession, rotation: Replacement): Promise<ReplacementRuns> {
  const { names, forced, ends, isConfirmed = false } = rotation;
  const { keyplane, manifest, request, progress } = session;
  const common: PlanRequest = { ...request, only: names };
  const check = checkStep(context, progress);
  const first = await keyplane.apply(manifest, {
    ...common,
    rotate: new Map(names.map((name) => [name, forced])),
    check,
    confirm: async (plan) => {
      if (isConfirmed) return;
      const changes = counted(pendingChanges(plan).length, 'change');
      const end = forced.end === 'leaked' ? ' Their old secrets end as soon as the new ones work.' : '';
      await confirm(context, { about: `${names.map(quoted).join(', ')}: ${changes}.${end}`, expect: 'yes' });
    },
  });
  if (!ends) return { reports: [first] };
  const faults = reportFaults(first);
  if (!leavesOnlyEnds(first, faults))
    return { reports: [first], ...(await stillWorking(session, common, { first, faults })) };
  try {
    const second = await keyplane.apply(manifest, { ...common, check });
    const left = await stillWorking(session, common, { first, second, faults: reportFaults(second) });
    return { reports: [first, second], ...left };
  } catch (thrown) {
    // The successor exists and was delivered: that is reported, whatever prevented the end of its predecessor.
    const fault = asFault(thrown);
    return { reports: [first], fault, ...(await stillWorking(session, common, { first, faults: [fault] })) };
  }
}

/**
 * Did everything succeed but the end of older generations? A run that delivers the secret of their successor leaves that to the next
 * one: an earlier rotation that did not get that far has left them.
 */
const leavesOnlyEnds = ({ outcomes }: ApplyReport, faults: readonly Fault[]): boolean =>
  faults.every(({ code }) => code === 'apply.incomplete') &&
  outcomes.every(({ state, change }) => state === 'applied' || (state === 'skipped' && change.verb === 'disable'));

interface LeakEnding {
  readonly first: ApplyReport;
  readonly second?: ApplyReport;
  /** Everything that is wrong with the last of them. */
  readonly faults: readonly Fault[];
}

/** An old generation that is retained for one of these reasons is disabled. */
const OFF: readonly RetainReason[] = ['already-disabled', 'use-counts'];

/** Lists the live keys of a plan that it does not show as disabled. */
const enabledIn = ({ changes }: Plan) =>
  changes.flatMap((change) => {
    if (change.verb === 'create' || change.verb === 'delete' || change.verb === 'hold') return [];
    const isOff = change.verb === 'retain' && OFF.includes(change.reason);
    return isOff ? [] : [{ id: change.id, name: declaredName(change) }];
  });

/** The fault of a run that left leaked secrets working; nothing where it ended all of them. */
async function stillWorking(
  { keyplane, manifest }: KeyplaneSession,
  request: PlanRequest,
  { first, second, faults }: LeakEnding,
): Promise<{ readonly fault?: Fault }> {
  const ended = (second?.outcomes ?? []).flatMap(({ state, change }) =>
    state === 'applied' && change.verb === 'disable' ? [change.id] : [],
  );
  // Where the gateway no longer answers, every key that was there counts as one that works.
  const plan = second?.plan ?? (await keyplane.plan(manifest, request).catch(() => undefined))?.plan ?? first.plan;
  const before = new Set(enabledIn(first.plan).map(({ id }) => id));
  const left = enabledIn(plan).filter(({ id }) => before.has(id) && !ended.includes(id));
  const names = new Map(left.map(({ id, name }) => [id, `${quoted(name)} (id ${id})`]));
  if (names.size === 0) return {};
  const cause = strongestFault(faults);
  const secrets = names.size === 1 ? 'The old secret of a key' : `The old secrets of ${names.size} keys`;
  const message = `${secrets} may still work: ${[...names.values()].join(', ')}.${cause ? ` ${cause.message}` : ''}`;
  const fault = new Fault(cause?.code ?? 'apply.incomplete', message, {
    hint: `Correct the cause, and run the command again. To end the old secret immediately, whatever still reads it: \`keyplane keys disable ${[...names.keys()].join(' ')}\`.`,
    ...(cause && { cause }),
  });
  return { fault };
}

/** One result of several applies: the last one decides, and the texts of all are shown. */
function resultOfAll(context: Context, { reports, fault }: ReplacementRuns): Result {
  const results = reports.map((report) => reportResult(report, context));
  const last = results.reduce((_, result) => result);
  return {
    ...last,
    ...(fault && { fault, exit: exitCodeOf(fault) }),
    data: plain({ reason: text(context.given, 'reason'), runs: results.map(({ data }) => data) }),
    text: results.map((result) => result.text).join('\n\n'),
  };
}

/** Gives keys that were disabled just now a successor each. Somebody has agreed to it. */
export const replaceRevoked = (context: Context, names: readonly string[]): Promise<Result> =>
  withKeyplane(context, async (session) => {
    const rotation = { names, forced: { end: 'leaked' }, ends: false, isConfirmed: true } as const;
    return resultOfAll(context, await rotateIn(context, session, rotation));
  });

/** Replaces keys by successors now. */
export async function keysRotateAction(context: Context): Promise<Result> {
  const forced = endOf(context);
  const selects = selectsKeys(context);
  return await withKeyplane(context, async (session) => {
    const names = selects ? replaceable(context, session.manifest) : context.arguments;
    refuseUndeclared(session.manifest, names);
    if (forced.end === 'leaked') refuseProtected(session.manifest, names);
    const runs = await rotateIn(context, session, { names, forced, ends: forced.end === 'leaked' });
    return resultOfAll(context, runs);
  });
}
