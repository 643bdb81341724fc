import {
  amountInQuota,
  type DesiredState,
  declaredName,
  type Edit,
  isDisabledByQuarantine,
  matchesAnyGlob,
  type ObservedKey,
  type ObservedState,
  type PlanNote,
  planNote,
  quota,
  renderInstant,
} from '../../domain/index.ts';
import type { Pair } from '../observe/match.ts';
import { type Fate, type FateContext, fateOf, isLeakedIn } from '../rotate/ending.ts';
import { birthOf, currentOf, type Generation, type Lineage, withKeys } from '../rotate/lineage.ts';
import { type ForcedRotation, settingsOfSuccessor, successionOf } from '../rotate/succession.ts';
import { commonOf, type Decision, settingsChange } from './decision.ts';
import { patchOf, snapshotOf } from './diff.ts';
import { inDollars } from './moved.ts';
import { isInQuarantine, planRestored, timesOf } from './quarantine.ts';
import type { StatusContext } from './status.ts';

interface LineageContext extends StatusContext {
  readonly ownership: DesiredState['ownership'];
}

const NOTHING: Decision = { changes: [], notes: [] };

const WAITS = {
  disabled: 'it is due for rotation and gets no successor, because it is disabled at the gateway',
  'old-generation': 'it is due for rotation, and gets a successor once its old generation has ended',
} as const;

/** Plans the successor of the current generation, where one is due or asked for. @param edits those that its declaration asks for */
export function planSuccessor(
  { desired, live, lineage }: Pair,
  edits: readonly Edit[],
  { now, options, ownership }: LineageContext,
): Decision {
  if (lineage === undefined) return NOTHING;
  const { name: of } = lineage.of;
  const forced = options.rotate?.get(of);
  if (!forced && matchesAnyGlob(ownership.protect, of)) return NOTHING;
  const succession = successionOf(lineage, options.madeAt ?? now, forced);
  if (succession === undefined) return NOTHING;
  if ('waits' in succession) return { changes: [], notes: [planNote('rotation-waits', WAITS[succession.waits], of)] };
  const { name } = succession;
  const settings = settingsOfSuccessor(live, edits, name);
  const enabled = desired.enabled !== false;
  return {
    changes: [{ ...commonWithoutId(desired, live), verb: 'create', name, of, settings, enabled }],
    notes: [planNote('rotation-due', dueText(currentOf(lineage), forced), of)],
  };
}

function commonWithoutId(...sides: Parameters<typeof commonOf>) {
  const { id: _id, name: _name, ...rest } = commonOf(...sides);
  return rest;
}

function dueText(current: Generation, forced: ForcedRotation | undefined): string {
  const birth = birthOf(current);
  const age = birth === undefined ? 'of unknown age' : `of ${renderInstant(birth)}`;
  return `its generation ${age} gets a successor${forced ? ', as asked for' : ''}; ${endText(current, forced)}`;
}

function endText({ live }: Generation, forced: ForcedRotation | undefined): string {
  if (live.status === 'disabled') return 'it stays disabled';
  if (forced?.end === 'leaked') return 'it ends as soon as the successor works, used or not';
  return 'it ends after the overlap, once nobody uses it';
}

/** Plans an old generation: it keeps the declared settings while it works, and ends once its successor has taken over. */
export function planOld(
  pair: Pair,
  edits: readonly Edit[],
  { now, options, ownership, observed }: LineageContext & { readonly observed: ObservedState },
): Decision {
  const { desired, live, lineage } = pair;
  if (lineage === undefined) return NOTHING;
  const { endAnyway = false } = options;
  // The clock that is behind counts: what a consumer may still use ends late rather than early.
  const at = timesOf(observed, now).earliest;
  const { fate, isBack } = fateBack(pair, lineage, { ownership, observed, now: at, endAnyway });
  const common = commonOf(desired, live);
  const isOff = live.status === 'disabled' && !isBack;
  const kept = isOff ? edits.filter(({ field }) => field === 'name') : capped(pair, edits, observed);
  const end = { ...common, before: snapshotOf(live), reason: 'rotated' } as const;
  return {
    changes: [
      ...(isInQuarantine(live) ? planRestored(common, live, kept) : settingsChange(common, live, kept)),
      ...(isBack ? [{ ...common, before: snapshotOf(live), verb: 'enable', reason: 'redeclared' } as const] : []),
      ...(fate.verb === 'retain' ? [{ ...common, verb: fate.verb, reason: fate.reason }] : []),
      ...(fate.verb === 'disable' ? [{ ...end, verb: fate.verb }] : []),
      ...(fate.verb === 'delete' ? [{ ...end, verb: fate.verb }] : []),
    ],
    notes: fate.verb === 'retain' ? [retainNote(pair, kept, { fate, observed })] : [],
  };
}

