import { readMediaFacts } from '../../../media/index.ts';
import { isDecodableImage } from '../../../synthetic/index.ts';
import type { PixelSize } from '../../../wire/index.ts';
import { tryParseDataUri } from '../../../wire/index.ts';
import type { GatewayContext } from '../../context.ts';
import { RequestError } from '../../inference/request.ts';

/** The limits for fetching an image. */
const FETCH_MS = 10_000;
const MAX_BYTES = 50 * 1024 * 1024;

const refused = (path: string, problem: string): RequestError =>
  new RequestError(`${path}: ${problem}`, { code: 'invalid_image' });

async function fetchImage(url: string, path: string): Promise<Uint8Array> {
  const signal = AbortSignal.timeout(FETCH_MS);
  const { status, body } = await fetch(url, { signal, redirect: 'manual' }).catch(() => {
    throw refused(path, 'cannot be fetched');
  });
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > MAX_BYTES) throw refused(path, 'is too large');
    chunks.push(chunk);
  }
  if (status !== 200) throw refused(path, `cannot be fetched: status ${status}`);
  return Buffer.concat(chunks);
}

/** @throws RequestError if one of these images cannot be decoded, which would otherwise show when it is edited. */
export async function requireDecodable(images: readonly { path: string; bytes: Uint8Array }[]): Promise<void> {
  for (const { path, bytes } of images) {
    if (!(await isDecodableImage(bytes))) throw refused(path, 'is not a readable image');
  }
}

/** @throws RequestError if it is not accessible or not an image. */
export async function sourceBytes(context: GatewayContext, source: string, path: string): Promise<Uint8Array> {
  const bytes =
    tryParseDataUri(source)?.bytes ?? (/^https?:/i.test(source) ? await fetchImage(source, path) : undefined);
  const known = bytes ?? context.ledger.files.tryFind(source, context.clock.now())?.bytes;
  if (known === undefined) throw refused(path, 'is not accessible to this route');
  if ((await readMediaFacts(known))?.kind !== 'image') throw refused(path, 'is not a readable image');
  await requireDecodable([{ path, bytes: known }]);
  return known;
}

/** The size of an image as it is displayed. */
export async function frameIn(bytes: Uint8Array): Promise<PixelSize> {
  const facts = await readMediaFacts(bytes);
  if (facts?.width === undefined || facts.height === undefined) throw refused('image', 'is not a readable image');
  return { width: facts.width, height: facts.height };
}
