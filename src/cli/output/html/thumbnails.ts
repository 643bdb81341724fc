import { type Artifact, type CheckReport, isErrorWithCode } from '../../../domain/index.ts';

/** An artifact on a page: a small picture, a whole video, or the reason why there is none. */
export type Thumbnail =
  | { readonly kind: 'image' | 'video'; readonly dataUri: string }
  | { readonly kind: 'none'; readonly why: string };

export type Thumbnails = ReadonlyMap<Artifact, Thumbnail>;

const EDGE = 320;
const MEGABYTE = 1024 * 1024;
/** One page is to be mailed and opened anywhere. */
const MOST_VIDEO = 8 * MEGABYTE;
const MOST_VIDEOS = 32 * MEGABYTE;

const megabytes = (bytes: number): string => `${(bytes / MEGABYTE).toFixed(1)} MB`;

const uriOf = (mediaType: string, bytes: Uint8Array): string =>
  `data:${mediaType};base64,${Buffer.from(bytes).toString('base64')}`;

async function pictureOf({ bytes }: Artifact): Promise<Thumbnail> {
  try {
    const { default: sharp } = await import('sharp');
    const small = sharp(bytes).resize(EDGE, EDGE, { fit: 'inside', withoutEnlargement: true });
    return { kind: 'image', dataUri: uriOf('image/webp', await small.webp({ quality: 75 }).toBuffer()) };
  } catch (thrown) {
    const isMissing = isErrorWithCode(thrown, 'ERR_MODULE_NOT_FOUND');
    return { kind: 'none', why: isMissing ? 'the package sharp is not installed' : 'it cannot be decoded' };
  }
}

/** The thumbnails of all artifacts of a report. */
export async function thumbnailsOf({ results }: Pick<CheckReport, 'results'>): Promise<Thumbnails> {
  const shown = new Map<Artifact, Thumbnail>();
  let embedded = 0;
  for (const artifact of results.flatMap(({ artifacts }) => artifacts)) {
    const { mediaType, bytes } = artifact;
    if (!mediaType.startsWith('video/')) shown.set(artifact, await pictureOf(artifact));
    else if (bytes.length > MOST_VIDEO || embedded + bytes.length > MOST_VIDEOS) {
      shown.set(artifact, { kind: 'none', why: `it is too large for a page: ${megabytes(bytes.length)}` });
    } else {
      embedded += bytes.length;
      shown.set(artifact, { kind: 'video', dataUri: uriOf(mediaType, bytes) });
    }
  }
  return shown;
}