/**
 * Decides what becomes of an old generation. One that its quarantine disabled is enabled again, as its key is, if it would have
 * stayed otherwise: its overlap may not be over. One that leaked never is, whatever else would have kept it.
 */
function fateBack(
  { desired, live }: Pair,
  lineage: Lineage,
  context: FateContext,
): { readonly fate: Fate; readonly isBack: boolean } {
  const enabled = (key: ObservedKey): ObservedKey =>
    isDisabledByQuarantine(key) && desired.enabled !== false ? { ...key, status: 'enabled' } : key;
  const back = withKeys(lineage, enabled);
  const fate = fateOf(back, enabled(live), context);
  if (enabled(live) === live) return { fate, isBack: false };
  if (isLeakedIn(lineage, live)) return { fate: fateOf(back, live, context), isBack: false };
  return fate.verb === 'retain' ? { fate, isBack: true } : { fate: fateOf(back, live, context), isBack: false };
}

/**
 * A budget that refills, or a limit on the overlap, never gives an old generation more than it has. The limit waits until every
 * sink has the secret of the successor: before, readers have nothing else to use.
 */
function capped({ desired, live }: Pair, edits: readonly Edit[], observed: ObservedState): readonly Edit[] {
  const { budget, rotate } = desired;
  const isHeld = observed.undelivered?.has(declaredName(desired)) === true;
  const overlapBudget = isHeld ? undefined : rotate?.overlapBudget;
  const limit = overlapBudget && amountInQuota(overlapBudget, observed.quotaPerUnit);
  if (limit === undefined && budget?.kind !== 'top-up') return edits;
  const wanted = { unlimited: live.unlimited, remain: live.remain, ...patchOf(edits) };
  const held = live.unlimited ? Number.POSITIVE_INFINITY : live.remain;
  const asked = wanted.unlimited ? Number.POSITIVE_INFINITY : wanted.remain;
  const most = Math.min(held, asked, limit ?? Number.POSITIVE_INFINITY);
  const others = edits.filter(({ field }) => field !== 'remain' && field !== 'unlimited');
  if (!Number.isFinite(most)) return edits;
  const remain = quota(Math.max(0, most));
  return [
    ...others,
    ...(live.unlimited ? [{ field: 'unlimited', before: true, after: false } as const] : []),
    ...(live.unlimited || remain !== live.remain
      ? [{ field: 'remain', before: live.remain, after: remain } as const]
      : []),
  ];
}

interface Retained {
  readonly fate: Extract<Fate, { verb: 'retain' }>;
  readonly observed: ObservedState;
}

function retainNote({ desired, live }: Pair, edits: readonly Edit[], { fate, observed }: Retained): PlanNote {
  const { unlimited, remain } = { ...live, ...patchOf(edits) };
  const spends = unlimited ? 'without a limit of its own' : `up to ${inDollars(remain, observed.quotaPerUnit)}`;
  const isHeld = desired.rotate?.overlapBudget && observed.undelivered?.has(declaredName(desired));
  const limit = isHeld ? ': `overlapBudget` waits until every sink has the new secret' : '';
  const excess = live.status === 'disabled' ? '' : `; until it ends, it can also spend ${spends}${limit}`;
  const text = `its old generation “${live.name}” (id ${live.id}) stays: ${fate.why}${excess}`;
  return planNote('old-generation', text, declaredName(desired));
}
