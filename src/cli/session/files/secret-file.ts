import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises';
import { unwritable } from '../../../disk/index.ts';
import { Fault, type Secret } from '../../../domain/index.ts';
import { refuseMountPoint } from '../../../source/index.ts';

/** A file that is ready to take a secret: it exists, nobody else may read it, and its space is taken. */
export interface ReservedFile {
  /** Writes the secret and puts the file into its place. */
  readonly keep: (secret: Secret) => Promise<void>;
  readonly discard: () => Promise<void>;
}

/** Names a file that a secret was written to, with who can read it there: the end of a sentence. */
export async function secretPlace(file: string, path: string): Promise<string> {
  // Loaded late: most commands deliver nothing.
  const { exposureAt } = await import('../../../delivery/index.ts');
  const exposure = await exposureAt(path);
  return exposure ? `${file}. Warning: ${exposure}.` : `${file}, readable only by its owner.`;
}

const ROOM = 4096;

async function prepare(path: string, temporary: string): Promise<FileHandle> {
  let handle: FileHandle | undefined;
  try {
    const there = await stat(path).catch(() => undefined);
    if (there && !there.isFile()) throw new Error('it is not a regular file');
    refuseMountPoint(path);
    handle = await open(temporary, 'wx', 0o600);
    await handle.write(Buffer.alloc(ROOM, '\n'), 0, ROOM, 0);
    await handle.sync();
    return handle;
  } catch (thrown) {
    if (handle) await discard(handle, temporary);
    throw unwritable(path, thrown);
  }
}

async function discard(handle: FileHandle, temporary: string): Promise<void> {
  await handle.close();
  await rm(temporary, { force: true });
}

/**
 * Creates a file of mode 0600 next to `path`, filled so that a full disk is noticed before the secret exists.
 *
 * @throws Fault `file.unwritable`
 */
export async function reserveSecretFile(path: string, random: () => number): Promise<ReservedFile> {
  const temporary = `${path}.${Math.floor(random() * 0xffffffff).toString(16)}.new`;
  const handle = await prepare(path, temporary);
  return {
    async keep(secret) {
      const text = `${secret.reveal()}\n`;
      try {
        await handle.write(text, 0);
        await handle.sync();
        await handle.truncate(Buffer.byteLength(text));
        await handle.close();
        await rename(temporary, path);
      } catch (cause) {
        throw new Fault(
          'file.unwritable',
          `The new secret is in ${temporary}, because the file could not be moved to ${path}.`,
          {
            hint: 'Move the file yourself; do not delete it.',
            cause,
          },
        );
      }
    },
    discard: () => discard(handle, temporary),
  };
}
