import { constants, openSync } from 'node:fs';
import { chmod, stat, writeFile } from 'node:fs/promises';
import { Fault, fileTrouble } from '../domain/index.ts';
import { isMountPoint } from '../source/index.ts';

function openPipe(path: string): number {
  try {
    return openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
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

async function replaceFile(path: string, text: string, mode: number | undefined): Promise<void> {
  // Loaded when it is needed: it leaves a mark on the global object.
  const { default: writeAtomically } = await import('write-file-atomic');
  await writeAtomically(path, '', {
    ...(mode === undefined ? {} : { mode }),
    // Its own write takes the part that fits on a full disk for the whole.
    tmpfileCreated: (temporary) => writeFile(temporary, text, { flag: 'r+' }),
  });
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
