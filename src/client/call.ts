import { Fault, type UnixSeconds } from '../domain/index.ts';
import type { CallLimits, Clock, Gateway } from '../gateway/index.ts';
import type { CreateJournal, LateCreates } from '../reconcile/index.ts';

/** The parts that all calls of one client share. */
export interface ClientContext {
  readonly gateway: Gateway;
  /** The time of the gateway. */
  readonly now: () => UnixSeconds;
  readonly clock: Clock;
  readonly journal: CreateJournal;
  /** The time after which a create that was sent and is not listed counts as lost, in seconds. */
  readonly settleSeconds: number;
  /** Ends the writes of the whole client. */
  readonly signal: AbortSignal | undefined;
}

/** One call, with its limits. */
export interface CallScope {
  readonly gateway: Gateway;
  readonly now: () => UnixSeconds;
  /** Aborts when the call is to begin nothing more. */
  readonly signal?: AbortSignal;
  /** The protection of a create that takes effect late. */
  late(): LateCreates;
  /** The fault of a call that was ended. */
  ended(): Fault;
}

export function openCall(context: ClientContext, limits: CallLimits = {}): CallScope {
  const { gateway, now, clock, journal, settleSeconds } = context;
  const { timeoutMs } = limits;
  const timeout = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs);
  const signals = [context.signal, limits.signal, timeout].filter((each) => each !== undefined);
  const signal = signals.length > 1 ? AbortSignal.any(signals) : signals[0];
  return {
    gateway: Object.keys(limits).length === 0 ? gateway : gateway.within(limits),
    now,
    ...(signal ? { signal } : {}),
    late: () => ({
      journal,
      settle: settleSeconds,
      wait: ({ seconds }) => clock.sleep(seconds * 1000, signal),
    }),
    ended: () =>
      timeout?.aborted && signal?.reason === timeout.reason
        ? new Fault('gateway.timeout', `The call was not finished within ${timeoutMs} ms, its time limit.`, {
            remedy: 'allow-more-time',
            detail: { sent: 'no' },
            cause: timeout.reason,
          })
        : new Fault('gateway.interrupted', 'The call was ended before its change was made.', {
            detail: { sent: 'no' },
            cause: signal?.reason,
          }),
  };
}
