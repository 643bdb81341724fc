import type {
  CheckClass,
  CheckResult,
  Decimal,
  KeyId,
  ObservedKey,
  Quota,
  Secret,
  UnixSeconds,
} from '../../domain/index.ts';
import type { CallbackReceiver, Clock, Gateway, Inference } from '../../gateway/index.ts';
import type { CostEstimate } from '../cost/cost-tracker.ts';
import type { Selected } from '../select.ts';
import type { TaskLedger } from '../tasks/ledger.ts';

/** Events of a run. Amounts are in quota units, as far as they are known. */
export type CheckEvent =
  /** Quota units for one dollar: the rate of the amounts that follow. */
  | { readonly kind: 'begin'; readonly total: number; readonly quotaPerUnit: Decimal }
  /** The estimated cost of a class of checks, before any of them is sent. */
  | { readonly kind: 'estimate'; readonly schedule: CheckClass; readonly estimate: CostEstimate }
  | { readonly kind: 'start'; readonly key: string; readonly check: string }
  | { readonly kind: 'wait'; readonly what: string }
  /** The check does not apply to its key and was not requested by name: the report omits it. */
  | { readonly kind: 'moot'; readonly key: string; readonly check: string }
  | {
      readonly kind: 'result';
      readonly result: CheckResult;
      readonly done: number;
      readonly total: number;
      readonly spent: Quota;
    }
  /** The run is over, or could not begin. */
  | { readonly kind: 'end' };

/** An alternate route to the gateway, from another address. */
export interface AlternateRouteOptions {
  /** The inference API by this route, with a key. */
  readonly inference: (key: Secret) => Inference;
  /** The route in words, for reports. */
  readonly description: string;
  /** The address that the gateway sees, if it is known. */
  readonly address?: string;
}

/** The keys, checks and surroundings of a run. */
export interface CheckRunOptions {
  /** The gateway that the checks call. */
  readonly gateway: Gateway;
  /** All keys of the account, or all that the selection can name. */
  readonly keys: readonly ObservedKey[];
  /** The checks to run, in order. */
  readonly selected: readonly Selected[];
  /** Reasons that keys are declared not to work, by name: a rejection of such a key proves nothing. */
  readonly declaredOff: ReadonlyMap<string, string>;
  /** Quota units per dollar, as the gateway reports them. */
  readonly quotaPerUnit: Decimal;
  /** The ledger of the video tasks that runs paid for. */
  readonly tasks: TaskLedger;
  /** The time of the gateway, by which keys expire. Default: the time of the clock. */
  readonly now?: (() => UnixSeconds) | undefined;
  /** The time of timeouts, waits and reports. */
  readonly clock: Clock;
  /** Checks that run concurrently. */
  readonly concurrency: number;
  /** Starts no further check; running checks finish. */
  readonly signal?: AbortSignal | undefined;
  /** The cost limit of the run, in quota units. */
  readonly cap?: Quota | undefined;
  /** A second route to the gateway, for checks of IP rules. Omitted: those checks are unprovable. */
  readonly alternateRoute?: AlternateRouteOptions | undefined;
  /** Receives notifications about video tasks. */
  readonly receiver?: CallbackReceiver | undefined;
  /** Called for each event of the run. */
  readonly onEvent?: ((event: CheckEvent) => void) | undefined;
  /** Returns a signal that aborts after so many milliseconds. Default: the timers of the system. */
  readonly deadline?: ((ms: number) => AbortSignal) | undefined;
  /** Returns whether images can be decoded here. Default: whether the package for it is installed. */
  readonly canDecodeImages?: (() => Promise<boolean>) | undefined;
  /** Secrets that are already known; the others are revealed in one batch. */
  readonly secrets?: ReadonlyMap<KeyId, Secret> | undefined;
}
