import type { Diagnostic } from './diagnostic.ts';
import type { FaultCode } from './fault.ts';
import type { Moved } from './plan/report.ts';

/** The facts about the request that failed, as far as they are known. */
export interface RequestDetail {
  readonly method?: string;
  /** Without the query, which may hold secrets. */
  readonly path?: string;
  /** The certainty that the request left this machine. */
  readonly sent?: 'no' | 'maybe' | 'yes';
  /** The status of the response. */
  readonly status?: number;
  /** The ID that the gateway gave the request. */
  readonly requestId?: string;
}

/** The details of codes that are not about a request alone. Members are absent where they are unknown. */
interface OwnDetails {
  readonly 'manifest.invalid': { readonly diagnostics?: readonly Diagnostic[] };
  readonly 'request.invalid': { readonly field?: string; readonly diagnostics?: readonly unknown[] };
  readonly 'plan.stale': { readonly moved?: readonly Moved[] };
  readonly 'plan.ambiguous': { readonly ambiguous?: readonly unknown[] };
  readonly 'plan.other-manifest': { readonly planned?: string | null; readonly found?: string };
  readonly 'plan.unexpected': { readonly expected?: string; readonly found?: string };
  readonly 'plan.unreadable': { readonly problems?: readonly string[] };
  readonly 'plan.not-held': { readonly names?: readonly string[] };
  readonly 'plan.no-such-key': { readonly unmatched?: readonly string[] };
  readonly 'plan.usage-too-long': { readonly keys?: readonly string[]; readonly pages?: number };
  readonly 'credentials.other-account': { readonly owner?: number; readonly configured?: number };
  readonly 'apply.locked': {
    readonly holder?: {
      readonly process: number;
      readonly host: string;
      readonly run?: string;
      readonly since: number;
    };
    /** The file of the lock, where it is kept on this machine. */
    readonly lock?: string;
  };
  readonly 'apply.duplicate': { readonly name?: string; readonly ids?: readonly number[] };
  readonly 'store.failed': { readonly method: string };
  readonly 'video.unsettled': { readonly taskId: string };
  readonly 'gateway.indeterminate': RequestDetail & { readonly model?: string; readonly submittedAt?: number };
}

/** The detail of a guard’s refusal: every reason, of which the code is that of the first. */
interface RefusalDetail {
  readonly refusals?: readonly Diagnostic[];
}

/** The detail of a fault, by its code. */
export type DetailOf<C extends FaultCode> = C extends keyof OwnDetails
  ? OwnDetails[C]
  : C extends `guard.${string}`
    ? RefusalDetail
    : C extends
          | `gateway.${string}`
          | `request.${string}`
          | `key.${string}`
          | `credentials.${string}`
          | 'wallet.empty'
          | `stream.${string}`
      ? RequestDetail
      : Readonly<Record<string, unknown>>;
