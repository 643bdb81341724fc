import type { VideoRequest } from './video-request.ts';

export interface FrameSize {
  readonly width: number;
  readonly height: number;
}

/** Pixels of the shorter edge, by the resolutions of all families. */
const SHORT_EDGES: Readonly<Record<string, number>> = {
  '480p': 480,
  '720p': 720,
  '1080p': 1080,
  '4k': 2160,
  '768P': 768,
  '2K': 1440,
};
const DEFAULT_RESOLUTION = '720p';
const DEFAULT_RATIO = 16 / 9;
/** Beyond these a picture's proportions are not followed: the contract has no flatter or narrower film. */
const FLATTEST = 21 / 9;

/** Bounds of a size that is asked for in pixels: what no encoder makes is brought within them. */
const MIN_EDGE = 16;
const MAX_EDGE = 4096;

/** The usual encoding halves both edges for colour. */
const even = (pixels: number): number => Math.max(MIN_EDGE, Math.round(pixels / 2) * 2);

function tryReadSize(text: string | undefined): FrameSize | undefined {
  const parts = /^(\d{1,5})[x*](\d{1,5})$/.exec(text ?? '');
  if (!parts) return undefined;
  const edge = (digits: string | undefined): number => Math.min(MAX_EDGE, even(Number(digits)));
  return { width: edge(parts[1]), height: edge(parts[2]) };
}

function tryReadRatio(text: string | undefined): number | undefined {
  const parts = /^(\d+):(\d+)$/.exec(text ?? '');
  const ratio = parts ? Number(parts[1]) / Number(parts[2]) : undefined;
  return ratio !== undefined && ratio > 0 && Number.isFinite(ratio) ? ratio : undefined;
}

/** Contract, family delta: with frames the proportions are always theirs; another ratio is ignored. */
const followsPicture = ({ family, firstFrame, lastFrame }: VideoRequest): boolean =>
  family === 'delta-video' && (firstFrame ?? lastFrame) !== undefined;

const within = (ratio: number): number => Math.min(FLATTEST, Math.max(1 / FLATTEST, ratio));

/**
 * Width and height of a film: as asked in pixels; else from resolution and ratio, of which `adaptive` follows the first
 * picture.
 *
 * @param picture the size of that picture, where its bytes are at hand.
 */
export function frameSizeFor(video: VideoRequest, picture: FrameSize | undefined): FrameSize {
  const asked = tryReadSize(video.size);
  if (asked) return asked;
  const own = picture && within(picture.width / picture.height);
  const told = followsPicture(video) ? undefined : tryReadRatio(video.ratio);
  const ratio = within(told ?? own ?? DEFAULT_RATIO);
  const short = SHORT_EDGES[video.resolution ?? DEFAULT_RESOLUTION] ?? SHORT_EDGES[DEFAULT_RESOLUTION] ?? 0;
  const long = (factor: number): number => even(short * factor);
  return ratio >= 1 ? { width: long(ratio), height: short } : { width: short, height: long(1 / ratio) };
}
