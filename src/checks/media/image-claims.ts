import type { Assertions } from '../../domain/index.ts';
import type { CheckRecorder } from '../check-module.ts';
import type { DecodedImage } from './decoded-image.ts';
import type { RequestedImage } from './requested-image.ts';

type Frame = { readonly width: number; readonly height: number };

/** One image under a name, and the sheet on which its findings go. */
interface Inspected {
  readonly recorder: CheckRecorder;
  /** `the image`, `image 2`. */
  readonly name: string;
  readonly image: DecodedImage;
  readonly frame: Frame;
}

const renderFrame = ({ width, height }: Frame): string => `${width} × ${height}`;

/** How far proportions may be off, as a share of them. */
const RATIO_SLACK = 0.02;
/** Pixels that an edge may be off: makers align edges to multiples of 16. */
const EDGE_SLACK = 8;

const ratioSlack = ({ width, height }: Frame): number =>
  Math.max(RATIO_SLACK, EDGE_SLACK / width + EDGE_SLACK / height);

/** Pixels along the long edge, or along the side of a square of the same area: makers count either way. */
const SIZE_CLASSES: { readonly [name: string]: { readonly least: number; readonly below: number } } = {
  '1k': { least: 768, below: 1792 },
  '2k': { least: 1792, below: 3584 },
  '4k': { least: 3584, below: 8192 },
};

function isOfClass({ width, height }: Frame, sizeClass: string): boolean {
  const bounds = SIZE_CLASSES[sizeClass.toLowerCase()];
  const sides = [Math.max(width, height), Math.sqrt(width * height)];
  return bounds === undefined || sides.some((side) => side >= bounds.least && side < bounds.below);
}

function claimRatio({ recorder, name, frame }: Omit<Inspected, 'image'>, ratio: number, why: string): void {
  const found = frame.width / frame.height;
  recorder.claim(
    `${name} is ${Math.round(ratio * 1000) / 1000} times as wide as high, ${why}`,
    Math.abs(found / ratio - 1) <= ratioSlack(frame),
    renderFrame(frame),
  );
}

function claimFrame(shown: Inspected, requested: RequestedImage): void {
  const { recorder, name, frame } = shown;
  const { frame: asked, slack, ratio, followed, sizeClass } = requested;
  if (asked) {
    const off = Math.max(Math.abs(frame.width - asked.width), Math.abs(frame.height - asked.height));
    recorder.claim(`${name} has the size that was asked for, ${renderFrame(asked)}`, off <= slack, renderFrame(frame));
  }
  if (ratio !== undefined) claimRatio(shown, ratio, 'as was asked');
  else if (followed !== undefined && asked === undefined) claimRatio(shown, followed, 'as its source');
  if (sizeClass !== undefined) {
    recorder.claim(`${name} is as large as ${sizeClass} says`, isOfClass(frame, sizeClass), renderFrame(frame));
  }
}

function claimFormat({ recorder, name, image }: Inspected, requested: RequestedImage): void {
  const format = image.facts?.format ?? '';
  if (requested.format !== undefined)
    recorder.claim(`${name} is ${requested.format}, as was asked`, format === requested.format, format);
  if (image.reported === undefined) return;
  const reported = image.reported.toLowerCase().replace('/jpg', '/jpeg');
  recorder.claim(`${name} is what the answer calls it, ${reported}`, reported === `image/${format}`, format);
}

function claimExpected({ recorder, name, image, frame }: Inspected, expect: Assertions): void {
  const { format, width, height, minWidth, minHeight } = expect;
  const is = image.facts?.format ?? '';
  const judge = (claim: string, holds: boolean, found: string | number): void =>
    recorder.claim(`${name} ${claim}, as expected`, holds, String(found));
  if (format !== undefined) judge(`is ${format}`, is === format, is);
  if (width !== undefined) judge(`is ${width} pixels wide`, frame.width === width, frame.width);
  if (height !== undefined) judge(`is ${height} pixels high`, frame.height === height, frame.height);
  if (minWidth !== undefined) judge(`is at least ${minWidth} pixels wide`, frame.width >= minWidth, frame.width);
  if (minHeight !== undefined) judge(`is at least ${minHeight} pixels high`, frame.height >= minHeight, frame.height);
}

/** Decoded to its last pixel, or what came of trying. Undefined: there is nothing to look at. */
export function claimDecoded(recorder: CheckRecorder, name: string, image: DecodedImage): Frame | undefined {
  recorder.claim(`${name} can be decoded, all of it`, image.trouble === undefined, image.trouble);
  const { width, height } = image.facts ?? {};
  return image.trouble === undefined && width !== undefined && height !== undefined ? { width, height } : undefined;
}

export const nameOf = (index: number, count: number): string => (count === 1 ? 'the image' : `image ${index + 1}`);

function artifact(recorder: CheckRecorder, title: string, { bytes, facts, reported }: DecodedImage): void {
  const mediaType = facts ? `image/${facts.format}` : (reported ?? 'application/octet-stream');
  recorder.artifact({ title, mediaType, bytes, ...(facts ? { facts } : {}) });
}

const areSame = (one: Uint8Array, other: Uint8Array): boolean => Buffer.compare(one, other) === 0;

function claimDifferent(recorder: CheckRecorder, images: readonly DecodedImage[]): void {
  if (images.length < 2) return;
  const same = images.some(({ bytes }, at) => images.slice(0, at).some((other) => areSame(other.bytes, bytes)));
  recorder.claim('no two of the images are the same', !same);
}

/** What an image is held against. */
interface Criteria {
  readonly requested: RequestedImage;
  readonly expect: Assertions;
}

/**
 * Claims that these are the images that were asked for: as many, each whole, of the right format and size, and with
 * something on it. Each becomes an artifact.
 */
export function claimImages(
  recorder: CheckRecorder,
  images: readonly DecodedImage[],
  { requested, expect }: Criteria,
): void {
  const { count } = expect;
  recorder.claim(
    `the answer has ${requested.count === 1 ? 'one image' : `${requested.count} images`}, as was asked`,
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
    const shown = { recorder, name, image, frame };
    claimFormat(shown, requested);
    claimFrame(shown, requested);
    claimExpected(shown, expect);
    recorder.claim(`${name} shows something: it is not of one colour`, !image.isFlat);
    if (requested.isClear) recorder.claim(`${name} is transparent somewhere, as was asked`, image.isClear);
  }
  claimDifferent(recorder, images);
}
