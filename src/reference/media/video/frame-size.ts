import type { ParsedVideoRequest } from './video-request.ts';

export interface FrameSize {
  readonly width: number;
  readonly height: number;
}

/** The shorter edge in pixels for every family's resolutions. */
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
/** The limit for following an image's proportions: the contract has no wider or narrower video. */
const FLATTEST = 21 / 9;

/** The bounds of a size in pixels, as no encoder supports sizes beyond them. */
const MIN_EDGE = 16;
const MAX_EDGE = 4096;

/** Rounds to an even number, because the usual encoding halves both edges for colour. */
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

/** Contract, family delta: frames always determine the proportions, and another ratio is ignored. */
const followsFrame = ({ family, firstFrame, lastFrame }: ParsedVideoRequest): boolean =>
  family === 'delta-video' && (firstFrame ?? lastFrame) !== undefined;

const clampRatio = (ratio: number): number => Math.min(FLATTEST, Math.max(1 / FLATTEST, ratio));

/**
 * The size of a video: the requested pixels, otherwise from resolution and ratio. The ratio `adaptive` follows the first
 * image.
 *
 * @param image the size of that image, if its bytes are available.
 */
export function frameSizeFor(video: ParsedVideoRequest, image: FrameSize | undefined): FrameSize {
  const asked = tryReadSize(video.size);
  if (asked) return asked;
  const own = image && clampRatio(image.width / image.height);
  const requested = followsFrame(video) ? undefined : tryReadRatio(video.ratio);
  const ratio = clampRatio(requested ?? own ?? DEFAULT_RATIO);
  const short = SHORT_EDGES[video.resolution ?? DEFAULT_RESOLUTION] ?? SHORT_EDGES[DEFAULT_RESOLUTION] ?? 0;
  const long = (factor: number): number => even(short * factor);
  return ratio >= 1 ? { width: long(ratio), height: short } : { width: short, height: long(1 / ratio) };
}
