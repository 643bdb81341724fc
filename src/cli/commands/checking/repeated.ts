import type { CheckReport } from '../../../domain/index.ts';
import { openMonitor } from '../../../monitor/index.ts';
import { EXIT, exitCodeOf } from '../../output/exit-codes.ts';
import type { Context, Result } from '../../program/command.ts';
import { deliver } from '../../program/deliver.ts';
import { listenAddress } from './options.ts';
import type { ReportedRun } from './report-text.ts';

export interface RepeatedRun {
  /** Seconds from the beginning of one run to that of the next. */
  readonly every: number;
  readonly run: () => Promise<ReportedRun>;
  readonly resultOf: (run: ReportedRun) => Promise<Result>;
}

/** The number of intervals without a finished run after which the monitor reports unhealthy; a long run is healthy. */
const PATIENCE_RUNS = 3;
const LEAST_PATIENCE_MS = 3_600_000;

/** Waiting does not fix a wrong command line, a wrong manifest or rejected credentials. */
const isHopeless = ({ fatal }: CheckReport): boolean =>
  fatal !== undefined && (exitCodeOf(fatal) === EXIT.usage || exitCodeOf(fatal) === EXIT.credentials);

/**
 * Runs repeatedly until it is stopped, which is success. A run that fails is reported, and the next one follows; each run
 * reads the manifest again. Only a hopeless first run ends it.
 */
export async function repeat(context: Context, { every, run, resultOf }: RepeatedRun): Promise<Result> {
  const { io, interruption } = context;
  const place = listenAddress(context, 'metrics') ?? { host: '127.0.0.1', port: 0 };
  const patienceMs = Math.max(PATIENCE_RUNS * every * 1000, LEAST_PATIENCE_MS);
  const monitor = await openMonitor({ ...place, steady: io.steady, patienceMs, mask: context.mask });
  context.print(`Metrics at ${monitor.url}/metrics, health at ${monitor.url}/healthz. Ctrl-C stops.`);
  const work = async (): Promise<Result | undefined> => {
    for (let runs = 1; !interruption.signal.aborted; runs += 1) {
      const began = io.steady();
      const proven = await run();
      const result = await resultOf(proven);
      if (runs === 1 && isHopeless(proven.report)) return result;
      monitor.record(proven.report);
      await deliver(context, result, context.takeDiagnostics());
      const leftMs = Math.max(0, began + every * 1000 - io.steady());
      await io.pause(leftMs / 1000, interruption.signal);
    }
    return undefined;
  };
  try {
    const ended = await interruption.finishing(work, { announce: () => context.print('Stopping.') });
    if (ended) return ended;
  } finally {
    await monitor.close();
  }
  return { exit: EXIT.done, data: null, text: '', delivered: true };
}
