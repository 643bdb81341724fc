import { constants, existsSync } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { systemCode } from '../../domain/index.ts';

/** The file descriptors of this process as paths: what is opened below one cannot be swapped for a link meanwhile. */
const DESCRIPTORS = '/proc/self/fd';

/** An open folder. Paths from `at` stay in it, whatever becomes of its name. */
export interface Folder {
  readonly at: (name: string) => string;
  readonly sync: () => Promise<void>;
  readonly close: () => Promise<void>;
}

const FLAGS = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

async function openFolder(path: string, handles: FileHandle[]): Promise<(name: string) => string> {
  const handle = await open(path, FLAGS);
  handles.push(handle);
  const base = existsSync(DESCRIPTORS) ? `${DESCRIPTORS}/${handle.fd}` : path;
  return (name) => join(base, name);
}

/** Node reports a link as ENOTDIR or ELOOP, which helps nobody. */
async function refuseLink(path: string, name: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (found?.isSymbolicLink()) throw new Error(`“${name}” is a symbolic link`);
}

/**
 * Opens the folder at a path below a root, one name after the other, without following a link below the root.
 *
 * @param create creates missing folders; otherwise undefined is returned for them
 * @throws an error whose message ends a sentence, or one of the system
 */
export async function openBelow(root: string, path: readonly string[], create: boolean): Promise<Folder | undefined> {
  const handles: FileHandle[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(handles.map((handle) => handle.close()));
  };
  try {
    let at = await openFolder(await realpath(root), handles);
    for (const name of path) {
      const next = at(name);
      await refuseLink(next, name);
      if (create) await mkdir(next, 0o700).catch((thrown) => ignoreExisting(thrown));
      at = await openFolder(next, handles);
    }
    const last = handles.at(-1);
    return { at, close, sync: async () => void (await last?.sync().catch(() => undefined)) };
  } catch (thrown) {
    await close();
    if (!create && systemCode(thrown) === 'ENOENT') return undefined;
    throw thrown;
  }
}

/** Opens the folder, or the nearest one above it that exists. */
export async function openNearest(root: string, path: readonly string[]): Promise<Folder> {
  const folder = await openBelow(root, path, false);
  if (folder) return folder;
  if (path.length === 0) throw new Error('there is no such folder');
  return await openNearest(root, path.slice(0, -1));
}

function ignoreExisting(thrown: unknown): void {
  if (systemCode(thrown) !== 'EEXIST') throw thrown;
}
