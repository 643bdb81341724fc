import type { MediaFacts } from '../../domain/index.ts';
import { readMediaFacts } from '../../media/index.ts';

/** An image of an answer, decoded to its last pixel. */
export interface DecodedImage {
  readonly bytes: Uint8Array;
  /** From its bytes. Absent: they are no image, or not all of one. */
  readonly facts: MediaFacts | undefined;
  /** The media type that the answer gives it. */
  readonly reported: string | undefined;
  /** Why it can not be decoded. */
  readonly trouble: string | undefined;
  /** All of it has one colour. */
  readonly isFlat: boolean;
  /** Something shines through somewhere. */
  readonly isClear: boolean;
}

/** Heavy, and not wanted where checks are only withCharge. */
export const decoder = async () => (await import('sharp')).default;

/** Noise of an encoder is not yet a second colour. */
const LEAST_DEVIATION = 1;

/** The same each time: what could be looked at can be compared. */
const STRICTNESS = { failOn: 'error' } as const;

const UNDECODED = { isFlat: false, isClear: false };

async function decoded(bytes: Uint8Array): Promise<Pick<DecodedImage, 'trouble' | 'isFlat' | 'isClear'>> {
  try {
    const sharp = await decoder();
    const { channels, isOpaque } = await sharp(bytes, STRICTNESS).stats();
    const isFlat = channels.every(({ stdev }) => stdev <= LEAST_DEVIATION);
    return { trouble: undefined, isFlat, isClear: !isOpaque };
  } catch (thrown) {
    return { ...UNDECODED, trouble: thrown instanceof Error ? thrown.message : String(thrown) };
  }
}

/** Looks at every pixel. Never throws: bytes that are no image are one with trouble. */
export async function decodeImage(bytes: Uint8Array, reported?: string): Promise<DecodedImage> {
  const facts = await readMediaFacts(bytes);
  if (facts?.kind !== 'image') {
    const trouble = 'its bytes are no image, or not all of one';
    return { bytes, reported, facts: undefined, ...UNDECODED, trouble };
  }
  return { bytes, reported, facts, ...(await decoded(bytes)) };
}

/** Side of the squares by which images are compared. */
const CELLS = 32;

async function coarse(bytes: Uint8Array): Promise<Uint8Array> {
  const sharp = await decoder();
  const small = sharp(bytes, STRICTNESS).rotate().flatten({ background: '#808080' }).toColourspace('srgb');
  return new Uint8Array(await small.resize(CELLS, CELLS, { fit: 'fill' }).raw().toBuffer());
}

/**
 * The largest difference of a colour between two images, 0 to 255, seen coarsely: encoding or scaling an image anew
 * makes no difference, an edit of a thousandth of it does.
 */
export async function differenceOf(one: Uint8Array, other: Uint8Array): Promise<number> {
  const [first, second] = await Promise.all([coarse(one), coarse(other)]);
  return first.reduce((most, value, at) => Math.max(most, Math.abs(value - (second[at] ?? 0))), 0);
}
