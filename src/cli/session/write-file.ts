import { stat, writeFile } from 'node:fs/promises';
import writeAtomically from 'write-file-atomic';
import { Fault, fileTrouble } from '../../domain/index.ts';

/**
 * Writes the whole file or leaves it as it was. What is there and is no plain file, such as a pipe or `/dev/null`, is
 * written into and never replaced.
 *
 * @throws Fault `file.unwritable`
 */
export async function writeWhole(path: string, text: string, mode?: number): Promise<void> {
  try {
    const there = await stat(path).catch(() => undefined);
    if (there && !there.isFile()) await writeFile(path, text);
    else await writeAtomically(path, text, mode === undefined ? {} : { mode });
  } catch (cause) {
    throw unwritable(path, cause);
  }
}

export function unwritable(path: string, cause: unknown): Fault {
  return new Fault('file.unwritable', `${path} can not be written: ${fileTrouble(cause)}.`, {
    cause,
    hint: 'Look at the folder, its permissions and the space that is left.',
  });
}
