import {
  type DesiredKey,
  type DesiredState,
  type DisableReason,
  declaredName,
  type EnableReason,
  type HoldReason,
  isDisabledByQuarantine,
  isExhausted,
  isExpired,
  type ObservedKey,
  type UnixSeconds,
} from '../../domain/index.ts';
import type { ForcedRotation } from '../rotate/succession.ts';

/** Facts that neither the desired nor the observed state shows. */
export interface PlanOptions {
  /**
   * The desired state before the change that is planned: the only record of earlier policies. A key that it declares disabled
   * may be enabled: without state, nothing else shows that nobody disabled it because it leaked.
   */
  readonly basis?: DesiredState | undefined;
  /** Declared names of keys that may be enabled. */
  readonly allowEnable?: readonly string[];
  /** Declared names of keys that get a successor whatever their schedule is, with the end of the predecessor. */
  readonly rotate?: ReadonlyMap<string, ForcedRotation>;
  /** Ends old generations although nothing shows that nobody uses them. */
  readonly endAnyway?: boolean;
  /** The time when a saved plan was made: a successor keeps the name that was reviewed. Omitted: now. */
  readonly madeAt?: UnixSeconds;
}

type StatusChange =
  | { readonly verb: 'enable'; readonly reason: EnableReason }
  | { readonly verb: 'hold'; readonly reason: HoldReason }
  | { readonly verb: 'disable'; readonly reason: DisableReason };

export interface StatusContext {
  readonly now: UnixSeconds;
  readonly options: PlanOptions;
}

/** Was the key declared disabled before, under its live name or else its declared one? */
function wasDisabled(desired: DesiredKey, live: ObservedKey, basis: DesiredState | undefined): boolean {
  const named = (name: string) => basis?.keys.find((key) => key.name === name);
  return (named(live.name) ?? named(declaredName(desired)))?.enabled === false;
}

function permission(desired: DesiredKey, live: ObservedKey, options: PlanOptions): EnableReason | undefined {
  if (options.allowEnable?.includes(declaredName(desired))) return 'permitted';
  if (wasDisabled(desired, live, options.basis)) return 'base';
  return isDisabledByQuarantine(live) ? 'redeclared' : undefined;
}

/**
 * Returns the change of status of a live key that exists as declared; undefined when there is none.
 *
 * A key that is disabled live was disabled by somebody, perhaps because it leaked: enabling it takes a permission, unless its quarantine
 * disabled it. A key in
 * state 3 or 4 is enabled by a second step once its cause is gone. One that stays expired or exhausted by its own
 * declaration cannot be enabled, and need not be disabled.
 *
 * @param after the live key with the settings that the plan writes first
 */
export function statusChange(
  { desired, live, after }: { desired: DesiredKey; live: ObservedKey; after: ObservedKey },
  { now, options }: StatusContext,
): StatusChange | undefined {
  if (desired.enabled === false) return live.status === 'enabled' ? { verb: 'disable', reason: 'declared' } : undefined;
  const stays = isExpired(after, now) ? 'still-expired' : isExhausted(after) ? 'still-exhausted' : undefined;
  if (live.status === 'disabled') {
    if (desired.enabled === undefined) return undefined;
    const reason = permission(desired, live, options);
    if (reason === undefined) return { verb: 'hold', reason: 'unpermitted' };
    return stays ? { verb: 'hold', reason: stays } : { verb: 'enable', reason };
  }
  return live.status === 'enabled' || stays ? undefined : { verb: 'enable', reason: 'repaired' };
}
