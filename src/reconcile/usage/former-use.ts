import {
  type DesiredKey,
  type KeyId,
  type Quota,
  quota,
  stemOf,
  tryParseGeneration,
  type UnixSeconds,
  type Unverified,
  usageSince,
} from '../../domain/index.ts';
import type { Matching, Pair } from '../observe/match.ts';
import type { KeyStore } from '../ports.ts';
import { isOld } from '../rotate/lineage.ts';
import type { Use } from './evidence.ts';
import { type LogReader, type LogReading, type Need, tooLong } from './log-reading.ts';
import { DEFAULT_LOG_PAGES, PAGES_BEFORE_SUMS } from './log-use.ts';

/**
 * The use of a window's allowance by other keys, under the name of a declared key: those that were deleted, or that somebody gave another
 * name. A key that is created again in the same window gets what they left.
 *
 * Entries count by the name that the key had when it made them, as generations of it too. Those of keys that are declared under another
 * name count there. A key that holds its whole allowance is not looked up by itself, so that an unchanged plan reads no log for it.
 */

/** A declared key with an allowance for each window. */
interface FormerNeed {
  readonly desired: DesiredKey;
  readonly since: UnixSeconds;
  /** The end of the time in which it had the name of its origin. */
  readonly until?: UnixSeconds | undefined;
  /** The stems of its name, and of its former one; with an origin, that of its name alone. */
  readonly stems: readonly string[];
}

/** The use under declared names, and the names of which it is not known. */
export interface FormerUse {
  readonly used: ReadonlyMap<string, Quota>;
  readonly unknown: ReadonlyMap<string, Unverified>;
}

const NO_FORMER_USE: FormerUse = { used: new Map(), unknown: new Map() };

/** The declared name of a generation, or of a key that was never rotated. */
export const lineNameOf = ({ name, of }: Pick<DesiredKey, 'name' | 'of'>): string => of ?? name;

const stemIn = (name: string): string => tryParseGeneration(name)?.stem ?? stemOf(name);

/** A former name counts, unless another key is declared under it. */
function needOf(desired: DesiredKey, declared: ReadonlySet<string>, now: UnixSeconds): FormerNeed | undefined {
  const { budget, renamedFrom, origin } = desired;
  const since = budget?.kind === 'window' ? usageSince(budget, now) : undefined;
  if (since === undefined) return undefined;
  if (origin) return { desired, since, until: origin.until, stems: [stemIn(origin.name)] };
  const former = typeof renamedFrom === 'string' && !declared.has(renamedFrom) ? [stemIn(renamedFrom)] : [];
  return { desired, since, stems: [stemIn(lineNameOf(desired)), ...former] };
}

interface KnownGrants {
  readonly grants: readonly Need[];
  /** The use of the keys whose use is known without the log. */
  readonly counted: ReadonlyMap<KeyId, Use>;
  /** The keys whose use is a sum by name, which contains what former keys of the name used. */
  readonly summed?: ReadonlySet<KeyId> | undefined;
}

/** Does a key, with all that its generations used, account for its whole allowance? */
function isWhole({ live, lineage }: Pair, { granted }: Need, { counted }: KnownGrants): boolean {
  if (live.unlimited) return false;
  const members = lineage?.members ?? [{ live }];
  const used = members.reduce((sum, member) => sum + (counted.get(member.live.id)?.least ?? Number.NaN), 0);
  return Number.isNaN(used) ? live.remain === granted : live.remain + used >= granted;
}

/** Can another key have had the name of this one since the window began? Another generation can, whatever the age of this one is. */
const mayHavePredecessor = ({ live: { name, createdAt }, lineage }: Pair, { since }: Need): boolean =>
  createdAt === undefined ||
  createdAt >= since ||
  (lineage?.members.length ?? 1) > 1 ||
  tryParseGeneration(name) !== undefined;

/**
 * Lists the declared keys whose allowance other keys may have used: those that are to be created, and those that are not as old as the
 * window and hold less than it allows.
 */
export function formerNeeds(
  { pairs, missing }: Pick<Matching, 'pairs' | 'missing'>,
  known: KnownGrants,
  now: UnixSeconds,
): readonly FormerNeed[] {
  const hasWindow = ({ budget }: DesiredKey): boolean => budget?.kind === 'window';
  if (!missing.some(hasWindow) && !pairs.some(({ desired }) => hasWindow(desired))) return [];
  const declared = new Set([...missing, ...pairs.map(({ desired }) => desired)].map(lineNameOf));
  const byId = new Map(known.grants.map((need) => [need.key.id, need]));
  const unsure = pairs.filter((pair) => {
    const need = byId.get(pair.live.id);
    const isUnsure = need !== undefined && !isOld(pair) && !known.summed?.has(pair.live.id);
    return isUnsure && mayHavePredecessor(pair, need) && !isWhole(pair, need, known);
  });
  const needs = [...missing, ...unsure.map(({ desired }) => desired)];
  return needs.flatMap((desired) => needOf(desired, declared, now) ?? []);
}

