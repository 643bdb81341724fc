import { mkdtemp, open, rename, rm, writeFile } from 'node:fs/promises';
import { Fault, fileTrouble } from '../../domain/index.ts';

/**
 * Writes a file that is there whole or not at all: first beside its place, then renamed. Nothing is left behind when
 * the bytes end in a Fault, which is thrown on.
 *
 * @throws Fault `file.unwritable`
 */
export async function saveFile(file: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  let folder: string | undefined;
  try {
    folder = await mkdtemp(`${file}.`);
    const part = `${folder}/part`;
    await write(part, chunks);
    await rename(part, file);
  } catch (thrown) {
    if (thrown instanceof Fault) throw thrown;
    throw new Fault('file.unwritable', `${file} can not be written: ${fileTrouble(thrown)}.`, { cause: thrown });
  } finally {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }
}

async function write(part: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  const handle = await open(part, 'wx');
  try {
    await writeFile(handle, chunks);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
