import {
  byText,
  type Change,
  type DesiredKey,
  type DesiredState,
  declaredName,
  type Exposure,
  exposureOf,
  initialCeiling,
  isExpired,
  type KeyName,
  type KeyPolicy,
  NO_EXPOSURE,
  type ObservedKey,
  type ObservedState,
  type Policy,
  type UnixSeconds,
  type Verb,
} from '../../domain/index.ts';
import type { Matching } from '../observe/match.ts';
import { isOld } from '../rotate/lineage.ts';
import { patchOf, settingsOfNew } from './diff.ts';

type Create = Extract<Change, { verb: 'create' }>;

interface PolicyContext {
  /** The keys of the earlier manifest, by name; absent: unknown. */
  readonly earlier: ReadonlyMap<string, DesiredKey> | undefined;
  readonly observed: Pick<ObservedState, 'quotaPerUnit'>;
  readonly now: UnixSeconds;
}

const UNMANAGED: Policy = { kind: 'unmanaged' };
const UNKNOWN: Policy = { kind: 'unknown' };
const NONE: Policy = { kind: 'none' };
const NO_CHANGES: readonly Change[] = [];

/** The earlier policy of a live key, under the name that it has now or the one that it is renamed to. */
function policyBefore({ earlier }: PolicyContext, names: readonly string[]): Policy {
  if (!earlier) return UNKNOWN;
  const declared = names.flatMap((name) => earlier.get(name) ?? [])[0];
  return declared?.budget ?? UNMANAGED;
}

/** The exposure of a live key; none while it is disabled or expired. */
function exposureNow(policy: Policy, key: ObservedKey, enabled: boolean, { observed, now }: PolicyContext): Exposure {
  return enabled && !isExpired(key, now) ? exposureOf(policy, key, observed.quotaPerUnit) : NO_EXPOSURE;
}

function policyOfNew(key: DesiredKey, create: Create | undefined, { observed: { quotaPerUnit } }: PolicyContext) {
  const after: Policy = key.budget ?? UNMANAGED;
  const ceiling = key.budget ? initialCeiling(key.budget, quotaPerUnit) : settingsOfNew(key, quotaPerUnit);
  return named(create ?? key, {
    before: NONE,
    after,
    exposure: {
      before: NO_EXPOSURE,
      after: key.enabled !== false ? exposureOf(after, ceiling, quotaPerUnit) : NO_EXPOSURE,
    },
  });
}

/** The policy of a successor. It may spend what its predecessors left of the budget. */
function policyOfSuccessor(create: Create, { budget }: DesiredKey, { observed: { quotaPerUnit } }: PolicyContext) {
  const after: Policy = budget ?? UNMANAGED;
  const exposure = create.enabled ? exposureOf(after, create.settings, quotaPerUnit) : NO_EXPOSURE;
  return named(create, { before: NONE, after, exposure: { before: NO_EXPOSURE, after: exposure } });
}

/** A live key as its changes leave it; undefined once it is deleted. */
function leave(
  live: ObservedKey,
  desired: DesiredKey | undefined,
  changes: readonly Change[],
): { key: ObservedKey; enabled: boolean } | undefined {
  // No run enables an expired or exhausted key that is declared disabled, whatever its expiry and quota become.
  const isOff = live.status === 'disabled' || (live.status !== 'enabled' && desired?.enabled === false);
  if (changes.length === 0) return { key: live, enabled: !isOff };
  const does = (verb: Verb): boolean => changes.some((change) => change.verb === verb);
  if (does('delete')) return undefined;
  const edits = changes.flatMap((change) => ('edits' in change ? change.edits : []));
  const enabled = does('enable') || !(isOff || does('disable'));
  return { key: edits.length === 0 ? live : { ...live, ...patchOf(edits) }, enabled };
}

function policyOfLive(
  live: ObservedKey,
  desired: DesiredKey | undefined,
  own: readonly Change[],
  context: PolicyContext & {
    /** An old generation spends what it holds, until it ends. */
    readonly isLast?: boolean;
  },
) {
  const left = leave(live, desired, own);
  const before = policyBefore(context, desired ? [desired.of ?? desired.name, live.name] : [live.name]);
  const after: Policy = left ? (desired?.budget ?? UNMANAGED) : NONE;
  return named(desired ?? live, {
    id: live.id,
    before,
    after,
    exposure: {
      before: exposureNow(before, live, live.status !== 'disabled', context),
      after: left ? exposureNow(context.isLast ? UNMANAGED : after, left.key, left.enabled, context) : NO_EXPOSURE,
    },
  });
}

/**
 * Adds the names to a policy. The name comes first in a plain literal: V8 would give each policy a shape of its own if it came from
 * a spread, and those of 100,000 keys would take three times as long to make and to read.
 */
function named(
  { name, of }: { readonly name: string; readonly of?: KeyName },
  policy: Omit<KeyPolicy, 'name' | 'of'>,
): KeyPolicy {
  return of ? { name, of, ...policy } : { name, ...policy };
}

const inOrder = (a: KeyPolicy, b: KeyPolicy): number => byText(a.name, b.name) || (a.id ?? 0) - (b.id ?? 0);

/**
 * The budget policy and the exposure of every owned key, before and after these changes, by name.
 *
 * Disabled, expired and deleted keys cannot spend, nor can exhausted ones that are declared disabled: their exposure is
 * nothing. Retained keys count with what they hold, keys outside the scope do not count. Without the earlier manifest, earlier policies are unknown.
 */
export function policiesOf(
  { pairs, missing, undeclared }: Matching,
  changes: readonly Change[],
  {
    basis,
    ...rest
  }: Omit<PolicyContext, 'earlier'> & {
    /** The desired state before. */
    readonly basis?: DesiredState | undefined;
  },
): readonly KeyPolicy[] {
  const context = { ...rest, earlier: basis && new Map<string, DesiredKey>(basis.keys.map((key) => [key.name, key])) };
  const byId = new Map<number, Change[]>();
  for (const change of changes) {
    // Most keys are kept as they are, which is the same as no change of theirs.
    if (change.verb === 'create' || change.verb === 'keep') continue;
    const same = byId.get(change.id);
    if (same) same.push(change);
    else byId.set(change.id, [change]);
  }
  const creates = changes.filter((change) => change.verb === 'create');
  const byName = new Map<string, Create>();
  for (const create of creates) if (!byName.has(declaredName(create))) byName.set(declaredName(create), create);
  const declared = new Map(pairs.flatMap(({ lineage }) => (lineage ? [[lineage.of.name, lineage.of] as const] : [])));
  const successors = creates.flatMap((create) => {
    const key = create.of && declared.get(create.of);
    return key ? [[create, key] as const] : [];
  });
  const own = (key: ObservedKey): readonly Change[] => byId.get(key.id) ?? NO_CHANGES;
  const ofLive = (isLast: boolean) => ({ ...context, isLast });
  const [current, last] = [ofLive(false), ofLive(true)];
  return [
    ...missing.map((key) => policyOfNew(key, byName.get(key.name), context)),
    ...successors.map(([create, key]) => policyOfSuccessor(create, key, context)),
    ...pairs.map((pair) => policyOfLive(pair.live, pair.desired, own(pair.live), isOld(pair) ? last : current)),
    ...undeclared.map((live) => policyOfLive(live, undefined, own(live), context)),
  ].sort(inOrder);
}
