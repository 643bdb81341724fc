import type { CheckClass, CheckResult, Decimal, KeyId, ObservedKey, Quota, Secret } from '../../domain/index.ts';
import type { CallbackReceiver, Clock, Gateway, Inference } from '../../gateway/index.ts';
import type { CostEstimate } from '../cost/cost-tracker.ts';
import type { Selected } from '../select.ts';
import type { Tasks } from '../tasks/ledger.ts';

/** What happens while checks run. Amounts are in quota units, and as far as they are known. */
export type CheckEvent =
  | { readonly kind: 'begin'; readonly total: number }
  /** What the next ones will come to: before any of them is sent. */
  | { readonly kind: 'estimate'; readonly schedule: CheckClass; readonly estimate: CostEstimate }
  | { readonly kind: 'start'; readonly key: string; readonly check: string }
  | { readonly kind: 'wait'; readonly what: string }
  /** It turned out to mean nothing for its key, and nobody asked for it by name: it is not in the report. */
  | { readonly kind: 'moot'; readonly key: string; readonly check: string }
  | {
      readonly kind: 'result';
      readonly result: CheckResult;
      readonly done: number;
      readonly total: number;
      readonly spent: Quota;
    };

/** Another way to the gateway, under another address. */
export interface AlternateRouteOptions {
  readonly inference: (key: Secret) => Inference;
  readonly description: string;
  readonly address?: string;
}

export interface CheckRunOptions {
  readonly gateway: Gateway;
  /** All keys of the account, or all that can be meant. */
  readonly keys: readonly ObservedKey[];
  readonly selected: readonly Selected[];
  /** Why a key is declared not to work, by its name: nothing is proven by its being refused. */
  readonly declaredOff: ReadonlyMap<string, string>;
  readonly quotaPerUnit: Decimal;
  readonly tasks: Tasks;
  readonly clock: Clock;
  /** Checks under way together. */
  readonly concurrency: number;
  /** Lets nothing new begin; what is under way is finished. */
  readonly signal?: AbortSignal | undefined;
  /** The most that the run may cost, in quota units. */
  readonly cap?: Quota | undefined;
  readonly alternateRoute?: AlternateRouteOptions | undefined;
  readonly receiver?: CallbackReceiver | undefined;
  readonly onEvent?: ((event: CheckEvent) => void) | undefined;
  /** A signal that aborts after so many milliseconds; the system’s timers unless reported. */
  readonly deadline?: ((ms: number) => AbortSignal) | undefined;
  /** Credentials that are known already; the others are revealed in one batch. */
  readonly secrets?: ReadonlyMap<KeyId, Secret> | undefined;
}
