import writeAtomically from 'write-file-atomic';
import { Fault } from '../domain/index.ts';

/** Writes the whole file or leaves it as it was. @throws Fault `file.unwritable` */
export async function writeWhole(path: string, text: string, mode?: number): Promise<void> {
  await writeAtomically(path, text, mode === undefined ? {} : { mode }).catch((cause: NodeJS.ErrnoException) => {
    throw unwritable(path, cause);
  });
}

export function unwritable(path: string, cause: NodeJS.ErrnoException): Fault {
  return new Fault('file.unwritable', `${path} can not be written: ${cause.code ?? cause.message}`, {
    cause,
    hint: 'Look at the folder, its permissions and the space that is left.',
  });
}
