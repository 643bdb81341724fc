import type { AnyFamily, KnownMedia, MediaItem } from '../wire/index.ts';
import { tryParseDataUri } from '../wire/index.ts';
import { readMediaFacts } from './facts.ts';

/**
 * Looks at every file of a request whose bytes are at hand, uploads and data URIs, for `requestIssues`. Of a URL or a
 * file id nothing is known.
 */
export async function readRequestMedia(family: AnyFamily, body: unknown): Promise<(item: MediaItem) => KnownMedia> {
  const known = new Map<string, KnownMedia>();
  for (const item of family.media.flatMap(({ items }) => items(body))) {
    const { source } = item;
    const bytes = typeof source === 'string' ? tryParseDataUri(source)?.bytes : source.bytes;
    if (bytes) known.set(item.path, (await readMediaFacts(bytes)) ?? 'unreadable');
  }
  return ({ path }) => known.get(path);
}
