import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { accountHash, isRunning, processStart, stateFolder, unwritable } from '../../../disk/index.ts';
import { type AccountRef, Fault } from '../../../domain/index.ts';
import { type Lock, type LockHolder, lockedFault } from '../../../reconcile/index.ts';
import type { Io } from '../io.ts';
import { nowOf } from '../io.ts';

/** The content of a claim’s file: enough to determine whether its process still runs. */
interface LockFile {
  readonly pid: number;
  readonly host: string;
  /** The start of that process, where the system reports it: process ids are reused. */
  readonly started: string | null;
  readonly at: number;
}

async function readClaim(path: string): Promise<LockFile | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as LockFile;
  } catch {
    return undefined;
  }
}

/** A claim appears whole or not at all. */
async function writeClaim(path: string, claim: LockFile): Promise<void> {
  try {
    await writeFile(`${path}.new`, JSON.stringify(claim), { flag: 'wx', mode: 0o600 });
    await rename(`${path}.new`, path);
  } catch (thrown) {
    throw unwritable(path, thrown);
  }
}

async function isAlive(claim: LockFile | undefined): Promise<boolean> {
  // A claim that cannot be read, or is from another machine, counts as alive.
  if (!claim || claim.host !== hostname()) return true;
  return isRunning(claim.pid) && (await processStart(claim.pid)) === claim.started;
}

/** The folder of the locks. */
const lockFolder = (io: Io): Promise<string> =>
  stateFolder(io.env, 'locks').catch((cause) => {
    throw unwritable('the folder for locks', cause);
  });

interface OtherClaim {
  readonly path: string;
  readonly claim: LockFile | undefined;
}

/** Makes a claim, and returns the function that removes it; or removes it again because of a claim that was there. */
async function tryClaim(io: Io, hash: string): Promise<OtherClaim | (() => Promise<void>)> {
  const folder = await lockFolder(io);
  const nonce = Math.floor(io.random() * 0xffffffff).toString(16);
  const own = `${hash}.${io.pid}-${nonce}.lock`;
  const claim: LockFile = { pid: io.pid, host: hostname(), started: await processStart(io.pid), at: nowOf(io) };
  const release = (): Promise<void> => rm(join(folder, own), { force: true });
  await writeClaim(join(folder, own), claim);
  for (const file of await readdir(folder)) {
    if (file === own || !file.startsWith(`${hash}.`) || !file.endsWith('.lock')) continue;
    const path = join(folder, file);
    const other = await readClaim(path);
    if (await isAlive(other)) {
      await release();
      return { path, claim: other };
    }
    await rm(path, { force: true });
  }
  return release;
}

const PAUSE_SECONDS = 1;

/**
 * The lock of an account on this machine. Every process makes its own claim, a file that nobody else ever makes, and reads the
 * others afterwards: two simultaneous runs see each other, and at most one continues. Claims of processes that are gone are
 * removed.
 */
export const fileLock = (io: Io): Lock => ({
  async acquire(account, { timeoutSeconds, signal, onWait }) {
    const hash = accountHash(account);
    const until = io.steady() + timeoutSeconds * 1000;
    for (let waited = false; ; waited = true) {
      const claimed = await tryClaim(io, hash);
      if (typeof claimed === 'function') return { waited, ensureHeld: () => {}, release: claimed };
      const seconds = (until - io.steady()) / 1000;
      if (seconds <= 0) throw locked(account, claimed);
      if (!waited) onWait?.({ holder: claimed.claim && holderOf(claimed.claim), seconds });
      // Two that withdrew together do not try again together.
      await io.pause(Math.min(seconds, PAUSE_SECONDS * (1 + io.random())), signal ?? new AbortController().signal);
      if (signal?.aborted) throw new Fault('gateway.interrupted', 'Interrupted while waiting for the lock.');
    }
  },
});

const holderOf = ({ pid, host, at }: LockFile): LockHolder => ({ process: pid, host, since: at });

function locked(account: AccountRef, { path, claim }: OtherClaim): Fault {
  const { message, detail } = lockedFault(account, claim && holderOf(claim));
  return new Fault('apply.locked', message, {
    hint: `Wait until it finishes. If that process no longer exists, delete ${path}.`,
    detail: { ...detail, lock: path },
  });
}
