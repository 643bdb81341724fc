import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { machineOf } from '../../src/cli/session/io.ts';
import { fileLock } from '../../src/disk/index.ts';
import type { AccountRef } from '../../src/domain/index.ts';
import { type ClaimStore, claimLock, type Lock } from '../../src/reconcile/index.ts';
import { openTerminal } from '../cli/terminal.ts';
import { overHttp } from './bodies.ts';
import { RunTime } from './lock-time.ts';
import { MemoryClaims } from './memory-claims.ts';

/** Runs that compete for one account. */
export interface Arena {
  readonly account: AccountRef;
  /** The time without a renewal after which a waiter takes the lock over. */
  readonly abandonedSeconds: number;
  /** The lock as one run sees it, on a machine with this name, with the time of that run. Only claims know teams. */
  enter(name: string, team?: string): { readonly lock: Lock; readonly time: RunTime };
  /** One text for each claim that is left: it changes with each renewal. */
  marks(): Promise<readonly string[]>;
  /** Somebody removes all claims by hand. */
  clear(): Promise<void>;
  /** Somebody puts the claim of a run elsewhere in the place of the only one. */
  replace(): Promise<void>;
  /** For locks whose claims are data: one more client of them. */
  readonly claims?: ClaimStore;
  close(): Promise<void>;
}

const SINCE = 1_800_000_000;

/** Arenas for a store of claims, which a run shares with the others. */
export function arenaOf(open: () => ClaimStore, close: () => Promise<void>): Arena {
  const claims = open();
  const clear = async (): Promise<void> => {
    for (const { id } of await claims.list()) await claims.remove(id);
  };
  return {
    account: claims.account,
    abandonedSeconds: 210,
    claims,
    enter(name, team) {
      const time = new RunTime();
      const holder = { process: 7, host: `${name}.example.com`, since: SINCE, ...(team && { team }) };
      return { time, lock: claimLock(open(), holder, time) };
    },
    marks: async () => (await claims.list()).map(({ id, mark }) => `${id} ${mark}`),
    clear,
    async replace() {
      await clear();
      await claims.place({ nonce: 'x', beat: 0, process: 9, host: 'x.example.com', since: SINCE });
    },
    close,
  };
}

export const overHttpIn = (profile: 'contract' | 'deployed') => async (): Promise<Arena> => {
  const body = await overHttp(profile);
  return arenaOf(() => body.another().claims, body.close);
};

export const inMemory = async (): Promise<Arena> => {
  const claims = new MemoryClaims();
  return arenaOf(
    () => claims,
    async () => {},
  );
};

export async function inFiles(): Promise<Arena> {
  const home = await mkdtemp(join(tmpdir(), 'keyplane-lock-'));
  const folder = join(home, 'keyplane', 'locks');
  const paths = async (): Promise<readonly string[]> => (await readdir(folder)).map((file) => join(folder, file));
  return {
    account: { url: 'https://gateway.example.com', userId: 42 },
    abandonedSeconds: 120,
    enter(name) {
      const time = new RunTime();
      const { io } = openTerminal({ env: { XDG_STATE_HOME: home } });
      const ofRun = {
        host: `${name}.example.com`,
        clock: () => time.wall() / 1000,
        steady: () => time.steady(),
        pause: (seconds: number) => time.sleep(seconds * 1000),
        every: (ms: number, work: () => Promise<void>) => time.every(ms, work),
        random: () => time.random(),
      };
      return { time, lock: fileLock(machineOf({ ...io, ...ofRun })) };
    },
    marks: async () =>
      Promise.all((await paths()).map(async (path) => `${(await stat(path)).mtimeMs} ${await readFile(path, 'utf8')}`)),
    async clear() {
      for (const path of await paths()) await rm(path);
    },
    async replace() {
      const claim = { pid: 9, host: 'x.example.com', started: null, nonce: 'x', at: SINCE };
      for (const path of await paths()) await writeFile(path, JSON.stringify(claim));
    },
    close: () => rm(home, { recursive: true, force: true }),
  };
}
