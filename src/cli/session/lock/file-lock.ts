import { readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
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

const isLockFile = (value: Partial<LockFile> | null): value is LockFile =>
  value !== null &&
  Number.isSafeInteger(value.pid) &&
  Number(value.pid) > 0 &&
  typeof value.host === 'string' &&
  Number.isSafeInteger(value.at);

async function readClaim(path: string): Promise<LockFile | undefined> {
  try {
    const stored: Partial<LockFile> | null = JSON.parse(await readFile(path, 'utf8'));
    return isLockFile(stored) ? stored : undefined;
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

/** A run renews its claim this often. */
const RENEWAL_MS = 30_000;
/** The time without a renewal after which the run of a claim counts as gone. */
const ABANDONED_MS = 120_000;

/** When a waiter first saw the claims of others as they are, by its own clock: that of another machine may be wrong. */
type Sightings = Map<string, { readonly renewed: number; readonly at: number }>;

/** Has a claim been the same for so long that its run must be gone? */
async function isAbandoned(path: string, seen: Sightings, now: number): Promise<boolean> {
  const renewed = await stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
  const last = seen.get(path);
  if (last?.renewed === renewed) return now - last.at >= ABANDONED_MS;
  seen.set(path, { renewed, at: now });
  return false;
}

/** Undefined: a claim that cannot be read, or is from another machine. */
async function isAlive(claim: LockFile | undefined): Promise<boolean | undefined> {
  if (!claim || claim.host !== hostname()) return undefined;
  return isRunning(claim.pid) && (await processStart(claim.pid)) === claim.started;
}

/** A renewal that fails is repeated by the next. */
const renew = (path: string, now: number): Promise<void> => utimes(path, now, now).catch(() => undefined);

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
async function tryClaim(io: Io, hash: string, seen: Sightings): Promise<OtherClaim | (() => Promise<void>)> {
  const folder = await lockFolder(io);
  const nonce = Math.floor(io.random() * 0xffffffff).toString(16);
  const own = `${hash}.${io.pid}-${nonce}.lock`;
  const claim: LockFile = { pid: io.pid, host: hostname(), started: await processStart(io.pid), at: nowOf(io) };
  await writeClaim(join(folder, own), claim);
  const stop = io.every(RENEWAL_MS, () => renew(join(folder, own), io.clock()));
  const release = (): Promise<void> => {
    stop();
    return rm(join(folder, own), { force: true });
  };
  for (const file of await readdir(folder)) {
    if (file === own || !file.startsWith(`${hash}.`)) continue;
    const path = join(folder, file);
    const other = await readClaim(path);
    // Of a process that was killed while it made its claim.
    if (file.endsWith('.lock.new') && (await isAlive(other)) === false) await rm(path, { force: true });
    if (!file.endsWith('.lock')) continue;
    if ((await isAlive(other)) ?? !(await isAbandoned(path, seen, io.steady()))) {
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
 * removed, and so are those of another machine that shares the folder, or that cannot be read, after two minutes without a renewal.
 */
export const fileLock = (io: Io): Lock => ({
  async acquire(account, { timeoutSeconds, signal, onWait }) {
    const hash = accountHash(account);
    const seen: Sightings = new Map();
    const until = io.steady() + timeoutSeconds * 1000;
    for (let waited = false; ; waited = true) {
      const claimed = await tryClaim(io, hash, seen);
      if (typeof claimed === 'function') return { waited, ensureHeld: async () => {}, release: claimed };
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
