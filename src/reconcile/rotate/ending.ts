import {
  type DesiredKey,
  type DesiredState,
  type LastUse,
  matchesAnyGlob,
  type ObservedKey,
  type ObservedState,
  propagateOf,
  type RetainReason,
  renderInstant,
  type UnixSeconds,
} from '../../domain/index.ts';
import { currentOf, type Lineage, successorOf } from './lineage.ts';

const DAY = 86_400;

/** The overlap of a generation whose key does not declare one. */
const USUAL_OVERLAP = 7 * DAY;

/** The time without use after which an old generation of a key counts as unused. */
export const quietOf = (key: Pick<DesiredKey, 'rotate' | 'deliver'>): number =>
  key.rotate?.quiet ?? Math.max(DAY, 4 * propagateOf(key));

/** The fate of a generation that has a successor. */
export type Fate =
  | { readonly verb: 'disable' | 'delete' }
  | { readonly verb: 'retain'; readonly reason: RetainReason; readonly why: string };

export interface FateContext {
  readonly ownership: DesiredState['ownership'];
  readonly observed: Pick<ObservedState, 'lastUse' | 'ownUse'>;
  readonly now: UnixSeconds;
  /** Ends old generations without evidence that nobody uses them. */
  readonly endAnyway?: boolean;
}

const retain = (reason: RetainReason, why: string): Fate => ({ verb: 'retain', reason, why });

/**
 * Decides what becomes of a generation that has a successor. Pure.
 *
 * It is disabled once its overlap is over and evidence shows that nothing used it lately, and deleted when a later run finds it
 * disabled. One that leaked waits for neither. A run disables it only after the secret of its successor was delivered and proven.
 */
export function fateOf(lineage: Lineage, live: ObservedKey, context: FateContext): Fate {
  const { ownership, now } = context;
  if (matchesAnyGlob(ownership.protect, lineage.of.name)) return retain('protected', 'the key is protected');
  if (currentOf(lineage).live.status === 'disabled') {
    return retain('successor-disabled', 'its successor is disabled, so that it may be the only one that works');
  }
  const isLeaked = isLeakedIn(lineage, live);
  const end = isLeaked ? now : endOf(lineage, live);
  if (live.status === 'disabled') return fateOfDisabled(live, end, context);
  if (now < end) return retain('overlap', `its overlap lasts until ${renderInstant(end)}`);
  if (isLeaked || context.endAnyway) return { verb: 'disable' };
  return fateByUse(lineage, context.observed.lastUse?.get(live.id), context);
}

/** Was this generation, or a later one, replaced because it leaked? */
export const isLeakedIn = ({ members }: Lineage, { id }: ObservedKey): boolean =>
  members.slice(members.findIndex(({ live }) => live.id === id) + 1).some(({ stated }) => stated?.end === 'leaked');

/** The time when the overlap of a generation is over. A successor that came late gets the whole overlap all the same. */
export function endOf(lineage: Lineage, live: ObservedKey): UnixSeconds {
  const successor = successorOf(lineage, live) ?? currentOf(lineage);
  const began = Math.max(successor.stated?.born ?? 0, successor.live.createdAt ?? 0);
  const stated = successor.stated?.end;
  if (stated === 'leaked') return began;
  return began + (stated?.overlap ?? lineage.of.rotate?.overlap ?? USUAL_OVERLAP);
}

/** A disabled generation is deleted once its use no longer counts for the budget: nothing else remembers it. */
function fateOfDisabled({ id }: ObservedKey, end: UnixSeconds, { observed, now }: FateContext): Fate {
  if (now < end) return retain('already-disabled', `it is disabled, and deleted after ${renderInstant(end)}`);
  if ((observed.ownUse?.get(id) ?? 0) !== 0) {
    return retain('use-counts', 'it is disabled, and kept as long as its use counts for the budget of the key');
  }
  return { verb: 'delete' };
}

function fateByUse(lineage: Lineage, use: LastUse | undefined, { now }: FateContext): Fate {
  const quiet = quietOf(lineage.of);
  const seen = seenText(use);
  if (use?.at !== undefined && now - use.at < quiet)
    return retain('in-use', `its overlap is over, and it is still used: ${seen}`);
  if (!use?.isProven) {
    return retain('use-unknown', `its overlap is over, and nothing shows whether it is still used: ${seen}`);
  }
  return { verb: 'disable' };
}

/** `last used 2026-11-25T14:30:00Z from 10.0.0.1`. */
function seenText({ at, addresses = [] }: LastUse = { isProven: false }): string {
  if (at === undefined) return 'no use is known';
  return `last used ${renderInstant(at)}${addresses.length > 0 ? ` from ${addresses.join(', ')}` : ''}`;
}
