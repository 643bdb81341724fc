#!/usr/bin/env node

import { packageVersion } from './program/version.ts';

// Scripts ask for the version before they do anything else: that takes nothing of the program.
const [first, ...others] = process.argv.slice(2);
if (first === '--version' && others.length === 0) {
  process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => process.exit(code === 'EPIPE' ? 0 : 1));
  process.stdout.write(`${packageVersion()}\n`);
} else await import('./process.ts');
