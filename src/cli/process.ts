import { hostname } from 'node:os';
import { isatty } from 'node:tty';
import { EXIT, type ExitCode } from './output/exit-codes.ts';
import { run } from './program/run.ts';
import type { InterruptSignal, Io } from './session/io.ts';
import { pauseFor } from './session/pause.ts';
import { processEnvironment } from './session/settings.ts';

const SIGNALS: readonly InterruptSignal[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

function onSignal(listener: (signal: InterruptSignal) => void): () => void {
  for (const signal of SIGNALS) process.on(signal, listener);
  return () => {
    for (const signal of SIGNALS) process.off(signal, listener);
  };
}

const world: Omit<Io, 'keepsCode'> = {
  // Opened by what reads it.
  get stdin() {
    return process.stdin;
  },
  stdout: process.stdout,
  stderr: process.stderr,
  env: processEnvironment(),
  cwd: process.cwd(),
  clock: () => Date.now() / 1000,
  async pause(seconds, signal) {
    const { setTimeout: delay } = await import('node:timers/promises');
    await pauseFor(seconds * 1000, signal, {
      delay: (ms) => delay(ms, undefined, { signal }).catch(() => undefined),
      steady: world.steady,
    });
  },
  steady: () => performance.now(),
  every(ms, work) {
    const timer = setInterval(() => void work(), ms).unref();
    return () => clearInterval(timer);
  },
  random: Math.random,
  pid: process.pid,
  host: hostname(),
  onSignal,
};

/** The result could not be written whole: a full disk, not a reader who has seen enough. */
let resultLost = false;

/**
 * Whoever reads us may stop reading (`keyplane apply --yes 2>&1 | head`). That must end nothing: writes to the account
 * continue in silence, and the exit code reports the result.
 */
function outlive(stream: NodeJS.WriteStream, onOther: () => void): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_DESTROYED') onOther();
  });
}

const terminals = [0, 1, 2].filter((fd) => isatty(fd));

/** Once a terminal is closed, the system no longer calls its descriptors terminals. */
const hasHungUp = (): boolean => terminals.some((fd) => !isatty(fd));

/** Ends the process once both streams are written out, also when a request is still under way. */
function end(code: ExitCode): void {
  const exit = (): void => {
    // At its end, Node resets the terminals that it began with, and crashes on one that was closed.
    if (hasHungUp()) process.kill(process.pid, 'SIGHUP');
    else process.exit(resultLost && code === EXIT.done ? EXIT.error : code);
  };
  // A stream emits its error only after the callback of the write that failed.
  process.stdout.write('', () => process.stderr.write('', () => setImmediate(exit)));
}

/** Runs the command line of this process. */
export function start({ isRecording }: { readonly isRecording: () => boolean }): void {
  outlive(process.stdout, () => {
    resultLost = true;
    process.stderr.write('error[file.unwritable]: The result could not be written to standard output.\n');
  });
  outlive(process.stderr, () => {});
  // With a spread, standard input would be opened.
  run(process.argv.slice(2), Object.assign(world, { keepsCode: isRecording })).then(end);
}
