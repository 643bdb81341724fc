import type { Sharp } from 'sharp';
import type { Canvas } from './canvas.ts';
import { draw, type PictureOrder } from './draw.ts';

/** Loaded when the first picture is made: it is large. */
export const encoder = async () => (await import('sharp')).default;

/** The canvas as a picture of the asked format. An opaque one has no opacity in it at all. */
export async function encode(canvas: Canvas, order: PictureOrder): Promise<Uint8Array> {
  const sharp = await encoder();
  const { width, height, data } = canvas;
  const picture = sharp(data, { raw: { width, height, channels: 4 } });
  return new Uint8Array(await formatted(picture, order).toBuffer());
}

function formatted(picture: Sharp, { format, compression: quality = 90 }: PictureOrder): Sharp {
  if (format === 'jpeg') return picture.flatten({ background: '#ffffff' }).jpeg({ quality: Math.max(1, quality) });
  if (format === 'webp') return picture.webp(quality === 100 ? { lossless: true, effort: 1 } : { quality, effort: 1 });
  return picture.png({ compressionLevel: 4 });
}

/** A picture that shows the text: exactly so large, in exactly this format, the same for the same order. */
export const paint = (order: PictureOrder): Promise<Uint8Array> => encode(draw(order), order);

/** The side of the squares that stand for pixels in a partial picture. */
const COARSEST = 64;

/** The canvas in squares, smaller from step to step. */
export async function coarsened(canvas: Canvas, step: number, of: number): Promise<Canvas> {
  const sharp = await encoder();
  const { width, height, data } = canvas;
  const square = Math.max(2, Math.round(COARSEST / 2 ** ((step * 4) / Math.max(1, of))));
  const raw = { width, height, channels: 4 } as const;
  const small = await sharp(data, { raw })
    .resize(Math.max(1, Math.ceil(width / square)), Math.max(1, Math.ceil(height / square)), { fit: 'fill' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width: w, height: h } = small.info;
  const large = await sharp(small.data, { raw: { width: w, height: h, channels: 4 } })
    .resize(width, height, { fit: 'fill', kernel: 'nearest' })
    .raw()
    .toBuffer();
  return { width, height, data: new Uint8Array(large) };
}

/** The same picture on its way: step 0 of `of` is the coarsest. */
export const paintPartial = async (order: PictureOrder, step: number, of: number): Promise<Uint8Array> =>
  encode(await coarsened(draw(order), step, of), order);
