import { constants } from 'node:fs';
import { access, type FileHandle, lstat, open, rename, rm, stat } from 'node:fs/promises';
import { relative, resolve, sep } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Fault, fileTrouble, systemCode } from '../../domain/index.ts';
import { refuseMountPoint } from '../../source/index.ts';
import { type Folder, openBelow, openNearest } from './folder.ts';

/** A file below a folder that it must not leave. */
export interface PrivatePath {
  readonly root: string;
  /** Relative to `root`. */
  readonly path: string;
}

const MOST_BYTES = 1024 * 1024;

interface FoundText {
  readonly text: string;
  /** Differs after every change of the file. */
  readonly version: string;
}

function partsOf({ root, path }: PrivatePath): { readonly folders: readonly string[]; readonly name: string } {
  const parts = relative(root, resolve(root, path)).split(sep);
  const name = parts.pop() ?? '';
  if (name === '' || name === '..' || parts.includes('..')) throw new Error('it is outside the folder of the manifest');
  return { folders: parts, name };
}

/** @throws an error whose message ends a sentence, when the file is not one to write a secret into */
async function refuseStrange(handle: FileHandle): Promise<string> {
  const found = await handle.stat({ bigint: true });
  if (!found.isFile()) throw new Error('it is not a regular file');
  if (process.getuid !== undefined && found.uid !== BigInt(process.getuid()))
    throw new Error('it belongs to another user');
  if (found.size > BigInt(MOST_BYTES)) throw new Error('it is larger than 1 MiB');
  return [found.dev, found.ino, found.size, found.mtimeNs, found.ctimeNs].join(' ');
}

async function refuseLink(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (found?.isSymbolicLink()) throw new Error('it is a symbolic link');
}

async function readIn(folder: Folder, name: string): Promise<FoundText | undefined> {
  const path = folder.at(name);
  await refuseLink(path);
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const handle = await open(path, flags).catch((thrown: unknown) => {
    if (systemCode(thrown) === 'ENOENT') return undefined;
    throw thrown;
  });
  if (handle === undefined) return undefined;
  try {
    const version = await refuseStrange(handle);
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await handle.readFile());
    return { text, version };
  } catch (thrown) {
    throw thrown instanceof TypeError ? new Error('it is not UTF-8 text') : thrown;
  } finally {
    await handle.close();
  }
}

const unusable = ({ path }: PrivatePath, cause: unknown): Fault =>
  cause instanceof Fault
    ? cause
    : new Fault('sink.unreadable', `The file ${path} cannot be used for a secret: ${fileTrouble(cause)}.`, { cause });

/**
 * Reads a file below its root. Follows no link below the root, and reads no file of another user.
 *
 * @returns undefined when there is none
 * @throws Fault `sink.unreadable`
 */
export async function readPrivate(file: PrivatePath): Promise<string | undefined> {
  try {
    const { folders, name } = partsOf(file);
    const folder = await openBelow(file.root, folders, false);
    if (folder === undefined) return undefined;
    try {
      return (await readIn(folder, name))?.text;
    } finally {
      await folder.close();
    }
  } catch (thrown) {
    throw unusable(file, thrown);
  }
}

const OTHERS = 0o077;

/**
 * Describes who else than its owner can read this file, as the end of a sentence: some file systems, such as those of Windows drives
 * and network shares, give every file the permissions with which they were mounted.
 *
 * @returns undefined where nobody can, for anything else than a file, and where the system has no such permissions
 */
export async function exposureAt(path: string): Promise<string | undefined> {
  if (process.platform === 'win32') return undefined;
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile() || (found.mode & OTHERS) === 0) return undefined;
  return 'other users of this machine can read it, because its file system does not keep permissions';
}

/**
 * Describes who else can read a file below its root.
 *
 * @returns undefined where only its owner can, or where it cannot be looked at
 */
export async function exposureOf(file: PrivatePath): Promise<string | undefined> {
  const { folders, name } = partsOf(file);
  const folder = await openBelow(file.root, folders, false).catch(() => undefined);
  const exposure = folder && (await exposureAt(folder.at(name)));
  await folder?.close();
  return exposure;
}

const LOCK_ENDING = '.keyplane-new';
/** A writer holds the lock for milliseconds: an older one was left by a run that was killed. */
const STALE_MS = 10_000;
const WAIT_MS = 25;
/** Longer than until a lock is stale, so that the run right after a killed one succeeds. */
const MOST_WAITS = 600;

/** A clock that was set back makes a lock that was left look new for as long. */
const locked = (name: string): Fault =>
  new Fault('file.locked', `Another process is writing ${name}.`, {
    hint: `If no run is writing it, delete ${name}${LOCK_ENDING} in the same folder.`,
  });

