import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { run } from '../../src/cli/index.ts';
import { type ProfileName, type ReferenceOptions, readSeed, startReferenceGateway } from '../../src/reference/index.ts';
import { requireDescribed } from '../cli/output-form.ts';
import { PROGRAM } from '../script-words.ts';

/** The profiles of the gateway, for tests that show something with each. */
export const PROFILES: readonly ProfileName[] = ['contract', 'deployed'];

/** Planted in the account: none of it may ever be printed, but by `keys reveal`. */
export const CANARY = 'canary0secret0';
export const ACCESS_TOKEN = `${CANARY}access0token`;
export const USER_ID = 42;

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Started {
  readonly child: ChildProcess;
  /** Resolves when standard error has shown this text, with all that it has shown. */
  readonly shows: (text: string) => Promise<string>;
  readonly ended: Promise<Ended>;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Leaves the credentials and the address of the place away. */
  readonly bare?: true;
  /** The output may hold planted secrets. */
  readonly reveals?: true;
}

type SeedKey = Readonly<Record<string, unknown>> & { readonly name: string };

/** A folder, a reference gateway with an account in this process, and the built program to run against it. */
export interface Place {
  readonly folder: string;
  readonly url: string;
  readonly hours: Hours;
  /** Values of the profile that the gateway cannot imitate. */
  readonly unplayed: readonly string[];
  /** Runs a command in this process. */
  run(words: readonly string[], options?: RunOptions): Promise<Ended>;
  /** Starts the built program. */
  start(words: readonly string[], options?: RunOptions): Started;
  write(name: string, text: string): Promise<void>;
  read(name: string): Promise<string>;
  /** Writes keyplane.yaml for this account. */
  declare(keys: string, more?: string): Promise<void>;
  control<T = unknown>(method: string, path: string, body?: unknown): Promise<T>;
  /** The stored keys, in the order of ids. */
  keys(): Promise<readonly { id: number; name: string; status: number; [field: string]: unknown }[]>;
  /** Ends the gateway and checks that no planted secret was printed. */
  close(): Promise<void>;
}

export const environment = (folder: string): Record<string, string> => ({
  PATH: process.env.PATH ?? '',
  HOME: folder,
  XDG_STATE_HOME: join(folder, 'state'),
  NO_COLOR: '1',
  // The tests of the lock choose the other one.
  KEYPLANE_LOCK: 'file',
});

export function spawnProgram(words: readonly string[], cwd: string, env: Record<string, string>): Started {
  const child = spawn(process.execPath, [PROGRAM, ...words], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = { stdout: '', stderr: '' };
  const watchers = new Set<() => void>();
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => (output.stdout += chunk));
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    output.stderr += chunk;
    for (const look of watchers) look();
  });
  const ended = once(child, 'close').then(([code]): Ended => ({ code: code as number | null, ...output }));
  const shows = (text: string): Promise<string> =>
    new Promise((done, fail) => {
      const look = (): void => {
        if (output.stderr.includes(text)) done(output.stderr);
      };
      watchers.add(look);
      look();
      ended.then(({ stderr }) => fail(new Error(`it ended without printing "${text}": ${stderr}`)));
    });
  return { child, shows, ended };
}

/** The time that commands waited: it passes at once. */
export interface Hours {
  passed: number;
  onPause?: (seconds: number) => Promise<void>;
}

/**
 * Runs a command in this process: loading the program takes longer than most commands do.
 *
 * @param hours omitted: time passes as it does
 */
export async function runHere(
  words: readonly string[],
  cwd: string,
  env: Record<string, string>,
  hours?: Hours,
): Promise<Ended> {
  const output = { stdout: '', stderr: '' };
  const into = (stream: keyof typeof output): Writable =>
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        output[stream] += chunk.toString();
        done();
      },
    });
  const code = await run(words, {
    stdin: Readable.from([]),
    stdout: into('stdout'),
    stderr: into('stderr'),
    env,
    cwd,
    clock: () => Date.now() / 1000 + (hours?.passed ?? 0),
    async pause(seconds, signal) {
      if (hours === undefined) return sleep(seconds * 1000, undefined, { signal }).catch(() => {});
      // Nobody sees the time pass before everything that is due now was done, such as the report of this wait.
      await setImmediate();
      if (signal.aborted) return;
      hours.passed += seconds;
      await hours.onPause?.(seconds);
    },
    steady: () => performance.now() + (hours?.passed ?? 0) * 1000,
    every: () => () => {},
    random: Math.random,
    pid: process.pid,
    keepsCode: () => false,
    host: hostname(),
    onSignal: () => () => {},
  });
  requireDescribed(words, output.stdout);
  return { code, ...output };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
}

