import { pipeline, type Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { ExchangeError, type RawResponse } from './exchange.ts';

/** Flushes after each chunk: the chunks of a stream may be minutes apart. */
const SYNC_FLUSH = { flush: constants.Z_SYNC_FLUSH };
const CODINGS: Readonly<Record<string, () => Transform>> = {
  gzip: () => createGunzip(SYNC_FLUSH),
  'x-gzip': () => createGunzip(SYNC_FLUSH),
  deflate: () => createInflate(SYNC_FLUSH),
  br: () => createBrotliDecompress({ flush: constants.BROTLI_OPERATION_FLUSH }),
};

/** The chunks of a body, to be read once. */
export type Body = AsyncIterator<Uint8Array, undefined>;

/**
 * Decodes the content coding of a body. Requests do not ask for one, but some proxies always use one.
 * Throws ExchangeError when the body breaks off, cannot be decoded, or is longer than `maxBytes` when decoded.
 */
export function decodedBody(raw: RawResponse, maxBytes: number): Body {
  const coding = String(raw.headers['content-encoding'] ?? '')
    .trim()
    .toLowerCase();
  return coding === '' || coding === 'identity' ? raw.body : decoded(raw, coding, maxBytes);
}

async function* decoded(raw: RawResponse, coding: string, maxBytes: number): AsyncGenerator<Uint8Array, undefined> {
  const body = { [Symbol.asyncIterator]: () => raw.body };
  const open = CODINGS[coding];
  if (!open) {
    raw.abandon();
    throw new ExchangeError('undecodable', 'yes', new Error(`unknown coding ${coding}`));
  }
  yield* inflated(body, open(), maxBytes);
  return undefined;
}

async function* inflated(body: AsyncIterable<Uint8Array>, inflate: Transform, maxBytes: number) {
  let bytes = 0;
  try {
    const chunks: AsyncIterable<Uint8Array> = pipeline(body, inflate, () => undefined);
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw new Error('the decoded body is too long');
      yield chunk;
    }
  } catch (thrown) {
    throw thrown instanceof ExchangeError ? thrown : new ExchangeError('undecodable', 'yes', thrown);
  }
}

/** Reads a body to its end as text, without a byte order mark. */
export const readText = (body: AsyncIterable<Uint8Array>): Promise<string> => readWhole(body[Symbol.asyncIterator]());

/** The same for a body that nobody else reads. */
export async function readWhole(body: Pick<Body, 'next'>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for (let read = await body.next(); !read.done; read = await body.next()) chunks.push(read.value);
  return new TextDecoder().decode(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks));
}
