import { isDeepStrictEqual } from 'node:util';
import { type AccountReading, readAccount } from '../../engine/index.ts';
import { type RemoteClock, type TraceEvent, watchGatewayClock } from '../../gateway/index.ts';
import type { GatewaySection } from '../../manifest/index.ts';
import type { Context } from '../program/command.ts';
import { type Connected, connectSilently, showTrace } from './connect.ts';

/** A reading of the account, of which nothing was shown yet. */
export interface BegunReading extends Connected {
  readonly account: Promise<AccountReading>;
  /** The time of the gateway, by its answers so far. */
  readonly clock: RemoteClock;
  /** Shows what happened so far, and from now on. */
  readonly show: () => void;
}

/** A reading of the account that began while the manifest was still being read. */
export interface Ahead {
  /** The reading, if it is that of the account which the whole manifest names. Otherwise it ends. */
  readonly take: (whole: GatewaySection) => Promise<BegunReading | undefined>;
  /** Aborts what is under way, and closes the connection. */
  readonly end: () => Promise<void>;
}

/**
 * Begins to read the account that a section of a manifest names, if nobody has to be asked for that. What it finds wrong is not
 * reported: whoever does not get the reading does the same again.
 */
export function readAhead(context: Context, section: GatewaySection): Ahead {
  const ending = new AbortController();
  const opening = begin(context, section, ending.signal).catch(() => undefined);
  const end = async (): Promise<void> => {
    ending.abort();
    await (await opening)?.gateway.close();
  };
  return {
    end,
    async take(whole) {
      if (isDeepStrictEqual(whole, section)) return await opening;
      await end();
      return undefined;
    },
  };
}

async function begin(context: Context, section: GatewaySection, ending: AbortSignal): Promise<BegunReading> {
  const clock = watchGatewayClock(context.io.clock);
  const trace = holdTrace((event) => showTrace(context, event));
  const connected = await connectSilently(context, section, (event) => {
    clock.watch(event);
    trace.pass(event);
  });
  const signal = AbortSignal.any([context.interruption.signal, ending]);
  const account = readAccount(connected.gateway.within({ signal }).store, clock.now);
  // Whoever takes it gets the error.
  account.catch(() => {});
  return { ...connected, account, clock, show: trace.release };
}

/** Holds events until they may be shown. */
function holdTrace(show: (event: TraceEvent) => void) {
  let held: TraceEvent[] | undefined = [];
  return {
    pass: (event: TraceEvent): void => {
      if (held) held.push(event);
      else show(event);
    },
    release(): void {
      const events = held ?? [];
      held = undefined;
      for (const event of events) show(event);
    },
  };
}
