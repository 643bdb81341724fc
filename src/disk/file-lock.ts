import { readFileSync } from 'node:fs';
import { type FileHandle, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type AccountRef, Fault, fileTrouble } from '../domain/index.ts';
import {
  type ClockReading,
  type HeldLock,
  LEASE_MS,
  type Lock,
  type LockHolder,
  type LockWait,
  lockedFault,
  lockLostFault,
  nonceOf,
  readClocks,
  sinceMs,
} from '../reconcile/index.ts';
import { readRegularFile } from '../source/index.ts';
import type { Machine } from './machine.ts';
import { hasEnded, type ProcessRef, processRef } from './process-life.ts';
import { accountHash, stateFolder } from './state-folder.ts';
import { unwritable } from './write-file.ts';

/** The content of a claim’s file: enough to determine whether its process still runs. */
interface LockFile extends ProcessRef {
  /** Identifies the run that made it. Earlier versions wrote none. */
  readonly nonce?: string;
  readonly at: number;
}

const isLockFile = (value: Partial<LockFile> | null): value is LockFile =>
  value !== null &&
  Number.isSafeInteger(value.pid) &&
  Number(value.pid) > 0 &&
  typeof value.host === 'string' &&
  Number.isSafeInteger(value.at);

function tryParseClaim(text: string): LockFile | undefined {
  try {
    const stored: Partial<LockFile> | null = JSON.parse(text);
    return isLockFile(stored) ? stored : undefined;
  } catch {
    return undefined;
  }
}

/** The most bytes of a claim that are read. */
const MOST_BYTES = 65_536;

/** Waits for nothing: a pipe under this name would hold up every run. */
function readClaim(path: string): LockFile | undefined {
  try {
    return tryParseClaim(readRegularFile(path, MOST_BYTES).toString('utf8'));
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
    // On a full disk it is empty, and no later run could determine whose it was.
    await rm(`${path}.new`, { force: true }).catch(() => undefined);
    throw unwritable(path, thrown);
  }
}

/** A run renews its claim this often. */
const RENEWAL_MS = 30_000;
/** The time without a renewal after which the run of a claim counts as gone: it sends nothing later than a lease after a renewal. */
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

/** Undefined: a claim that cannot be read, or is from another machine or container. */
async function isAlive(claim: LockFile | undefined, here: string): Promise<boolean | undefined> {
  const ended = claim && (await hasEnded(claim, here));
  return ended === undefined ? undefined : !ended;
}

/** The folder of the locks. */
const lockFolder = (machine: Machine): Promise<string> => stateFolder(machine.env, 'locks');

interface OtherClaim {
  readonly path: string;
  readonly claim: LockFile | undefined;
  /** Does its process run? Undefined: it cannot be seen from here. */
  readonly alive: boolean | undefined;
}

type Kept = Omit<HeldLock, 'waitedSeconds'>;

/** The claim of this run. */
interface OwnClaim {
  readonly path: string;
  readonly nonce: string;
  /** The moment before it was last renewed in time. */
  confirmed: ClockReading;
  /** The reason why it is no longer ours; that is final. */
  lost?: string;
}

const isOurs = (own: OwnClaim, content: string): boolean => tryParseClaim(content)?.nonce === own.nonce;

const ANOTHER_RUN = 'its file is that of another run';

function whyUnreadable(thrown: unknown): string {
  const { code } = thrown as NodeJS.ErrnoException;
  return code === 'ENOENT' ? 'its file was removed' : `its file cannot be read, because ${fileTrouble(thrown)}`;
}

/** Verifies that the file is still ours, and does work with it. */
async function withOwnFile(own: OwnClaim, work: (file: FileHandle) => Promise<void>): Promise<void> {
  let file: FileHandle | undefined;
  try {
    file = await open(own.path, 'r+');
    if (isOurs(own, await file.readFile('utf8'))) await work(file);
    else own.lost ??= ANOTHER_RUN;
  } catch (thrown) {
    own.lost ??= whyUnreadable(thrown);
  } finally {
    await file?.close();
  }
}

/**
 * Verifies that the file is still ours. Without waiting: this precedes every write, and to wait for a hundred bytes costs as much as
 * the rest of a create. The file is opened each time, because a network folder looks at its server only then.
 */
function verifyOwnFile(own: OwnClaim): void {
  try {
    if (!isOurs(own, readFileSync(own.path, 'utf8'))) own.lost ??= ANOTHER_RUN;
  } catch (thrown) {
    own.lost ??= whyUnreadable(thrown);
  }
}

const isSilent = (machine: Machine, { confirmed }: OwnClaim): boolean => sinceMs(machine, confirmed) >= LEASE_MS;

/** Through the file that was read: whatever has replaced it meanwhile is not renewed. Returns the moment before, if it succeeded. */
async function touch(machine: Machine, own: OwnClaim): Promise<ClockReading | undefined> {
  const asked = readClocks(machine);
  let touched: ClockReading | undefined;
  await withOwnFile(own, async (file) => {
    const done = () => {
      touched = asked;
    };
    await file.utimes(machine.wall() / 1000, machine.wall() / 1000).then(done, () => undefined);
  });
  return touched;
}

/** A renewal that fails is repeated by the next. One after the lease confirms nothing: a waiter may be about to remove the file. */
async function renew(machine: Machine, own: OwnClaim): Promise<void> {
  const isLate = isSilent(machine, own);
  const touched = await touch(machine, own);
  if (touched && !isLate) own.confirmed = touched;
}

