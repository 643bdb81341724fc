import { type Decimal, Fault, type UnixSeconds } from '../domain/index.ts';
import { untilAborted } from '../engine/index.ts';
import type { CallLimits, Clock, Gateway } from '../gateway/index.ts';
import type { CreateJournal, LateCreates } from '../reconcile/index.ts';
import { checkCallLimits } from './client-options.ts';

/** The parts that all calls of one client share. */
export interface ClientContext {
  readonly gateway: Gateway;
  /** The time of the gateway. */
  readonly now: () => UnixSeconds;
  /** The part that calls learn for later ones: the quota units for one dollar at the first call that needed them. */
  readonly known: { rate?: Decimal };
  /** Ends when the last call that gives a key this name has ended. */
  readonly naming: Map<string, Promise<void>>;
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
  /** Quota units for one dollar, as this client knew them first: for messages, and not for amounts. */
  readonly rate: () => Promise<Decimal>;
  /** Aborts when the call is to begin nothing more. */
  readonly signal?: AbortSignal;
  /** The protection of a create that takes effect late. */
  late(): LateCreates;
  /** The fault of a call that was ended. */
  ended(): Fault;
}

export function openCall(context: ClientContext, limits: CallLimits = {}): CallScope {
  const { now, known, clock, journal, settleSeconds } = context;
  checkCallLimits(limits);
  const { timeoutMs } = limits;
  const gateway = Object.keys(limits).length === 0 ? context.gateway : context.gateway.within(limits);
  const timeout = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs);
  const signals = [context.signal, limits.signal, timeout].filter((each) => each !== undefined);
  const signal = signals.length > 1 ? AbortSignal.any(signals) : signals[0];
  return {
    gateway,
    now,
    async rate() {
      known.rate ??= await gateway.store.quotaPerUnit();
      return known.rate;
    },
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

/**
 * Lets the calls of one client that give keys the same name run one after the other. Concurrent ones would each find the name free,
 * and make a key.
 *
 * @throws Fault what ended the call while it waited
 */
export function inTurn<T>({ context: { naming }, call, name }: NamedCall, work: () => Promise<T>): Promise<T> {
  const earlier = naming.get(name) ?? Promise.resolve();
  const waited = untilAborted(call.signal, earlier).catch(() => {
    throw call.ended();
  });
  const result = waited.then(work);
  const ended: Promise<void> = Promise.allSettled([earlier, result]).then(() => {
    if (naming.get(name) === ended) naming.delete(name);
  });
  naming.set(name, ended);
  return result;
}

interface NamedCall {
  readonly context: ClientContext;
  readonly call: CallScope;
  /** The name that the call gives a key. */
  readonly name: string;
}
