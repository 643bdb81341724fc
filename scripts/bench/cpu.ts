import { spawnSync } from 'node:child_process';

/** The shell measures its child and what that waits for: Node.js cannot see the CPU time of its own. */
export const TIMED = 'TIMEFORMAT="%U %S"; time "$0" "$@" >/dev/null 2>/dev/null';

interface ProgramContext {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd?: string | undefined;
}

/** Returns the CPU milliseconds of a program and of its children. A busy machine prolongs them less than wall time. */
export function cpuOf(program: string, words: readonly string[], { env, cwd }: ProgramContext): number {
  const command = ['-c', TIMED, program, ...words];
  const { status, stderr } = spawnSync('bash', command, { cwd, env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${words.join(' ')} ended with ${status}`);
  return stderr
    .trim()
    .split(' ')
    .map(Number)
    .reduce((sum, seconds) => sum + seconds * 1000, 0);
}

export const median = (numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;

/** Measures two commands in turns, so that both see the same load. Returns their medians. */
export function raceCpu(rounds: number, one: () => number, other: () => number): readonly [number, number] {
  const times: readonly [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    times[0].push(one());
    times[1].push(other());
  }
  return [median(times[0]), median(times[1])];
}
