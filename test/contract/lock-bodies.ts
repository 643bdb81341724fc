import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileLock } from '../../src/cli/session/lock/file-lock.ts';
import type { AccountRef } from '../../src/domain/index.ts';
import { type ClaimStore, claimLock, type Lock } from '../../src/reconcile/index.ts';
import { openTerminal } from '../cli/terminal.ts';
import { overHttp } from './bodies.ts';
import { RunTime } from './lock-time.ts';
import { MemoryClaims } from './memory-claims.ts';

/** Runs that compete for one account. */
export interface Arena {
  readonly account: AccountRef;
  /** The lock as one run sees it, with the time of that run. */
  enter(name: string): { readonly lock: Lock; readonly time: RunTime };
  /** The number of claims that are left. */
  left(): Promise<number>;
  /** For locks whose claims are data: one more client of them. */
  readonly claims?: ClaimStore;
  close(): Promise<void>;
}

/** Arenas for a store of claims, which a run shares with the others. */
export function arenaOf(open: () => ClaimStore, close: () => Promise<void>): Arena {
  const claims = open();
  return {
    account: claims.account,
    claims,
    enter(name) {
      const time = new RunTime();
      const holder = { process: 7, host: `${name}.example.com`, since: 1_800_000_000 };
      return { time, lock: claimLock(open(), holder, time) };
    },
    left: async () => (await claims.list()).length,
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
  return {
    account: { url: 'https://gateway.example.com', userId: 42 },
    enter() {
      const time = new RunTime();
      const { io } = openTerminal({ env: { XDG_STATE_HOME: home } });
      const pause = (seconds: number): Promise<void> => time.sleep(seconds * 1000);
      return { time, lock: fileLock({ ...io, steady: () => time.steady(), pause }) };
    },
    left: async () => (await readdir(join(home, 'keyplane', 'locks'))).length,
    close: () => rm(home, { recursive: true, force: true }),
  };
}
