import type { AnyFamily, KnownMedia, MediaItem } from '../wire/index.ts';
import { tryParseDataUri } from '../wire/index.ts';
import { readMediaFacts } from './facts.ts';

type MediaSource = MediaItem['source'];

/** Two uploads of the same bytes are one source. */
const identityOf = (source: MediaSource): unknown => (typeof source === 'string' ? source : source.bytes);

async function inspect(source: MediaSource): Promise<KnownMedia> {
  if (typeof source !== 'string') return (await readMediaFacts(source.bytes)) ?? 'unreadable';
  if (!/^data:/i.test(source)) return undefined;
  const bytes = tryParseDataUri(source)?.bytes;
  return (bytes && (await readMediaFacts(bytes))) ?? 'unreadable';
}

/**
 * Inspects the files of a request whose bytes are available, in uploads and data URIs, for `requestDiagnostics`. Reads each
 * distinct source once. Nothing is known about a URL or a file id, or about any file of an invalid body.
 */
export async function readRequestMedia(family: AnyFamily, body: unknown): Promise<(item: MediaItem) => KnownMedia> {
  const known = new Map<unknown, KnownMedia>();
  if (family.media.length === 0) return () => undefined;
  if (!family.body.safeParse(body).success) return () => undefined;
  for (const { source } of family.media.flatMap(({ items }) => items(body))) {
    const identity = identityOf(source);
    if (!known.has(identity)) known.set(identity, await inspect(source));
  }
  return ({ source }) => known.get(identityOf(source));
}