interface FormerSides extends Pick<KnownGrants, 'counted'> {
  readonly log: LogReader;
  readonly pairs: readonly Pair[];
  readonly maxLogPages?: number;
  readonly mayLeaveUnverified?: boolean;
}

/** Keys whose names nothing was used under, by the sums of the gateway: a request for each, however long the log is. */
async function unusedBySum(store: KeyStore, needs: readonly FormerNeed[]): Promise<ReadonlySet<FormerNeed>> {
  const unused = new Set<FormerNeed>();
  for (const need of needs) {
    // A generation has the minute in its name, so only the log shows under which names one was used.
    const { name, origin } = need.desired;
    if (origin && (origin.until !== undefined || origin.name !== name)) continue;
    if (need.stems.length > 1 || need.desired.rotate || tryParseGeneration(name) || stemOf(name) !== name) continue;
    const used = await store.sumUsage({ name, from: need.since });
    // A store that cannot sum up for one key cannot for any.
    if (used === undefined) return unused;
    if (used === 0) unused.add(need);
  }
  return unused;
}

/**
 * Adds up the entries of these keys that no declared live key made. Of entries without a key ID, those are left that a live key of the
 * name accounts for, where its use is known without them.
 */
function sumFormer(
  needs: readonly FormerNeed[],
  { spent }: LogReading,
  { pairs, counted }: Pick<FormerSides, 'pairs' | 'counted'>,
): FormerUse['used'] {
  const own = new Set<KeyId | undefined>(pairs.map(({ live }) => live.id));
  const byStem = new Map(needs.flatMap((need) => need.stems.map((stem) => [stem, need] as const)));
  const needsByName = new Map<string, FormerNeed | undefined>();
  const used = new Map<string, number>();
  const accounted = new Map<KeyId, string>();
  for (const { id, name, at, units, isNamed } of spent) {
    const isOwn = own.has(id) && !(isNamed && id !== undefined && counted.has(id));
    if (isOwn) continue;
    if (!needsByName.has(name)) needsByName.set(name, byStem.get(stemIn(name)));
    const need = needsByName.get(name);
    if (need === undefined || at < need.since || at > (need.until ?? Number.POSITIVE_INFINITY)) continue;
    const of = lineNameOf(need.desired);
    if (id !== undefined && own.has(id)) accounted.set(id, of);
    used.set(of, (used.get(of) ?? 0) + units);
  }
  for (const [id, of] of accounted) used.set(of, (used.get(of) ?? 0) - (counted.get(id)?.least ?? 0));
  // A refund of a charge in an earlier window gives nothing.
  return new Map([...used].flatMap(([name, units]) => (units > 0 ? [[name, quota(units)] as const] : [])));
}

/**
 * Finds what other keys used under the names of declared keys. Reads the log as far back as the windows of these keys began, where
 * sums do not show that it has nothing.
 *
 * @throws Fault `plan.usage-too-long` when that is more than the run may read, unless keys may stay unverified.
 */
export async function readFormerUse(
  store: KeyStore,
  needs: readonly FormerNeed[],
  { log, pairs, counted, maxLogPages = DEFAULT_LOG_PAGES, mayLeaveUnverified = false }: FormerSides,
): Promise<FormerUse> {
  if (needs.length === 0) return NO_FORMER_USE;
  const reach = (some: readonly FormerNeed[]): UnixSeconds => Math.min(...some.map(({ since }) => since));
  const early = await log.readBack(reach(needs), Math.min(PAGES_BEFORE_SUMS, maxLogPages));
  const isShort = early.since <= reach(needs);
  const rest = (PAGES_BEFORE_SUMS * (early.since - reach(needs))) / Math.max(1, early.newest - early.since);
  const unused = isShort || needs.length >= rest ? new Set<FormerNeed>() : await unusedBySum(store, needs);
  const open = needs.filter((need) => !unused.has(need));
  if (open.length === 0) return NO_FORMER_USE;
  const reading = await log.readBack(reach(open), maxLogPages);
  const unread = open.filter(({ since }) => reading.since > since).map(({ desired }) => lineNameOf(desired));
  if (unread.length > 0 && !mayLeaveUnverified) throw tooLong(unread, maxLogPages);
  return {
    used: sumFormer(open, reading, { pairs, counted }),
    unknown: new Map(unread.map((name) => [name, 'log-too-long'] as const)),
  };
}
