#!/usr/bin/env node
import { EXIT, type ExitCode } from '../domain/index.ts';
import type { InterruptSignal, Io } from './io.ts';
import { run } from './run.ts';
import { processEnvironment } from './settings.ts';

const SIGNALS: readonly InterruptSignal[] = ['SIGINT', 'SIGTERM'];

function onSignal(listener: (signal: InterruptSignal) => void): () => void {
  for (const signal of SIGNALS) process.on(signal, listener);
  return () => {
    for (const signal of SIGNALS) process.off(signal, listener);
  };
}

const io: Io = {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: processEnvironment(),
  cwd: process.cwd(),
  clock: () => Date.now() / 1000,
  random: Math.random,
  pid: process.pid,
  onSignal,
};

/** Whoever reads us may stop reading (`keyplane plan | head`): that is the end, and not an error. */
function quietly(error: NodeJS.ErrnoException): void {
  process.exit(error.code === 'EPIPE' ? EXIT.done : EXIT.error);
}

/** Ends the process once both streams are written out, also when a request is still under way. */
function end(code: ExitCode): void {
  process.stdout.write('', () => process.stderr.write('', () => process.exit(code)));
}

process.stdout.on('error', quietly);
process.stderr.on('error', quietly);
run(process.argv.slice(2), io).then(end);
