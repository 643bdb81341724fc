import { Fault, type MediaFacts } from '../../domain/index.ts';
import { readMediaFacts } from '../../media/index.ts';

/** An image of an answer, completely decoded. */
export interface DecodedImage {
  readonly bytes: Uint8Array;
  /** Read from its bytes. Absent if they are not a complete image. */
  readonly facts: MediaFacts | undefined;
  /** The media type that the answer declares. */
  readonly declared: string | undefined;
  /** The reason that it cannot be decoded. */
  readonly trouble: string | undefined;
  /** It has a single colour. */
  readonly isFlat: boolean;
  /** It has transparent pixels. */
  readonly isTransparent: boolean;
}

/**
 * Loads the decoder, which is large, and not needed where checks are only validated.
 *
 * @throws Fault `tool.missing-package`
 */
async function decoder() {
  // In a `try`, so that those who bundle a program need not have it either.
  try {
    return (await import('sharp')).default;
  } catch (cause) {
    throw new Fault('tool.missing-package', 'Images are decoded by the package sharp, which cannot be loaded.', {
      cause,
      detail: { package: 'sharp' },
    });
  }
}

/** Tolerates the noise of an encoder. */
const LEAST_DEVIATION = 1;

/** More than any image that a model makes. Decoded, it takes half a gigabyte at most; a file of 2 MB could take two. */
const MOST_PIXELS = 8192 * 8192;

/** Used for every read, so that an image that could be decoded can be compared. */
const STRICTNESS = { failOn: 'error', limitInputPixels: MOST_PIXELS } as const;

const UNDECODED = { isFlat: false, isTransparent: false };

async function decoded(bytes: Uint8Array): Promise<Pick<DecodedImage, 'trouble' | 'isFlat' | 'isTransparent'>> {
  try {
    const sharp = await decoder();
    const { channels, isOpaque } = await sharp(bytes, STRICTNESS).stats();
    const isFlat = channels.every(({ stdev }) => stdev <= LEAST_DEVIATION);
    return { trouble: undefined, isFlat, isTransparent: !isOpaque };
  } catch (thrown) {
    return { ...UNDECODED, trouble: thrown instanceof Error ? thrown.message : String(thrown) };
  }
}

/** Decodes every pixel. Never throws: bytes that are not an image give a result with `trouble`. */
export async function decodeImage(bytes: Uint8Array, declared?: string): Promise<DecodedImage> {
  const facts = await readMediaFacts(bytes);
  if (facts?.kind !== 'image') {
    const trouble = 'its bytes are not a complete image';
    return { bytes, declared, facts: undefined, ...UNDECODED, trouble };
  }
  return { bytes, declared, facts, ...(await decoded(bytes)) };
}

/** Images are compared as grids of this many cells a side. */
const CELLS = 32;

async function coarse(bytes: Uint8Array): Promise<Uint8Array> {
  const sharp = await decoder();
  const small = sharp(bytes, STRICTNESS).rotate().flatten({ background: '#808080' }).toColourspace('srgb');
  return new Uint8Array(await small.resize(CELLS, CELLS, { fit: 'fill' }).raw().toBuffer());
}

/**
 * The largest difference of a colour between two images, 0 to 255, on a coarse grid: encoding or scaling an image again
 * makes no difference, an edit of a thousandth of its area does.
 */
export async function differenceOf(one: Uint8Array, other: Uint8Array): Promise<number> {
  const [first, second] = await Promise.all([coarse(one), coarse(other)]);
  return first.reduce((most, value, at) => Math.max(most, Math.abs(value - (second[at] ?? 0))), 0);
}

/** Returns whether the package that decodes images is installed: it is large, native, and optional. */
export const canDecodeImages = (): Promise<boolean> =>
  decoder().then(
    () => true,
    () => false,
  );
