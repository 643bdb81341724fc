import type { Sharp } from 'sharp';
import { loadSharp } from './render-image.ts';

type ImageFormat = 'png' | 'jpeg' | 'webp';

/** A flaw to introduce into a correct image. */
type Corruption = 'flat' | 'resized' | 'corrupt' | 'other-format';

interface Metadata {
  readonly format: ImageFormat;
  readonly width: number;
  readonly height: number;
}

async function metadataOf(image: Uint8Array): Promise<Metadata> {
  const sharp = await loadSharp();
  const { format, width, height } = await sharp(image).metadata();
  return { format: format as ImageFormat, width, height };
}

const GREY = { r: 120, g: 120, b: 120 };

/** Encodes as exactly as the format allows. */
async function encoded(image: Sharp, format: ImageFormat): Promise<Uint8Array> {
  if (format === 'jpeg')
    return new Uint8Array(await image.flatten({ background: '#ffffff' }).jpeg({ quality: 100 }).toBuffer());
  if (format === 'webp') return new Uint8Array(await image.webp({ lossless: true, effort: 0 }).toBuffer());
  return new Uint8Array(await image.png({ compressionLevel: 4 }).toBuffer());
}

const FLAWS: { readonly [F in Corruption]: (image: Uint8Array) => Promise<Uint8Array> } = {
  /** The same size and format, in a single colour. */
  async flat(image) {
    const sharp = await loadSharp();
    const { format, width, height } = await metadataOf(image);
    return encoded(sharp({ create: { width, height, channels: 3, background: GREY } }), format);
  },
  /** Half as wide: neither its size nor its aspect ratio is correct. */
  async resized(image) {
    const sharp = await loadSharp();
    const { format, width, height } = await metadataOf(image);
    return encoded(sharp(image).resize(Math.max(1, width >> 1), height, { fit: 'fill' }), format);
  },
  /** Truncated after half of its bytes. */
  corrupt: async (image) => image.slice(0, image.length >> 1),
  'other-format': async (image) => {
    const sharp = await loadSharp();
    const { format } = await metadataOf(image);
    return encoded(sharp(image), format === 'png' ? 'jpeg' : 'png');
  },
};

/** Introduces a flaw into an image. */
export const corruptImage = (image: Uint8Array, flaw: Corruption): Promise<Uint8Array> => FLAWS[flaw](image);

/** Returns the source in the size and format of the edited image, without the edit. */
export async function resizedSource(source: Uint8Array, image: Uint8Array): Promise<Uint8Array> {
  const sharp = await loadSharp();
  const { format, width, height } = await metadataOf(image);
  return encoded(sharp(source).rotate().toColourspace('srgb').resize(width, height, { fit: 'fill' }), format);
}