/** The new file under a name that only one writer can have, as Git does it: it is the lock of the file as well. */
async function takeLock(folder: Folder, name: string): Promise<FileHandle> {
  const path = folder.at(name + LOCK_ENDING);
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  for (let waits = 0; ; waits += 1) {
    try {
      return await open(path, flags, 0o600);
    } catch (thrown) {
      if (systemCode(thrown) !== 'EEXIST') throw thrown;
    }
    const age = await lstat(path).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    );
    if (age > STALE_MS) await rm(path, { force: true });
    else if (waits >= MOST_WAITS) throw locked(name);
    else await setTimeout(WAIT_MS);
  }
}

/** Is the lock still ours? Another writer may have taken it for a stale one. */
async function isOwn(handle: FileHandle, path: string): Promise<boolean> {
  const [own, there] = await Promise.all([handle.stat(), stat(path).catch(() => undefined)]);
  return own.ino === there?.ino && own.dev === there.dev;
}

async function writeLocked(
  folder: Folder,
  name: string,
  edit: (text: string | undefined) => string | undefined,
): Promise<'written' | 'again'> {
  const handle = await takeLock(folder, name);
  const path = folder.at(name + LOCK_ENDING);
  let isPlaced = false;
  try {
    const before = await readIn(folder, name);
    const after = edit(before?.text);
    if (after === before?.text) return 'written';
    refuseMountPoint(folder.at(name));
    if (after === undefined) {
      await rm(folder.at(name), { force: true });
      return 'written';
    }
    await handle.writeFile(after);
    await handle.sync();
    const now = await readIn(folder, name);
    if (now?.version !== before?.version || !(await isOwn(handle, path))) return 'again';
    await rename(path, folder.at(name));
    isPlaced = true;
    await folder.sync();
    return 'written';
  } finally {
    if (!isPlaced && (await isOwn(handle, path))) await rm(path, { force: true });
    await handle.close();
  }
}

const MOST_ATTEMPTS = 10;

/**
 * Changes a file below its root, whole or not at all, and makes it readable by its owner only. Writers of this machine wait for
 * one another, and an edit that somebody makes meanwhile is kept: the change is then made again from the new text.
 *
 * @param edit computes the new text; undefined removes the file. What it throws ends the change.
 * @throws Fault `sink.unreadable`, `sink.stale`, `file.locked`, `file.unwritable`
 */
export async function changePrivate(
  file: PrivatePath,
  edit: (text: string | undefined) => string | undefined,
): Promise<void> {
  try {
    const { folders, name } = partsOf(file);
    const folder = await openBelow(file.root, folders, true);
    if (folder === undefined) return;
    try {
      for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
        if ((await writeLocked(folder, name, edit)) === 'written') return;
      }
    } finally {
      await folder.close();
    }
    throw new Fault('sink.stale', `Somebody else keeps changing ${file.path}.`, { hint: 'Run the command again.' });
  } catch (thrown) {
    throw isOfSystem(thrown) ? unwritable(file, thrown) : unusable(file, thrown);
  }
}

const isOfSystem = (thrown: unknown): boolean => thrown instanceof Error && 'syscall' in thrown;

const unwritable = ({ path }: PrivatePath, cause: unknown): Fault =>
  new Fault('file.unwritable', `${path} cannot be written: ${fileTrouble(cause)}.`, {
    cause,
    hint: 'Check the folder, its permissions and the free disk space.',
  });

/** @throws an error that `fileTrouble` words, when no new file can be made next to the file, or take its place */
async function refuseUnplaceable(folder: Folder, name: string): Promise<void> {
  await access(folder.at('.'), constants.W_OK);
  refuseMountPoint(folder.at(name));
  const lock = name + LOCK_ENDING;
  const found = await lstat(folder.at(lock)).catch((thrown: unknown) => {
    if (systemCode(thrown) !== 'ENOENT') throw thrown;
  });
  if (found?.isDirectory()) throw new Error(`a folder with the name ${lock} is next to it`);
}

/**
 * Verifies that {@link changePrivate} may write, without writing anything: a full disk shows only then.
 *
 * @throws Fault as it does
 */
export async function probePrivate(file: PrivatePath): Promise<void> {
  try {
    const { folders, name } = partsOf(file);
    // Missing folders are created at the first write.
    const folder = await openNearest(file.root, folders);
    await refuseUnplaceable(folder, name).finally(folder.close);
  } catch (thrown) {
    throw isOfSystem(thrown) ? unwritable(file, thrown) : unusable(file, thrown);
  }
}
