import type { Sharp } from 'sharp';
import { type Canvas, isOpaque } from './canvas.ts';
import { draw, type PictureOrder } from './draw.ts';

/** Loaded when the first picture is made: it is large. */
export async function encoder() {
  const { default: sharp } = await import('sharp');
  // What it would keep is no two pictures' own.
  sharp.cache(false);
  return sharp;
}

type Encoding = Pick<PictureOrder, 'format' | 'compression'>;

/** The canvas as a picture of the asked format. Where nothing is transparent it has no opacity at all. */
export async function encode(canvas: Canvas, encoding: Encoding): Promise<Uint8Array> {
  const sharp = await encoder();
  const { width, height, data } = canvas;
  const picture = sharp(data, { raw: { width, height, channels: 4 } });
  return new Uint8Array(await formatted(isOpaque(canvas) ? picture.removeAlpha() : picture, encoding).toBuffer());
}

/** Contract: “output_compression”, 0 to 100, which it is unless told. At 100 WebP loses nothing. */
function formatted(picture: Sharp, { format, compression = 100 }: Encoding): Sharp {
  const quality = Math.max(1, compression);
  if (format === 'jpeg') return picture.flatten({ background: '#ffffff' }).jpeg({ quality });
  if (format === 'webp') return picture.webp(quality === 100 ? { lossless: true, effort: 0 } : { quality, effort: 1 });
  return picture.png({ compressionLevel: 4 });
}

/** A picture that shows the text: exactly so large, in exactly this format, the same for the same order. */
export const paint = (order: PictureOrder): Promise<Uint8Array> => encode(draw(order), order);

/** The side of the squares of a first partial picture, unless it would have fewer than so many of them along an edge. */
const COARSEST = 64;
const FEWEST_SQUARES = 8;

/** How much of the way to single pixels the first partial pictures leave to the last. */
const squareAt = ({ width, height }: Canvas, step: number, of: number): number => {
  const coarsest = Math.max(1, Math.min(COARSEST, Math.min(width, height) / FEWEST_SQUARES));
  return Math.max(1, Math.round(coarsest ** (1 - step / Math.max(1, of))));
};

/** The canvas in squares, smaller from step to step. */
export async function coarsened(canvas: Canvas, step: number, of: number): Promise<Canvas> {
  const sharp = await encoder();
  const { width, height, data } = canvas;
  const square = squareAt(canvas, step, of);
  if (square === 1) return canvas;
  const raw = { width, height, channels: 4 } as const;
  const small = await sharp(data, { raw })
    .resize(Math.ceil(width / square), Math.ceil(height / square), { fit: 'fill' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const large = await sharp(small.data, { raw: { width: small.info.width, height: small.info.height, channels: 4 } })
    .resize(width, height, { fit: 'fill', kernel: 'nearest' })
    .raw()
    .toBuffer();
  return { width, height, data: new Uint8Array(large) };
}

/** The same picture on its way: step 0 of `of` is the coarsest. */
export const paintPartial = async (order: PictureOrder, step: number, of: number): Promise<Uint8Array> =>
  encode(await coarsened(draw(order), step, of), order);
