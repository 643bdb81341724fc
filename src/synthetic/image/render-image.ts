import type { Sharp } from 'sharp';
import { Fault } from '../../domain/index.ts';
import { type Canvas, hasTransparency } from './canvas.ts';
import { draw, type ImageSpec } from './draw.ts';

/**
 * Loads sharp with the first image, because it is large, and optional.
 *
 * @throws Fault `tool.missing-package`
 */
export async function loadSharp() {
  const { default: sharp } = await import('sharp').catch((cause: unknown) => {
    throw new Fault('tool.missing-package', 'Models for images need the package sharp, which is not installed.', {
      cause,
      hint: 'Run `npm install sharp` where Keyplane is installed.',
      detail: { package: 'sharp' },
    });
  });
  // No two images share anything worth caching.
  sharp.cache(false);
  return sharp;
}

type Encoding = Pick<ImageSpec, 'format' | 'compression'>;

/** Encodes the canvas in the requested format, without an alpha channel when nothing is transparent. */
export async function encode(canvas: Canvas, encoding: Encoding): Promise<Uint8Array> {
  const sharp = await loadSharp();
  const { width, height, data } = canvas;
  const image = sharp(data, { raw: { width, height, channels: 4 } });
  return new Uint8Array(await withFormat(hasTransparency(canvas) ? image : image.removeAlpha(), encoding).toBuffer());
}

/** Contract: “output_compression”, 0 to 100, which is the default. At 100, WebP is lossless. */
function withFormat(image: Sharp, { format, compression = 100 }: Encoding): Sharp {
  const quality = Math.max(1, compression);
  if (format === 'jpeg') return image.flatten({ background: '#ffffff' }).jpeg({ quality });
  if (format === 'webp') return image.webp(quality === 100 ? { lossless: true, effort: 0 } : { quality, effort: 1 });
  return image.png({ compressionLevel: 4 });
}

/** Renders an image that shows the text, in exactly the requested size and format. */
export const renderImage = (order: ImageSpec): Promise<Uint8Array> => encode(draw(order), order);

/** The edge of the squares in the first partial image, unless an edge would have fewer than `FEWEST_SQUARES`. */
const COARSEST = 64;
const FEWEST_SQUARES = 8;

/** The edge of the squares in one partial image. */
const squareAt = ({ width, height }: Canvas, step: number, of: number): number => {
  const coarsest = Math.max(1, Math.min(COARSEST, Math.min(width, height) / FEWEST_SQUARES));
  return Math.max(1, Math.round(coarsest ** (1 - step / Math.max(1, of))));
};

/** Pixelates the canvas, with smaller squares at each step. */
export async function coarsened(canvas: Canvas, step: number, of: number): Promise<Canvas> {
  const sharp = await loadSharp();
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

/** Renders a partial image: step 0 of `of` is the coarsest. */
export const renderPartialImage = async (order: ImageSpec, step: number, of: number): Promise<Uint8Array> =>
  encode(await coarsened(draw(order), step, of), order);
