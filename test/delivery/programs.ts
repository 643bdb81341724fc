import { spawnSync } from 'node:child_process';

/** Is a program there? Tests that need one that may be missing are skipped by name. */
export const hasProgram = (name: string): boolean => spawnSync('sh', ['-c', `command -v ${name}`]).status === 0;
