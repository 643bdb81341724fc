import { randomBytes } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { chmod, open, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { Fault, fileTrouble } from '../domain/index.ts';
import { isMountPoint } from '../source/index.ts';

/** Somebody else’s pipe in a folder for temporary files would take what was meant for a new file. The superuser writes to all. */
function refuseForeignPipe(fd: number): void {
  const [own, owner] = [process.getuid?.() ?? 0, fstatSync(fd).uid];
  if (own === 0 || owner === 0 || own === owner) return;
  closeSync(fd);
  throw new Error('this pipe belongs to another user');
}

function openPipe(path: string): number {
  try {
    const fd = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
    refuseForeignPipe(fd);
    return fd;
  } catch (thrown) {
    throw (thrown as NodeJS.ErrnoException).code === 'ENXIO' ? new Error('no program reads from this pipe') : thrown;
  }
}

/** Rejects instead of waiting for a reader: a thread that waits would outlive every signal. */
async function writePipe(path: string, text: string): Promise<void> {
  const [{ Socket }, { finished }] = await Promise.all([import('node:net'), import('node:stream/promises')]);
  const fd = openPipe(path);
  const pipe = new Socket({ fd, readable: false, writable: true });
  pipe.end(text);
  await finished(pipe, { readable: false });
}

async function writeInPlace(path: string, text: string, mode: number | undefined): Promise<void> {
  if (mode !== undefined) await chmod(path, mode);
  await writeFile(path, text);
}

/**
 * The new file has a name that nobody foresees, and must not exist: where others may write to the folder, they could have one ready
 * and keep it open. It takes the mode and the owner of the file that it replaces.
 */
async function replaceFile(path: string, text: string, mode: number | undefined): Promise<void> {
  const real = await realpath(path).catch(() => path);
  const former = await stat(real).catch(() => undefined);
  const temporary = `${real}.${randomBytes(6).toString('hex')}.new`;
  const permissions = mode ?? (former && former.mode & 0o7777);
  const file = await open(temporary, 'wx', permissions);
  try {
    // Not every file system has owners and modes, and only the superuser gives files away.
    if (former) await file.chown(former.uid, former.gid).catch(() => undefined);
    if (permissions !== undefined) await file.chmod(permissions).catch(() => undefined);
    await file.writeFile(text);
    await file.sync();
    await rename(temporary, real);
  } catch (thrown) {
    await rm(temporary, { force: true });
    throw thrown;
  } finally {
    await file.close();
  }
}

/**
 * Writes the whole file or leaves it as it was. An existing path that is not a plain file, such as a pipe or `/dev/null`, is
 * written to and never replaced, and so is a file that is mounted on its own; a pipe needs a reader.
 *
 * @throws Fault `file.unwritable`
 */
export async function writeWhole(path: string, text: string, mode?: number): Promise<void> {
  try {
    const there = await stat(path).catch(() => undefined);
    if (there?.isFIFO()) await writePipe(path, text);
    else if (there && !there.isFile()) await writeFile(path, text);
    else if (there && isMountPoint(path)) await writeInPlace(path, text, mode);
    else await replaceFile(path, text, mode);
  } catch (cause) {
    throw unwritable(path, cause);
  }
}

/**
 * The same for a file about an account: nobody but its owner may read it, also where an earlier one was open to others.
 *
 * @throws Fault `file.unwritable`
 */
export const writePrivately = (path: string, text: string): Promise<void> => writeWhole(path, text, 0o600);

export function unwritable(path: string, cause: unknown): Fault {
  if (cause instanceof Fault) return cause;
  return new Fault('file.unwritable', `${path} cannot be written: ${fileTrouble(cause)}.`, {
    cause,
    hint: 'Check the folder, its permissions and the free disk space.',
  });
}
