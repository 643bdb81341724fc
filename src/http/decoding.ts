import { pipeline, type Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { RawAnswer } from './exchange.ts';
import { NoAnswer } from './no-answer.ts';

/** What is there is handed on at once: the parts of a stream may be minutes apart. */
const PROMPT = { flush: constants.Z_SYNC_FLUSH };
const CODINGS: Readonly<Record<string, () => Transform>> = {
  gzip: () => createGunzip(PROMPT),
  'x-gzip': () => createGunzip(PROMPT),
  deflate: () => createInflate(PROMPT),
  br: () => createBrotliDecompress({ flush: constants.BROTLI_OPERATION_FLUSH }),
};

/**
 * The body without its coding. No coding is asked for, yet some proxies always use one.
 * Throws NoAnswer where the body breaks off, can not be decoded, or has more than so many bytes when it is.
 */
export async function* decoded(raw: RawAnswer, maxBytes: number): AsyncGenerator<Uint8Array, undefined> {
  const coding = String(raw.headers['content-encoding'] ?? 'identity')
    .trim()
    .toLowerCase();
  const body = { [Symbol.asyncIterator]: () => raw.body };
  if (coding === 'identity' || coding === '') return yield* body;
  const open = CODINGS[coding];
  if (!open) {
    raw.giveUp();
    throw new NoAnswer('undecodable', 'yes', new Error(`unknown coding ${coding}`));
  }
  yield* inflated(body, open(), maxBytes);
  return undefined;
}

async function* inflated(body: AsyncIterable<Uint8Array>, inflate: Transform, maxBytes: number) {
  let bytes = 0;
  try {
    for await (const chunk of pipeline(body, inflate, () => undefined) as AsyncIterable<Uint8Array>) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw new Error('more bytes than may be read');
      yield chunk;
    }
  } catch (thrown) {
    throw thrown instanceof NoAnswer ? thrown : new NoAnswer('undecodable', 'yes', thrown);
  }
}
