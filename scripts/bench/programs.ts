import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

import type { RequestCounts } from './bare-orders.ts';
import { compileProgram } from './compiled.ts';
import type { ProcessCosts } from './process-costs.ts';
import type { IdleTimes, Measured } from './rows.ts';

/** A reference gateway in a separate process. */
export interface BenchGateway {
  readonly url: string;
  /** Returns the requests since the last call. */
  takeRequests(): Promise<RequestCounts>;
  stop(): void;
}

/** Time from start to end, CPU time, the peak of the resident memory, and the time without a request. */
export interface Measurement {
  readonly ms: number;
  readonly cpuMs: number;
  readonly peakMiB: number;
  readonly idle: IdleTimes | undefined;
}

/** A program and the one that is its floor. */
export interface Compared {
  readonly ours: Measurement;
  readonly floor: Measurement;
}

export const comparisonOf = ({ ours, floor }: Compared): Measured => ({
  ours: ours.cpuMs,
  floor: floor.cpuMs,
  clock: { ours: ours.ms, floor: floor.ms },
  peakMiB: ours.peakMiB,
  ...(ours.idle && floor.idle ? { idle: { ours: ours.idle, floor: floor.idle } } : {}),
});

const root = resolve(import.meta.dirname, '../..');
export const PROGRAM = join(root, 'dist/cli/main.js');

/** Starts a reference gateway with the control endpoints. */
export async function startGateway(
  seedFile: string,
  profile = 'contract',
  more: readonly string[] = [],
): Promise<BenchGateway> {
  const child = spawn(
    process.execPath,
    [
      PROGRAM,
      'gateway',
      '--port',
      '0',
      '--control',
      '--seed',
      seedFile,
      '--profile',
      profile,
      '--format',
      'json',
      ...more,
    ],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  );
  // The gateway ends with this process in any case.
  const stop = (): void => {
    child.kill('SIGTERM');
  };
  process.once('exit', stop);
  for await (const line of createInterface({ input: child.stdout })) {
    const { url } = (JSON.parse(line) as { data: { url: string } }).data;
    return {
      url,
      async takeRequests() {
        // The gateway would close a kept connection while a measured program blocks this process for minutes.
        const headers = { connection: 'close' };
        const answer = await fetch(`${url}/_reference/requests`, { method: 'DELETE', headers });
        return ((await answer.json()) as { requests: RequestCounts }).requests;
      },
      stop() {
        process.off('exit', stop);
        stop();
      },
    };
  }
  throw new Error('the gateway ended before it printed its address');
}

const processCosts = compileProgram('process-costs.ts');

interface Place {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
}

function measureProgram(words: readonly string[], { env, cwd }: Place): Measurement {
  const costsFile = join(cwd, 'process-costs');
  const since = process.hrtime.bigint();
  const { status, stderr } = spawnSync(process.execPath, ['--import', processCosts, ...words], {
    cwd,
    env: { ...env, PROCESS_COSTS_FILE: costsFile },
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  const ms = Number(process.hrtime.bigint() - since) / 1e6;
  if (status !== 0) throw new Error(`${words.join(' ').slice(0, 500)} ended with ${status}\n${stderr.slice(-2000)}`);
  const { peakKiB, cpuMs, beforeMs, idleMs } = JSON.parse(readFileSync(costsFile, 'utf8')) as ProcessCosts;
  return { ms, cpuMs, peakMiB: peakKiB / 1024, idle: beforeMs === undefined ? undefined : { beforeMs, idleMs } };
}

/** Runs the command line as a user would. */
export const measure = (args: readonly string[], place: Place): Measurement =>
  measureProgram([PROGRAM, ...args], place);

/**
 * Runs a bare loop, which sends the same requests.
 *
 * @param loop a compiled program
 */
export const measureFloor = (loop: string, order: string, cwd: string): Measurement =>
  measureProgram([loop, order], { cwd, env: { PATH: process.env.PATH } });
