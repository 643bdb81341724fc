import { spawnSync } from 'node:child_process';
import type { Measured, Times } from './rows.ts';

/** The shell measures its child and what that waits for: Node.js cannot see the CPU time of its own. */
export const TIMED = 'TIMEFORMAT="%U %S"; time "$0" "$@" >/dev/null 2>/dev/null';

interface ProgramContext {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd?: string | undefined;
}

/** CPU time of a program and its children, and time on the clock, in milliseconds. */
interface Cost {
  readonly cpuMs: number;
  readonly ms: number;
}

/** Runs a program, and returns what it cost. */
export function costOf(program: string, words: readonly string[], { env, cwd }: ProgramContext): Cost {
  const command = ['-c', TIMED, program, ...words];
  const since = performance.now();
  const { status, stderr } = spawnSync('bash', command, { cwd, env, encoding: 'utf8' });
  const ms = performance.now() - since;
  if (status !== 0) throw new Error(`${program} ${words.join(' ')} ended with ${status}`);
  const seconds = stderr.trim().split(' ').map(Number);
  return { cpuMs: seconds.reduce((sum, each) => sum + each * 1000, 0), ms };
}

export const median = (numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;

/** Measures some work and its floor in turns, so that both see the same load. Returns their medians. */
export function race(rounds: number, ours: () => Cost, floor: () => Cost): Measured {
  const costs = Array.from({ length: rounds }, () => ({ ours: ours(), floor: floor() }));
  const medians = (cost: (of: Cost) => number): Times => ({
    ours: median(costs.map((round) => cost(round.ours))),
    floor: median(costs.map((round) => cost(round.floor))),
  });
  return { ...medians(({ cpuMs }) => cpuMs), clock: medians(({ ms }) => ms) };
}
