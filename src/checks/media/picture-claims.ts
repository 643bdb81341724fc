import type { Assertions } from '../../domain/index.ts';
import type { Examination } from '../check-module.ts';
import type { Picture } from './picture.ts';
import type { PictureWish } from './picture-config.ts';

type Frame = { readonly width: number; readonly height: number };

/** One picture under a name, and the sheet on which its findings go. */
interface Shown {
  readonly exam: Examination;
  /** `the picture`, `picture 2`. */
  readonly name: string;
  readonly picture: Picture;
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

function claimRatio({ exam, name, frame }: Omit<Shown, 'picture'>, ratio: number, why: string): void {
  const found = frame.width / frame.height;
  exam.claim(
    `${name} is ${Math.round(ratio * 1000) / 1000} times as wide as high, ${why}`,
    Math.abs(found / ratio - 1) <= ratioSlack(frame),
    renderFrame(frame),
  );
}

function claimFrame(shown: Shown, wish: PictureWish): void {
  const { exam, name, frame } = shown;
  const { frame: asked, slack, ratio, followed, sizeClass } = wish;
  if (asked) {
    const off = Math.max(Math.abs(frame.width - asked.width), Math.abs(frame.height - asked.height));
    exam.claim(`${name} has the size that was asked for, ${renderFrame(asked)}`, off <= slack, renderFrame(frame));
  }
  if (ratio !== undefined) claimRatio(shown, ratio, 'as was asked');
  else if (followed !== undefined && asked === undefined) claimRatio(shown, followed, 'as its source');
  if (sizeClass !== undefined) {
    exam.claim(`${name} is as large as ${sizeClass} says`, isOfClass(frame, sizeClass), renderFrame(frame));
  }
}

function claimFormat({ exam, name, picture }: Shown, wish: PictureWish): void {
  const format = picture.facts?.format ?? '';
  if (wish.format !== undefined) exam.claim(`${name} is ${wish.format}, as was asked`, format === wish.format, format);
  if (picture.told === undefined) return;
  const told = picture.told.toLowerCase().replace('/jpg', '/jpeg');
  exam.claim(`${name} is what the answer calls it, ${told}`, told === `image/${format}`, format);
}

function claimExpected({ exam, name, picture, frame }: Shown, expect: Assertions): void {
  const { format, width, height, minWidth, minHeight } = expect;
  const is = picture.facts?.format ?? '';
  const judge = (claim: string, holds: boolean, found: string | number): void =>
    exam.claim(`${name} ${claim}, as expected`, holds, String(found));
  if (format !== undefined) judge(`is ${format}`, is === format, is);
  if (width !== undefined) judge(`is ${width} pixels wide`, frame.width === width, frame.width);
  if (height !== undefined) judge(`is ${height} pixels high`, frame.height === height, frame.height);
  if (minWidth !== undefined) judge(`is at least ${minWidth} pixels wide`, frame.width >= minWidth, frame.width);
  if (minHeight !== undefined) judge(`is at least ${minHeight} pixels high`, frame.height >= minHeight, frame.height);
}

/** Decoded to its last pixel, or what came of trying. Undefined: there is nothing to look at. */
export function claimDecoded(exam: Examination, name: string, picture: Picture): Frame | undefined {
  exam.claim(`${name} can be decoded, all of it`, picture.trouble === undefined, picture.trouble);
  const { width, height } = picture.facts ?? {};
  return picture.trouble === undefined && width !== undefined && height !== undefined ? { width, height } : undefined;
}

export const nameOf = (index: number, count: number): string => (count === 1 ? 'the picture' : `picture ${index + 1}`);

function exhibit(exam: Examination, title: string, { bytes, facts, told }: Picture): void {
  const mediaType = facts ? `image/${facts.format}` : (told ?? 'application/octet-stream');
  exam.exhibit({ title, mediaType, bytes, ...(facts ? { facts } : {}) });
}

const areSame = (one: Uint8Array, other: Uint8Array): boolean => Buffer.compare(one, other) === 0;

function claimDifferent(exam: Examination, pictures: readonly Picture[]): void {
  if (pictures.length < 2) return;
  const same = pictures.some(({ bytes }, at) => pictures.slice(0, at).some((other) => areSame(other.bytes, bytes)));
  exam.claim('no two of the pictures are the same', !same);
}

/** What a picture is held against. */
interface Measure {
  readonly wish: PictureWish;
  readonly expect: Assertions;
}

/**
 * Claims that these are the pictures that were asked for: as many, each whole, of the right format and size, and with
 * something on it. Each becomes an exhibit.
 */
export function claimPictures(exam: Examination, pictures: readonly Picture[], { wish, expect }: Measure): void {
  const { count } = expect;
  exam.claim(
    `the answer has ${wish.count === 1 ? 'one picture' : `${wish.count} pictures`}, as was asked`,
    pictures.length === wish.count,
    String(pictures.length),
  );
  if (count !== undefined && count !== wish.count) {
    exam.claim(`there are ${count} pictures, as expected`, pictures.length === count, String(pictures.length));
  }
  for (const [index, picture] of pictures.entries()) {
    const name = nameOf(index, pictures.length);
    exhibit(exam, name, picture);
    const frame = claimDecoded(exam, name, picture);
    if (frame === undefined) continue;
    const shown = { exam, name, picture, frame };
    claimFormat(shown, wish);
    claimFrame(shown, wish);
    claimExpected(shown, expect);
    exam.claim(`${name} shows something: it is not of one colour`, !picture.isFlat);
    if (wish.isClear) exam.claim(`${name} is transparent somewhere, as was asked`, picture.isClear);
  }
  claimDifferent(exam, pictures);
}
