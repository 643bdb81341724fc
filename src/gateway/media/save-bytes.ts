import { mkdtemp, open, rename, rm, writeFile } from 'node:fs/promises';
import { Fault, fileTrouble } from '../../domain/index.ts';

/**
 * Writes a file completely or not at all: first to a temporary folder next to it, then renames it. Leaves nothing
 * behind when the bytes end with a Fault, which is rethrown.
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
    throw new Fault('file.unwritable', `${file} cannot be written: ${fileTrouble(thrown)}.`, { cause: thrown });
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

const MEGABYTE = 1024 * 1024;
/** More than any image, and than the longest video that a request can produce. */
const MAX_BYTES = 256 * MEGABYTE;

/** Collects the bytes of a file in memory. @throws Fault `media.damaged` when there are too many */
export async function readIntoMemory(chunks: AsyncIterable<Uint8Array>, maxBytes = MAX_BYTES): Promise<Uint8Array> {
  const collected: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > maxBytes) {
      const message = `The file is larger than ${maxBytes / MEGABYTE} MB, which is too large to read into memory.`;
      throw new Fault('media.damaged', message, { hint: 'Save it to a file by its link instead.' });
    }
    collected.push(chunk);
  }
  return new Uint8Array(Buffer.concat(collected));
}