/**
 * Takes the lock again after the lease. A waiter makes its claim before it looks whether ours was renewed: either it sees that, or
 * we see its claim. A run of this machine never removes our file, because it knows that our process is alive.
 */
async function claimAgain(machine: Machine, own: OwnClaim): Promise<void> {
  const touched = await touch(machine, own);
  if (touched === undefined) own.lost ??= 'its file could not be renewed';
  else if (await hasStranger(machine, own)) own.lost ??= 'another run has claimed it since';
  else own.confirmed = touched;
}

/** Is there the claim of a run of which nobody here can determine whether it has ended? */
async function hasStranger(machine: Machine, { path: own }: OwnClaim): Promise<boolean> {
  const [folder, name] = [dirname(own), basename(own)];
  const ofAccount = name.slice(0, name.indexOf('.') + 1);
  for (const file of await readdir(folder)) {
    if (file === name || !file.startsWith(ofAccount) || !file.endsWith('.lock')) continue;
    const path = join(folder, file);
    if ((await isAlive(readClaim(path), machine.host)) !== undefined) continue;
    const isThere = await stat(path).then(
      () => true,
      () => false,
    );
    if (isThere) return true;
  }
  return false;
}

/** A file that is no longer ours stays: it keeps others out for its own run. */
const remove = (own: OwnClaim): Promise<void> => withOwnFile(own, () => rm(own.path, { force: true }));

/** Keeps a claim by renewing it, until it is released. */
function keepFile(machine: Machine, own: OwnClaim): Kept {
  const stop = machine.every(RENEWAL_MS, () => renew(machine, own));
  let claiming: Promise<void> | undefined;
  return {
    async ensureHeld() {
      // Writes that begin together wait for one claim, and so keep their order.
      if (isSilent(machine, own)) {
        claiming ??= claimAgain(machine, own).finally(() => {
          claiming = undefined;
        });
      }
      if (claiming) await claiming;
      verifyOwnFile(own);
      if (own.lost !== undefined) throw lockLostFault(own.lost);
    },
    async release() {
      stop();
      await remove(own);
    },
  };
}

/** Makes a claim and keeps it; or removes it again because of a claim that was there. */
async function tryClaim(machine: Machine, hash: string, seen: Sightings): Promise<OtherClaim | Kept> {
  const folder = await lockFolder(machine);
  const nonce = nonceOf(machine.random);
  const name = `${hash}.${machine.pid}-${nonce}.lock`;
  const own: OwnClaim = { path: join(folder, name), nonce, confirmed: readClocks(machine) };
  await writeClaim(own.path, {
    ...(await processRef(machine.pid, machine.host)),
    nonce,
    at: Math.floor(machine.wall() / 1000),
  });
  for (const file of await readdir(folder)) {
    if (file === name || !file.startsWith(`${hash}.`)) continue;
    const path = join(folder, file);
    const other = readClaim(path);
    const alive = await isAlive(other, machine.host);
    // Of a process that was killed while it made its claim.
    if (file.endsWith('.lock.new') && alive === false) await rm(path, { force: true });
    if (!file.endsWith('.lock')) continue;
    if (alive ?? !(await isAbandoned(path, seen, machine.steady()))) {
      await remove(own);
      return { path, claim: other, alive };
    }
    await rm(path, { force: true });
  }
  return keepFile(machine, own);
}

const PAUSE_SECONDS = 1;

/**
 * The lock of an account on this machine. Every process makes its own claim, a file that nobody else ever makes, and reads the
 * others afterwards: two simultaneous runs see each other, and at most one continues. Claims of processes that are gone are
 * removed, and so are those of another machine that shares the folder, or that cannot be read, after two minutes without a renewal.
 */
export const fileLock = (machine: Machine): Lock => ({
  async acquire(account, { timeoutSeconds, signal, onWait }) {
    const hash = accountHash(account);
    const seen: Sightings = new Map();
    const began = machine.steady();
    for (let waited = false; ; waited = true) {
      const claimed = await tryClaim(machine, hash, seen);
      const waitedSeconds = (machine.steady() - began) / 1000;
      if ('release' in claimed) return { ...claimed, waitedSeconds: waited ? waitedSeconds : 0 };
      const seconds = timeoutSeconds - waitedSeconds;
      if (seconds <= 0) throw locked(account, claimed);
      if (!waited) onWait?.(waitOf(claimed, seconds));
      // Two that withdrew together do not try again together.
      await machine.sleep(Math.min(seconds, PAUSE_SECONDS * (1 + machine.random())) * 1000, signal);
      if (signal?.aborted) {
        throw new Fault('gateway.interrupted', 'Interrupted while waiting for the lock.', { cause: signal.reason });
      }
    }
  },
});

const waitOf = ({ claim, alive }: OtherClaim, seconds: number): LockWait => ({
  holder: claim && holderOf(claim),
  seconds,
  ...(!alive && { abandonedAfter: ABANDONED_MS / 1000 }),
});

const holderOf = ({ pid, host, at }: LockFile): LockHolder => ({ process: pid, host, since: at });

function locked(account: AccountRef, { path, claim, alive }: OtherClaim): Fault {
  const { message, detail } = lockedFault(account, claim && holderOf(claim));
  const where = claim && alive === undefined ? ', on another machine or in another container,' : '';
  return new Fault('apply.locked', message, {
    hint: `Wait until it finishes. If that process${where} no longer exists, delete ${path}.`,
    detail: { ...detail, lock: path },
  });
}
