import type { TraceEvent } from '../../gateway/index.ts';
import type { PluginLog } from '../serve/log.ts';

/** Waits that people notice, in milliseconds. */
const NOTICEABLE_MS = 1000;

/**
 * Logs each request. A wait for the gateway’s request limit is a warning, once for all requests that wait until then: nothing else explains
 * why a run takes minutes.
 *
 * @param now milliseconds
 */
export function traceLog(log: PluginLog, now: () => number): (event: TraceEvent) => void {
  let until = 0;
  return (event) => {
    log('debug', 'request', { ...event });
    if (event.kind !== 'wait' || event.reason !== 'rate-limited') return;
    const end = now() + event.ms;
    if (end - Math.max(until, now()) < NOTICEABLE_MS) return;
    until = end;
    log('warn', `waiting ${Math.ceil(event.ms / 1000)} s: the gateway limits the number of requests`);
  };
}
