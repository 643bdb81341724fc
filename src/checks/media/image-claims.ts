import type { Assertions } from '../../domain/index.ts';
import type { PixelSize } from '../../wire/index.ts';
import type { CheckRecorder } from '../check-module.ts';
import type { DecodedImage } from './decoded-image.ts';
import type { RequestedImage } from './requested-image.ts';

/** A decoded image under check. */
interface Inspected {
  readonly recorder: CheckRecorder;
  /** `the image`, `image 2`. */
  readonly name: string;
  readonly image: DecodedImage;
  readonly frame: PixelSize;
}

const renderFrame = ({ width, height }: PixelSize): string => `${width} × ${height}`;

/** Tolerance of proportions, relative to them. */
const RATIO_SLACK = 0.02;
/** Tolerance of an edge in pixels: upstreams align edges to multiples of 16. */
const EDGE_SLACK = 8;

const ratioSlack = ({ width, height }: PixelSize): number =>
  Math.max(RATIO_SLACK, EDGE_SLACK / width + EDGE_SLACK / height);

/** Pixels along the long edge, or the side of a square of the same area: upstreams count either way. */
const SIZE_CLASSES: { readonly [name: string]: { readonly min: number; readonly below: number } } = {
  '1k': { min: 768, below: 1792 },
  '2k': { min: 1792, below: 3584 },
  '4k': { min: 3584, below: 8192 },
};

function isOfClass({ width, height }: PixelSize, sizeClass: string): boolean {
  const bounds = SIZE_CLASSES[sizeClass.toLowerCase()];
  const sides = [Math.max(width, height), Math.sqrt(width * height)];
  return bounds === undefined || sides.some((side) => side >= bounds.min && side < bounds.below);
}

function claimRatio({ recorder, name, frame }: Omit<Inspected, 'image'>, ratio: number, why: string): void {
  const found = frame.width / frame.height;
  recorder.claim(
    `${name} is ${Math.round(ratio * 1000) / 1000} times as wide as high, ${why}`,
    Math.abs(found / ratio - 1) <= ratioSlack(frame),
    renderFrame(frame),
  );
}

function claimFrame(inspected: Inspected, requested: RequestedImage): void {
  const { recorder, name, frame } = inspected;
  const { frame: size, slack, ratio, followed, sizeClass } = requested;
  if (size) {
    const off = Math.max(Math.abs(frame.width - size.width), Math.abs(frame.height - size.height));
    recorder.claim(`${name} has the requested size, ${renderFrame(size)}`, off <= slack, renderFrame(frame));
  }
  if (ratio !== undefined) claimRatio(inspected, ratio, 'as requested');
  else if (followed !== undefined && size === undefined) claimRatio(inspected, followed, 'as its source');
  if (sizeClass !== undefined) {
    recorder.claim(`${name} has the size class ${sizeClass}`, isOfClass(frame, sizeClass), renderFrame(frame));
  }
}

function claimFormat({ recorder, name, image }: Inspected, requested: RequestedImage): void {
  const format = image.facts?.format ?? '';
  if (requested.format !== undefined)
    recorder.claim(`${name} is ${requested.format}, as requested`, format === requested.format, format);
  if (image.declared === undefined) return;
  const declared = image.declared.toLowerCase().replace('/jpg', '/jpeg');
  recorder.claim(
    `${name} has the media type that the answer declares, ${declared}`,
    declared === `image/${format}`,
    format,
  );
}

function claimExpected({ recorder, name, image, frame }: Inspected, expect: Assertions): void {
  const { format, width, height, minWidth, minHeight } = expect;
  const is = image.facts?.format ?? '';
  const claimThat = (claim: string, holds: boolean, found: string | number): void =>
    recorder.claim(`${name} ${claim}, as expected`, holds, String(found));
  if (format !== undefined) claimThat(`is ${format}`, is === format, is);
  if (width !== undefined) claimThat(`is ${width} pixels wide`, frame.width === width, frame.width);
  if (height !== undefined) claimThat(`is ${height} pixels high`, frame.height === height, frame.height);
  if (minWidth !== undefined) claimThat(`is at least ${minWidth} pixels wide`, frame.width >= minWidth, frame.width);
  if (minHeight !== undefined)
    claimThat(`is at least ${minHeight} pixels high`, frame.height >= minHeight, frame.height);
}

/** Claims that an image can be decoded. Returns its size, or undefined if it cannot. */
export function claimDecoded(recorder: CheckRecorder, name: string, image: DecodedImage): PixelSize | undefined {
  recorder.claim(`${name} can be decoded completely`, image.trouble === undefined, image.trouble);
  const { width, height } = image.facts ?? {};
  return image.trouble === undefined && width !== undefined && height !== undefined ? { width, height } : undefined;
}

export const nameOf = (index: number, count: number): string => (count === 1 ? 'the image' : `image ${index + 1}`);

function artifact(recorder: CheckRecorder, title: string, { bytes, facts, declared }: DecodedImage): void {
  const mediaType = facts ? `image/${facts.format}` : (declared ?? 'application/octet-stream');
  recorder.artifact({ title, mediaType, bytes, ...(facts ? { facts } : {}) });
}

const areSame = (one: Uint8Array, other: Uint8Array): boolean => Buffer.compare(one, other) === 0;

function claimDifferent(recorder: CheckRecorder, images: readonly DecodedImage[]): void {
  if (images.length < 2) return;
  const same = images.some(({ bytes }, at) => images.slice(0, at).some((other) => areSame(other.bytes, bytes)));
  recorder.claim('no two images are the same', !same);
}

/** The properties that images must have. */
interface Criteria {
  readonly requested: RequestedImage;
  readonly expect: Assertions;
}

/**
 * Claims that an answer has the requested images: as many, each complete, with the requested format and size, and not a
 * single colour. Each becomes an artifact.
 */
export function claimImages(
  recorder: CheckRecorder,
  images: readonly DecodedImage[],
  { requested, expect }: Criteria,
): void {
  const { count } = expect;
  recorder.claim(
    `the answer has ${requested.count === 1 ? 'one image' : `${requested.count} images`}, as requested`,
    images.length === requested.count,
    String(images.length),
  );
  if (count !== undefined && count !== requested.count) {
    recorder.claim(`there are ${count} images, as expected`, images.length === count, String(images.length));
  }
  for (const [index, image] of images.entries()) {
    const name = nameOf(index, images.length);
    artifact(recorder, name, image);
    const frame = claimDecoded(recorder, name, image);
    if (frame === undefined) continue;
    const inspected = { recorder, name, image, frame };
    claimFormat(inspected, requested);
    claimFrame(inspected, requested);
    claimExpected(inspected, expect);
    recorder.claim(`${name} is not a single colour`, !image.isFlat);
    if (requested.isTransparent) recorder.claim(`${name} has transparent pixels, as requested`, image.isTransparent);
  }
  claimDifferent(recorder, images);
}
