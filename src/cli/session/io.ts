import type { Readable, Writable } from 'node:stream';
import type { Machine } from '../../disk/index.ts';
import type { UnixSeconds } from '../../domain/index.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** A stream to write to, which may be a terminal. */
export type Output = Writable & { readonly isTTY?: boolean; readonly columns?: number };

export type InterruptSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

/** All that the command line takes from the world: a test hands in its own. */
export interface Io {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  /** Carries the result and nothing else. */
  readonly stdout: Output;
  /** Everything else: questions, progress, warnings, faults. */
  readonly stderr: Output;
  readonly env: Environment;
  readonly cwd: string;
  /** Seconds, with fraction. */
  readonly clock: () => number;
  /** Resolves after some seconds, or when the signal aborts. */
  readonly pause: (seconds: number, signal: AbortSignal) => Promise<void>;
  /** Milliseconds that no change of the clock moves. */
  readonly steady: () => number;
  /** Calls the work again and again until the returned function is called; keeps no process alive. */
  readonly every: (ms: number, work: () => Promise<void>) => () => void;
  readonly random: () => number;
  readonly pid: number;
  /** Returns true while code that V8 compiles in this run is kept for others: its flags must stay as they are. */
  readonly keepsCode: () => boolean;
  /** The name of this machine. */
  readonly host: string;
  /** Calls the listener for every SIGINT, SIGTERM and SIGHUP until the returned function is called. */
  readonly onSignal: (listener: (signal: InterruptSignal) => void) => () => void;
}

/** The machine that locks and journals are kept on. */
export const machineOf = ({ clock, pause, steady, every, random, env, pid, host }: Io): Machine => ({
  env,
  pid,
  host,
  steady,
  every,
  random,
  wall: () => clock() * 1000,
  sleep: (ms, signal = new AbortController().signal) => pause(ms / 1000, signal),
});

/** Whole Unix seconds. */
export const nowOf = (io: Pick<Io, 'clock'>): UnixSeconds => Math.floor(io.clock());

/** Can a person be asked? Questions go to standard error, so standard output may be a pipe. */
export const canAsk = (io: Io): boolean => io.stdin.isTTY === true && io.stderr.isTTY === true;
