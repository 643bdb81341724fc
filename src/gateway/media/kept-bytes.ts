import { Fault } from '../../domain/index.ts';

const MEGABYTE = 1024 * 1024;
/** More than any picture, and than a film of the longest time that a request can ask for. */
const MOST_BYTES = 256 * MEGABYTE;

/** All the bytes of a file, in memory. @throws Fault `media.damaged` when they are too many for that */
export async function keptBytes(chunks: AsyncIterable<Uint8Array>, mostBytes = MOST_BYTES): Promise<Uint8Array> {
  const kept: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > mostBytes) {
      throw new Fault('media.damaged', `The file has more than ${mostBytes / MEGABYTE} MB: it is not kept in memory.`, {
        hint: 'Save it to a file by its link instead.',
      });
    }
    kept.push(chunk);
  }
  return new Uint8Array(Buffer.concat(kept));
}
