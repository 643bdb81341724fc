import { blank, type Canvas, place, type Rectangle } from './canvas.ts';
import { watermark } from './caption.ts';
import { draw, type PictureOrder } from './draw.ts';
import { coarsened, encode, encoder } from './paint.ts';

export interface RetouchOrder extends PictureOrder {
  /** Pictures in any format. The first is edited, the others are worked in. */
  readonly sources: readonly Uint8Array[];
  /** Where it is fully transparent the first source is edited, and nowhere else. */
  readonly mask?: Uint8Array;
}

/** How a canvas becomes what is shown of it; on the way to the last picture it is coarser. */
type Refine = (canvas: Canvas) => Promise<Canvas>;

/** A picture's pixels at this size, exactly its own where it has that size. */
async function pixelsOf(
  bytes: Uint8Array,
  { width, height }: { width: number; height: number },
  kernel: 'lanczos3' | 'nearest' = 'lanczos3',
): Promise<Canvas> {
  const sharp = await encoder();
  const upright = await sharp(bytes)
    .rotate()
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { data, info } = upright;
  if (info.width === width && info.height === height) return { width, height, data: new Uint8Array(data) };
  const raw = { width: info.width, height: info.height, channels: 4 } as const;
  const resized = await sharp(data, { raw }).resize(width, height, { fit: 'fill', kernel }).raw().toBuffer();
  return { width, height, data: new Uint8Array(resized) };
}

/** What an edit leaves of the source where it is opaque. */
const SOURCE_SHARE = 0.55;

/** The layer with the source over it, where the source is opaque half of each. */
function blended(source: Canvas, layer: Canvas): Canvas {
  const canvas = blank(source.width, source.height);
  for (let at = 0; at < canvas.data.length; at += 4) {
    const [below, above] = [layer.data[at + 3] ?? 0, source.data[at + 3] ?? 0];
    const share = below === 0 ? 1 : (SOURCE_SHARE * above) / 255;
    for (let channel = at; channel < at + 3; channel += 1) {
      canvas.data[channel] = (source.data[channel] ?? 0) * share + (layer.data[channel] ?? 0) * (1 - share);
    }
    canvas.data[at + 3] = Math.max(below, above);
  }
  return canvas;
}

const isEdited = (mask: Canvas, pixel: number): boolean => mask.data[pixel * 4 + 3] === 0;

/** The smallest rectangle around all that is to be edited; undefined: nothing is. */
function editedArea(mask: Canvas): Rectangle | undefined {
  let [left, top, right, bottom] = [mask.width, mask.height, -1, -1];
  for (let pixel = 0; pixel < mask.width * mask.height; pixel += 1) {
    if (!isEdited(mask, pixel)) continue;
    const [x, y] = [pixel % mask.width, Math.floor(pixel / mask.width)];
    [left, right] = [Math.min(left, x), Math.max(right, x)];
    [top, bottom] = [Math.min(top, y), Math.max(bottom, y)];
  }
  return right < 0 ? undefined : { left, top, width: right - left + 1, height: bottom - top + 1 };
}

/** The other sources, small, along the upper edge. */
async function fuse(canvas: Canvas, others: readonly Uint8Array[]): Promise<void> {
  const size = { width: Math.max(1, canvas.width >> 3), height: Math.max(1, canvas.height >> 3) };
  for (const [index, bytes] of others.entries()) {
    const left = (index * size.width) % (canvas.width - size.width + 1);
    place(canvas, await pixelsOf(bytes, size), { left, top: 0 });
  }
}

/** What is asked for, drawn so that it differs from what the same order would have painted. */
const layerFor = (order: RetouchOrder, size: Pick<Rectangle, 'width' | 'height'>): Canvas =>
  draw({ ...order, ...size, seed: order.seed + 1, watermark: false });

async function replaced(source: Canvas, mask: Canvas, work: { order: RetouchOrder; refine: Refine }): Promise<void> {
  const area = editedArea(mask);
  if (area === undefined) return;
  const layer = layerFor({ ...work.order, background: 'opaque' }, area);
  await fuse(layer, work.order.sources.slice(1));
  const { data } = await work.refine(layer);
  for (let pixel = 0; pixel < area.width * area.height; pixel += 1) {
    const y = area.top + Math.floor(pixel / area.width);
    const at = y * source.width + area.left + (pixel % area.width);
    if (isEdited(mask, at)) source.data.set(data.subarray(pixel * 4, pixel * 4 + 4), at * 4);
  }
}

async function edited(order: RetouchOrder, refine: Refine): Promise<Canvas> {
  const [first, ...others] = order.sources;
  if (first === undefined) return refine(draw(order));
  const source = await pixelsOf(first, order);
  if (order.mask) {
    await replaced(source, await pixelsOf(order.mask, order, 'nearest'), { order, refine });
    return source;
  }
  const canvas = blended(source, layerFor(order, order));
  await fuse(canvas, others);
  if (order.watermark) watermark(canvas);
  return refine(canvas);
}

/** The first source as it was asked to be edited: all of it, or what the mask leaves free and not a pixel more. */
export const retouch = async (order: RetouchOrder): Promise<Uint8Array> =>
  encode(await edited(order, async (canvas) => canvas), order);

/** The same edit on its way, as `paintPartial`. */
export const retouchPartial = async (order: RetouchOrder, step: number, of: number): Promise<Uint8Array> =>
  encode(await edited(order, (canvas) => coarsened(canvas, step, of)), order);
