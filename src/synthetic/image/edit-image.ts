import { isBitmap, tryDecodeBitmap } from './bitmap.ts';
import { blank, type Canvas, hasTransparency, place, type Rectangle } from './canvas.ts';
import { watermark } from './caption.ts';
import { draw, type ImageSpec } from './draw.ts';
import { coarsened, encode, loadSharp } from './render-image.ts';

export interface ImageEditSpec extends ImageSpec {
  /** Images in any format. The first is edited; the others are inserted. */
  readonly sources: readonly Uint8Array[];
  /** Only its fully transparent pixels are edited. */
  readonly mask?: Uint8Array;
}

/** Postprocesses a canvas; partial images are coarser. */
type Refine = (canvas: Canvas) => Promise<Canvas>;

/** An image as the library reads it, or the pixels of a format that it does not read. */
function opened(sharp: Awaited<ReturnType<typeof loadSharp>>, bytes: Uint8Array) {
  const bitmap = isBitmap(bytes) ? tryDecodeBitmap(bytes) : undefined;
  if (!bitmap) return sharp(bytes);
  const { width, height, data } = bitmap;
  return sharp(data, { raw: { width, height, channels: 4 } });
}

/** Decodes an image at this size; unchanged when it already has that size. */
async function pixelsOf(
  bytes: Uint8Array,
  { width, height }: { width: number; height: number },
  kernel: 'lanczos3' | 'nearest' = 'lanczos3',
): Promise<Canvas> {
  const sharp = await loadSharp();
  const upright = await opened(sharp, bytes)
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

/** Decodes the whole image to find out whether it can be edited: a complete file may hold damaged pixels. */
export async function isDecodableImage(bytes: Uint8Array): Promise<boolean> {
  const sharp = await loadSharp();
  try {
    await opened(sharp, bytes).raw().toBuffer();
    return true;
  } catch {
    return false;
  }
}

/** The share of an opaque source that remains after an edit. */
const SOURCE_SHARE = 0.55;

/**
 * Blends the source over the layer, about half of each where the source is opaque. A transparent background is that of
 * the source, or the layer's if the source has none.
 */
function blended(source: Canvas, layer: Canvas, background: ImageSpec['background']): Canvas {
  const canvas = blank(source.width, source.height);
  const isCutOut = background === 'transparent' && !hasTransparency(source);
  for (let at = 0; at < canvas.data.length; at += 4) {
    const [below, above] = [layer.data[at + 3] ?? 0, source.data[at + 3] ?? 0];
    const share = below === 0 ? 1 : (SOURCE_SHARE * above) / 255;
    for (let channel = at; channel < at + 3; channel += 1) {
      canvas.data[channel] = (source.data[channel] ?? 0) * share + (layer.data[channel] ?? 0) * (1 - share);
    }
    canvas.data[at + 3] = isCutOut ? below : Math.max(below, above);
  }
  return canvas;
}

const isEdited = (mask: Canvas, pixel: number): boolean => mask.data[pixel * 4 + 3] === 0;

/** The bounding box of the pixels to edit; undefined when there are none. */
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

/** Inserts the other sources as thumbnails along the upper edge. */
async function insertThumbnails(canvas: Canvas, others: readonly Uint8Array[]): Promise<void> {
  const size = { width: Math.max(1, canvas.width >> 3), height: Math.max(1, canvas.height >> 3) };
  for (const [index, bytes] of others.entries()) {
    const left = (index * size.width) % (canvas.width - size.width + 1);
    place(canvas, await pixelsOf(bytes, size), { left, top: 0 });
  }
}

/** Draws the edit so that it differs from the image that the same spec would render. */
const layerFor = (order: ImageEditSpec, size: Pick<Rectangle, 'width' | 'height'>): Canvas =>
  draw({ ...order, ...size, seed: order.seed + 1, watermark: false });

async function replaceMasked(
  source: Canvas,
  mask: Canvas,
  work: { order: ImageEditSpec; refine: Refine },
): Promise<void> {
  const area = editedArea(mask);
  if (area === undefined) return;
  const layer = layerFor(work.order, area);
  await insertThumbnails(layer, work.order.sources.slice(1));
  const { data } = await work.refine(layer);
  for (let pixel = 0; pixel < area.width * area.height; pixel += 1) {
    const y = area.top + Math.floor(pixel / area.width);
    const at = y * source.width + area.left + (pixel % area.width);
    if (isEdited(mask, at)) source.data.set(data.subarray(pixel * 4, pixel * 4 + 4), at * 4);
  }
}

async function edited(order: ImageEditSpec, refine: Refine): Promise<Canvas> {
  const [first, ...others] = order.sources;
  if (first === undefined) return refine(draw(order));
  const source = await pixelsOf(first, order);
  if (order.mask) {
    await replaceMasked(source, await pixelsOf(order.mask, order, 'nearest'), { order, refine });
    return source;
  }
  const canvas = blended(source, layerFor(order, order), order.background);
  await insertThumbnails(canvas, others);
  if (order.watermark) watermark(canvas);
  return refine(canvas);
}

/** Edits the first source: all of it, or exactly the pixels that the mask leaves transparent. */
export const editImage = async (order: ImageEditSpec): Promise<Uint8Array> =>
  encode(await edited(order, async (canvas) => canvas), order);

/** Renders a partial edit, as `renderPartialImage`. */
export const renderPartialEdit = async (order: ImageEditSpec, step: number, of: number): Promise<Uint8Array> =>
  encode(await edited(order, (canvas) => coarsened(canvas, step, of)), order);
