import type { Canvas } from './canvas.ts';
import { draw, type PictureOrder, watermark } from './draw.ts';
import { coarsened, encode, encoder } from './paint.ts';

export interface RetouchOrder extends PictureOrder {
  /** Pictures in any format. The first is edited, the others are worked in. */
  readonly sources: readonly Uint8Array[];
  /** Where it is fully transparent the first source is edited, and nowhere else. */
  readonly mask?: Uint8Array;
}

/** A picture's pixels at this size, exactly its own where it has that size. */
async function pixelsOf(bytes: Uint8Array, { width, height }: { width: number; height: number }): Promise<Canvas> {
  const sharp = await encoder();
  const picture = sharp(bytes).rotate().ensureAlpha();
  const { data, info } = await picture.raw().toBuffer({ resolveWithObject: true });
  if (info.width === width && info.height === height) return { width, height, data: new Uint8Array(data) };
  const raw = { width: info.width, height: info.height, channels: 4 } as const;
  const resized = await sharp(data, { raw }).resize(width, height, { fit: 'fill', kernel: 'nearest' }).raw().toBuffer();
  return { width, height, data: new Uint8Array(resized) };
}

const SOURCE_SHARE = 0.55;

/** The source with what was asked for laid over it, half of each. */
function blended(source: Canvas, layer: Canvas): void {
  for (let at = 0; at < source.data.length; at += 4) {
    for (let channel = 0; channel < 3; channel += 1) {
      const own = (source.data[at + channel] ?? 0) * SOURCE_SHARE;
      source.data[at + channel] = own + (layer.data[at + channel] ?? 0) * (1 - SOURCE_SHARE);
    }
  }
}

function replaced(source: Canvas, layer: Canvas, mask: Canvas): void {
  for (let at = 0; at < source.data.length; at += 4) {
    if (mask.data[at + 3] === 0) source.data.set(layer.data.subarray(at, at + 4), at);
  }
}

/** The other sources, small, along the upper edge. */
async function fused(canvas: Canvas, others: readonly Uint8Array[]): Promise<void> {
  const side = { width: Math.max(1, canvas.width >> 3), height: Math.max(1, canvas.height >> 3) };
  for (const [index, bytes] of others.entries()) {
    const left = (index * side.width) % (canvas.width - side.width + 1);
    const small = await pixelsOf(bytes, side);
    for (let y = 0; y < side.height; y += 1) {
      const row = small.data.subarray(y * side.width * 4, (y + 1) * side.width * 4);
      canvas.data.set(row, (y * canvas.width + left) * 4);
    }
  }
}

async function edited(order: RetouchOrder): Promise<Canvas> {
  const [first, ...others] = order.sources;
  if (first === undefined) return draw(order);
  const canvas = await pixelsOf(first, order);
  const layer = draw({ ...order, background: 'opaque', watermark: false });
  await fused(order.mask ? layer : canvas, others);
  if (order.mask) replaced(canvas, layer, await pixelsOf(order.mask, order));
  else blended(canvas, layer);
  if (order.watermark) watermark(canvas);
  return canvas;
}

/** The first source as it was asked to be edited. */
export const retouch = async (order: RetouchOrder): Promise<Uint8Array> => encode(await edited(order), order);

/** The same edit on its way, as `paintPartial`. */
export const retouchPartial = async (order: RetouchOrder, step: number, of: number): Promise<Uint8Array> =>
  encode(await coarsened(await edited(order), step, of), order);
