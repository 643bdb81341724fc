#!/usr/bin/env node

import { EXIT } from './output/exit-codes.ts';
import { isSupportedNode, packageVersion } from './program/version.ts';

/** Defined by the bundle: the name of the file that the program begins with. */
declare const KEYPLANE_PROGRAM: string;

const COMMAND = /^[a-z][a-z-]*$/;

// Scripts ask for the version before they do anything else: that takes nothing of the program.
const [first = '', ...others] = process.argv.slice(2);
if (first === '--version' && others.length === 0) {
  process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => process.exit(code === 'EPIPE' ? 0 : 1));
  process.stdout.write(`${packageVersion()}\n`);
} else if (!isSupportedNode(process.versions.node)) {
  // What is loaded below fails there with a page of code and the name of an export.
  process.stderr.write(`error: Keyplane needs Node.js 20.19+ or 22.12+; this is ${process.versions.node}.\n`);
  process.exitCode = EXIT.error;
} else {
  // The moving line asks the environment, and no flags.
  if (process.argv.includes('--no-color')) process.env.FORCE_COLOR = '0';
  const { loadProgram, openCompiledCode } = await import('../startup/index.ts');
  const code = openCompiledCode({
    env: process.env,
    build: KEYPLANE_PROGRAM,
    engine: `${process.version}-${process.arch}`,
    command: COMMAND.test(first) ? first : 'others',
    now: Date.now(),
    pid: process.pid,
    uid: process.getuid?.(),
    // Of a misspelled command nothing is worth keeping.
    onExit: (listener) => process.on('exit', (exit) => exit === EXIT.usage || listener()),
  });
  const { start } = loadProgram<typeof import('./process.ts')>(import.meta.dirname, KEYPLANE_PROGRAM, code);
  start(code);
}
