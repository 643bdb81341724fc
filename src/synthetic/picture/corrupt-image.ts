import type { Sharp } from 'sharp';
import { encoder } from './paint.ts';

type Format = 'png' | 'jpeg' | 'webp';

/** What can be wrong with a picture that was made as it was asked for. */
type PictureSpoil = 'flat' | 'resized' | 'corrupt' | 'other-format';

interface Known {
  readonly format: Format;
  readonly width: number;
  readonly height: number;
}

async function known(picture: Uint8Array): Promise<Known> {
  const sharp = await encoder();
  const { format, width, height } = await sharp(picture).metadata();
  return { format: format as Format, width, height };
}

const GREY = { r: 120, g: 120, b: 120 };

/** As exactly as the format can. */
async function encoded(picture: Sharp, format: Format): Promise<Uint8Array> {
  if (format === 'jpeg')
    return new Uint8Array(await picture.flatten({ background: '#ffffff' }).jpeg({ quality: 100 }).toBuffer());
  if (format === 'webp') return new Uint8Array(await picture.webp({ lossless: true, effort: 0 }).toBuffer());
  return new Uint8Array(await picture.png({ compressionLevel: 4 }).toBuffer());
}

const SPOILS: { readonly [S in PictureSpoil]: (picture: Uint8Array) => Promise<Uint8Array> } = {
  /** Of the same size and format, and of one colour. */
  async flat(picture) {
    const sharp = await encoder();
    const { format, width, height } = await known(picture);
    return encoded(sharp({ create: { width, height, channels: 3, background: GREY } }), format);
  },
  /** Half as wide: neither its pixels nor its proportions are what was asked for. */
  async resized(picture) {
    const sharp = await encoder();
    const { format, width, height } = await known(picture);
    return encoded(sharp(picture).resize(Math.max(1, width >> 1), height, { fit: 'fill' }), format);
  },
  /** The second half of its bytes never came. */
  corrupt: async (picture) => picture.slice(0, picture.length >> 1),
  'other-format': async (picture) => {
    const sharp = await encoder();
    const { format } = await known(picture);
    return encoded(sharp(picture), format === 'png' ? 'jpeg' : 'png');
  },
};

/** A picture with something wrong. */
export const spoilPicture = (picture: Uint8Array, how: PictureSpoil): Promise<Uint8Array> => SPOILS[how](picture);

/** The source in the size and the format of what was to be made of it, and not edited at all. */
export async function unedited(source: Uint8Array, picture: Uint8Array): Promise<Uint8Array> {
  const sharp = await encoder();
  const { format, width, height } = await known(picture);
  return encoded(sharp(source).rotate().toColourspace('srgb').resize(width, height, { fit: 'fill' }), format);
}
