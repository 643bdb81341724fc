import { constants, createReadStream, fstatSync, openSync, readFileSync, statSync } from 'node:fs';

const MIB = 1024 * 1024;

/** The most bytes that are read, by what a file holds. */
export const MOST_BYTES = {
  /** All YAML of one manifest: more could not be parsed in the memory of most machines. */
  yaml: 4 * MIB,
  /** One file of Terraform JSON. */
  terraformJson: 32 * MIB,
  savedPlan: 64 * MIB,
  /** Ledgers, journals, caches and results of earlier runs. */
  record: 64 * MIB,
  /** A file that goes into a request: the contract allows 50 MB. */
  upload: 64 * MIB,
  /** Tokens and certificates. */
  credential: MIB,
} as const;

const tooLarge = (most: number): Error => new Error(`it is larger than ${most / MIB} MiB`);

// Windows has no such pipes, and no such flag.
const { O_RDONLY, O_NONBLOCK = 0 } = constants;

/** A thread that waits for the writer of a pipe would outlive every signal, so the event loop waits for it. */
async function openStream(path: string): Promise<AsyncIterable<Buffer>> {
  const fd = openSync(path, O_RDONLY | O_NONBLOCK);
  if (fstatSync(fd).isFIFO()) {
    const { Socket } = await import('node:net');
    return new Socket({ fd, readable: true, writable: false });
  }
  return createReadStream(path, { fd, highWaterMark: 256 * 1024 });
}

/**
 * Reads a file, a pipe or a device, and stops at the limit: `/dev/zero` has no end.
 *
 * @throws an error that `fileTrouble` words
 */
export async function readBounded(path: string, most: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of await openStream(path)) {
    bytes += chunk.length;
    if (bytes > most) throw tooLarge(most);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Reads a bounded file as UTF-8. */
export const readBoundedText = async (path: string, most: number): Promise<string> =>
  (await readBounded(path, most)).toString('utf8');

/** Reads a regular file at once. */
export function readRegularFile(path: string, most: number): Buffer {
  const found = statSync(path);
  if (!found.isFile()) throw new Error('it is not a regular file');
  if (found.size > most) throw tooLarge(most);
  return readFileSync(path);
}
