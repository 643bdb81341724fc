import { type Clock, type Http, type HttpOptions, openHttp, openTurns, systemClock } from '../../http/index.ts';

/** The settings of the connections to sinks, which do not depend on the sink. */
export type SinkConnectionSettings = Pick<HttpOptions, 'ca' | 'proxy' | 'timeouts' | 'clock' | 'random' | 'signal'>;

/** The last writes of this run to a place: a server that lags behind does not show them yet. */
export interface WrittenPlace {
  readonly version: number;
  /** Null: removed. */
  readonly facts: Readonly<Record<string, string | null>>;
  /** Did this run write everything in that version? */
  readonly isOwn: boolean;
}

/** The connection to one server, with its own pace and its own faults. */
export interface SinkConnection {
  readonly http: Http;
  /** Resolves when a write may be sent: writes keep a distance of this time. */
  readonly writeTurn: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
  readonly pause: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
  /** By place. */
  readonly written: Map<string, WrittenPlace>;
  /** Runs the tasks of one place one after the other: each of them reads what the one before it wrote. */
  readonly inTurn: <T>(place: string, task: () => Promise<T>) => Promise<T>;
}

/** The connections of a run, one for each server: a server that hangs or limits requests holds up no other. */
export type SinkConnections = (origin: string) => SinkConnection;

const CONCURRENCY = 4;
/** A sink that limits requests for longer is left to the next run. */
const PATIENCE_MS = 180_000;
const MOST_BYTES = 4 * 1024 * 1024;

/** Opens connections as they are needed. Idle ones do not keep the process alive. */
export function openConnections(settings: SinkConnectionSettings = {}): SinkConnections {
  const { clock = systemClock } = settings;
  const open = new Map<string, SinkConnection>();
  return (origin) => {
    const known = open.get(origin);
    if (known) return known;
    const http = openHttp({ ...settings, concurrency: CONCURRENCY, patienceMs: PATIENCE_MS, maxBytes: MOST_BYTES });
    const pause = (ms: number, signal: AbortSignal | undefined) => clock.sleep(ms, signal);
    const made = { http, writeTurn: distanced(clock), pause, written: new Map(), inTurn: openTurns() };
    open.set(origin, made);
    return made;
  };
}

function distanced(clock: Clock): SinkConnection['writeTurn'] {
  let next = 0;
  return async (ms, signal) => {
    const now = clock.now();
    const at = Math.max(now, next);
    next = at + ms;
    if (at > now) await clock.sleep(at - now, signal);
  };
}