export const MODELS = { 'alpha-chat-1': {}, 'text-embedding-3-small': {} };

/** More of a seed: limits of its own, and accounts in addition to that of the place. */
interface MoreSeed {
  readonly accounts?: readonly object[];
  readonly [section: string]: unknown;
}

const seedOf = (keys: readonly SeedKey[], profile: string, models: object, more: MoreSeed): string =>
  JSON.stringify({
    ...more,
    accounts: [
      { userId: USER_ID, username: 'platform', accessToken: ACCESS_TOKEN, quota: 500_000_000 },
      ...(more.accounts ?? []),
    ],
    groups: { default: { desc: 'Default' }, vip: { desc: 'Fast' } },
    models,
    keys: keys.map((key, i) => ({ key: `${CANARY}${profile}${i}`.padEnd(48, 'x'), ...key })),
  });

/**
 * Opens a place whose account has these keys, as records of the contract.
 *
 * @param more of the seed
 */
export async function openPlace(
  keys: readonly SeedKey[] = [],
  profile: ReferenceOptions['profile'] = 'contract',
  models: object = MODELS,
  more: MoreSeed = {},
): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), 'keyplane-acceptance-'));
  await writeFile(
    join(folder, 'seed.yaml'),
    seedOf(keys, typeof profile === 'string' ? profile : 'imitated', models, more),
  );
  const env = environment(folder);
  const gateway = await startReferenceGateway({
    seed: await readSeed(join(folder, 'seed.yaml')),
    profile,
    control: true,
  });
  const { url } = gateway;
  const credentials = { KEYPLANE_URL: url, KEYPLANE_USER_ID: String(USER_ID), KEYPLANE_ACCESS_TOKEN: ACCESS_TOKEN };
  const hours: Hours = { passed: 0 };
  const outputs: Promise<Ended>[] = [];
  const children: ChildProcess[] = [];
  const environmentFor = ({ bare, env: more }: RunOptions): Record<string, string> => ({
    ...env,
    ...(bare ? {} : credentials),
    ...more,
  });
  const start = (words: readonly string[], options: RunOptions = {}): Started => {
    const started = spawnProgram(words, folder, environmentFor(options));
    if (!options.reveals) outputs.push(started.ended);
    children.push(started.child);
    return started;
  };
  const control = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const answer = await fetch(`${url}/_reference${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  };
  return {
    folder,
    url,
    hours,
    unplayed: gateway.unplayed,
    start,
    control,
    run(words, options = {}) {
      const ended = runHere(words, folder, environmentFor(options), hours);
      if (!options.reveals) outputs.push(ended);
      return ended;
    },
    write: (name, text) => writeFile(join(folder, name), text),
    read: (name) => readFile(join(folder, name), 'utf8'),
    declare: (declared, more = '') =>
      writeFile(
        join(folder, 'keyplane.yaml'),
        `version: 1\ngateway: { url: "${url}", userId: ${USER_ID} }\n${more}\nkeys:\n${declared}\n`,
      ),
    async keys() {
      const { keys: stored } = await control<{ keys: Awaited<ReturnType<Place['keys']>> }>('GET', '/state');
      return [...stored].sort((a, b) => a.id - b.id);
    },
    async close() {
      // Those of a failed test may still be there.
      await Promise.all(children.map(stop));
      for (const { stdout, stderr } of await Promise.all(outputs)) expect(stdout + stderr).not.toContain(CANARY);
      await gateway.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Declarations of so many keys, `app-1` to `app-n`. */
export const declarations = (n: number): string =>
  Array.from({ length: n }, (_, i) => `  app-${i + 1}: { budget: { usd: 5 } }`).join('\n');
