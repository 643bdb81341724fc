// Starts programs and measures them: the gateway, the command line, the bare loop.
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

const root = resolve(import.meta.dirname, '../..');
export const PROGRAM = join(root, 'dist/src/cli/main.js');

/** A reference gateway in a process of its own, with the control endpoints. */
export async function startGateway(seedFile, profile = 'contract') {
  const child = spawn(
    process.execPath,
    [PROGRAM, 'gateway', '--port', '0', '--control', '--seed', seedFile, '--profile', profile, '--format', 'json'],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  );
  // However this run ends, the gateway ends with it.
  const stop = () => child.kill('SIGTERM');
  process.once('exit', stop);
  for await (const line of createInterface({ input: child.stdout })) {
    const { url } = JSON.parse(line).data;
    return {
      url,
      /** The requests since the last call, by method and route. */
      takeRequests: async () =>
        // A kept connection would be closed by the gateway while a measured program blocks this process for minutes.
        (
          await (
            await fetch(`${url}/_reference/requests`, { method: 'DELETE', headers: { connection: 'close' } })
          ).json()
        ).requests,
      stop() {
        process.off('exit', stop);
        stop();
      },
    };
  }
  throw new Error('the gateway ended before it said where it is');
}

/** Runs the command line as a user would: time from start to end, and the peak of its resident memory. */
export function measure(args, { env, cwd }) {
  const peakFile = join(cwd, 'peak-memory');
  const since = process.hrtime.bigint();
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--import', join(import.meta.dirname, 'peak-memory.mjs'), PROGRAM, ...args],
    { cwd, env: { ...env, PEAK_MEMORY_FILE: peakFile }, encoding: 'utf8', maxBuffer: 1 << 28 },
  );
  const ms = Number(process.hrtime.bigint() - since) / 1e6;
  if (status !== 0) throw new Error(`keyplane ${args.join(' ')} ended with ${status}\n${stderr.slice(-2000)}`);
  return { ms, peakMiB: Number(readFileSync(peakFile, 'utf8')) / 1024 };
}

/** Sends the same requests from a bare loop: time from start to end of its process too, in milliseconds. */
export function measureFloor(loop, order) {
  const since = process.hrtime.bigint();
  const { status, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, loop), order], {
    encoding: 'utf8',
  });
  const ms = Number(process.hrtime.bigint() - since) / 1e6;
  if (status !== 0) throw new Error(`the bare loop ended with ${status}\n${stderr}`);
  return ms;
}

const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

/** Two commands in turns, so that both meet the same weather. Medians, in milliseconds. */
export function race(first, second, rounds) {
  const times = [first, second].map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, args] of [first, second].entries()) {
      const since = process.hrtime.bigint();
      const { status } = spawnSync(process.execPath, args, { stdio: 'ignore' });
      if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}`);
      times[index].push(Number(process.hrtime.bigint() - since) / 1e6);
    }
  }
  return times.map(median);
}
