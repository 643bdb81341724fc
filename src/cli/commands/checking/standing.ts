import { setTimeout as wait } from 'node:timers/promises';
import type { CheckReport } from '../../../domain/index.ts';
import { openMonitor } from '../../../monitor/index.ts';
import { EXIT, exitCodeOf } from '../../output/exit-codes.ts';
import type { Context, Result } from '../../program/command.ts';
import { deliver } from '../../program/deliver.ts';
import { listenAddress } from './options.ts';
import type { Proven } from './report-text.ts';

export interface Standing {
  /** Seconds from the beginning of one run to that of the next. */
  readonly every: number;
  readonly run: () => Promise<Proven>;
  readonly resultOf: (run: Proven) => Promise<Result>;
}

/** So many runs may fail to end in time before the standing run calls itself ill; a long run is no illness. */
const PATIENCE_RUNS = 3;
const LEAST_PATIENCE_MS = 3_600_000;

/** What no waiting will mend: a wrong command line, a wrong manifest, refused credentials. */
const isHopeless = ({ fatal }: CheckReport): boolean =>
  fatal !== undefined && (exitCodeOf(fatal) === EXIT.usage || exitCodeOf(fatal) === EXIT.credentials);

/**
 * Runs again and again until it is told to stop, which is its proper end. A run that fails is reported, and the next one
 * comes all the same; the manifest is read anew each time. Only what is hopeless at the first time ends it.
 */
export async function standing(context: Context, { every, run, resultOf }: Standing): Promise<Result> {
  const { io, interruption } = context;
  const place = listenAddress(context, 'metrics') ?? { host: '127.0.0.1', port: 0 };
  const patienceMs = Math.max(PATIENCE_RUNS * every * 1000, LEAST_PATIENCE_MS);
  const monitor = await openMonitor({ ...place, now: () => io.clock() * 1000, patienceMs });
  context.say(`Metrics at ${monitor.url}/metrics, health at ${monitor.url}/healthz. Ctrl-C stops.`);
  const work = async (): Promise<Result | undefined> => {
    for (let runs = 1; !interruption.signal.aborted; runs += 1) {
      const began = io.clock();
      const proven = await run();
      const result = await resultOf(proven);
      if (runs === 1 && isHopeless(proven.report)) return result;
      monitor.record(proven.report);
      await deliver(context, result, []);
      const leftMs = Math.max(0, (began + every - io.clock()) * 1000);
      await wait(leftMs, undefined, { signal: interruption.signal }).catch(() => undefined);
    }
    return undefined;
  };
  try {
    const ended = await interruption.finishing(work, { announce: () => context.say('Stopping.') });
    if (ended) return ended;
  } finally {
    await monitor.close();
  }
  return { exit: EXIT.done, data: null, text: '', delivered: true };
}
