import {
  type ApplyReport,
  type DesiredKey,
  Fault,
  pendingChanges,
  tryParseDuration,
  tryRenderOverlap,
} from '../../domain/index.ts';
import type { PlanRequest } from '../../library/index.ts';
import type { Manifest } from '../../manifest/index.ts';
import { type ForcedRotation, reportFaults } from '../../reconcile/index.ts';
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

interface Replacement {
  /** Somebody has agreed already. */
  readonly isConfirmed?: boolean;
  readonly names: readonly string[];
  readonly forced: ForcedRotation;
  /** Ends the old generations in the same run. */
  readonly ends: boolean;
}

/** Creates and proves the successors, then ends what leaked. Each step is an apply of its own, which a later apply repeats. */
async function rotateIn(context: Context, session: KeyplaneSession, rotation: Replacement) {
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
  if (!ends || reportFaults(first).length > 0) return [first];
  return [first, await keyplane.apply(manifest, { ...common, check })];
}

/** One result of several applies: the last one decides, and the texts of all are shown. */
function resultOfAll(context: Context, reports: readonly ApplyReport[]): Result {
  const results = reports.map((report) => reportResult(report, context));
  const last = results.reduce((_, result) => result);
  return {
    ...last,
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
    const reports = await rotateIn(context, session, { names, forced, ends: forced.end === 'leaked' });
    return resultOfAll(context, reports);
  });
}
