import type { CheckReport, Exhibit } from '../../../domain/index.ts';

/** What stands for an exhibit on a page: a small picture, a whole video, or a word on why there is none. */
export type Thumbnail =
  | { readonly kind: 'image' | 'video'; readonly dataUri: string }
  | { readonly kind: 'none'; readonly why: string };

export type Thumbnails = ReadonlyMap<Exhibit, Thumbnail>;

const EDGE = 320;
const MEGABYTE = 1024 * 1024;
/** One page is to be mailed and opened anywhere. */
const MOST_VIDEO = 8 * MEGABYTE;
const MOST_VIDEOS = 32 * MEGABYTE;

const megabytes = (bytes: number): string => `${(bytes / MEGABYTE).toFixed(1)} MB`;

const uriOf = (mediaType: string, bytes: Uint8Array): string =>
  `data:${mediaType};base64,${Buffer.from(bytes).toString('base64')}`;

async function pictureOf({ bytes }: Exhibit): Promise<Thumbnail> {
  try {
    const { default: sharp } = await import('sharp');
    const small = sharp(bytes).resize(EDGE, EDGE, { fit: 'inside', withoutEnlargement: true });
    return { kind: 'image', dataUri: uriOf('image/webp', await small.webp({ quality: 75 }).toBuffer()) };
  } catch {
    return { kind: 'none', why: 'it can not be decoded' };
  }
}

/** What an HTML page shows of each exhibit of a report. */
export async function thumbnailsOf({ results }: Pick<CheckReport, 'results'>): Promise<Thumbnails> {
  const shown = new Map<Exhibit, Thumbnail>();
  let embedded = 0;
  for (const exhibit of results.flatMap(({ exhibits }) => exhibits)) {
    const { mediaType, bytes } = exhibit;
    if (!mediaType.startsWith('video/')) shown.set(exhibit, await pictureOf(exhibit));
    else if (bytes.length > MOST_VIDEO || embedded + bytes.length > MOST_VIDEOS) {
      shown.set(exhibit, { kind: 'none', why: `it is too large for a page: ${megabytes(bytes.length)}` });
    } else {
      embedded += bytes.length;
      shown.set(exhibit, { kind: 'video', dataUri: uriOf(mediaType, bytes) });
    }
  }
  return shown;
}
