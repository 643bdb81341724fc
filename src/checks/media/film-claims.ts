import type { Assertions, MediaFacts } from '../../domain/index.ts';
import { readMediaFacts, tryFindFilmFlaw } from '../../media/index.ts';
import type { Examination } from '../check-module.ts';
import { lookAtPicture } from './picture.ts';
import { claimDecoded } from './picture-claims.ts';
import type { VideoWish } from './video-config.ts';

/** The facts of a film that was found to be one, and the sheet on which its findings go. */
interface Shown {
  readonly exam: Examination;
  readonly facts: MediaFacts;
}

/** What a container’s time base and whole frames make a film longer or shorter by. */
const SECONDS_SLACK = 0.5;
/** Edges are whole blocks of pixels. */
const RATIO_SLACK = 0.03;
/** What a resolution says. */
interface Resolution {
  readonly heights: readonly number[];
  /** Films of other proportions may have as many pixels as one of these that is as high. */
  readonly ratios: readonly number[];
}
const of16to9 = (height: number): Resolution => ({ heights: [height], ratios: [16 / 9] });
/** Makers keep the short edge, or the number of pixels. */
const RESOLUTIONS: { readonly [resolution: string]: Resolution } = {
  '480p': of16to9(480),
  '720p': of16to9(720),
  '1080p': of16to9(1080),
  '4k': of16to9(2160),
  '768p': { heights: [768], ratios: [4 / 3, 16 / 9] },
  '2k': { heights: [1440, 1152], ratios: [4 / 3, 16 / 9] },
};
/** Less than a square of 960 pixels, which is 720p, lacks of 1080. */
const HEIGHT_SLACK = 0.1;

const renderFrame = ({ width, height }: MediaFacts): string => `${width} × ${height}`;

function isOfResolution({ width = 0, height = 0 }: MediaFacts, name: string): boolean {
  const resolution = RESOLUTIONS[name.toLowerCase()];
  if (resolution === undefined) return true;
  const { heights, ratios } = resolution;
  const found = [Math.min(width, height), ...ratios.map((ratio) => Math.sqrt((width * height) / ratio))];
  return heights.some((asked) => found.some((is) => Math.abs(is / asked - 1) <= HEIGHT_SLACK));
}

function claimSeconds({ exam, facts }: Shown, seconds: number, why: string): void {
  const found = facts.seconds ?? 0;
  exam.claim(`the video lasts ${seconds} s, ${why}`, Math.abs(found - seconds) <= SECONDS_SLACK, `${found} s`);
}

const claimSound = ({ exam, facts }: Shown, has: boolean, why: string): void =>
  exam.claim(
    `the video ${has ? 'has sound' : 'is silent'}, ${why}`,
    has === (typeof facts.audioCodec === 'string'),
    facts.audioCodec ?? 'no sound',
  );

function claimWish(shown: Shown, wish: VideoWish): void {
  const { exam, facts } = shown;
  const { seconds, frame, resolution, ratio, hasSound } = wish;
  const { width = 0, height = 1 } = facts;
  const found = renderFrame(facts);
  if (seconds !== undefined) claimSeconds(shown, seconds, 'as was asked');
  if (frame) {
    const same = frame.width === width && frame.height === height;
    exam.claim(`its frames have the size that was asked for, ${frame.width} × ${frame.height}`, same, found);
  }
  if (resolution !== undefined) {
    exam.claim(`its frames are as large as ${resolution} says`, isOfResolution(facts, resolution), found);
  }
  if (ratio !== undefined) {
    const claim = `its frames are ${Math.round(ratio * 1000) / 1000} times as wide as high, as was asked`;
    exam.claim(claim, Math.abs(width / height / ratio - 1) <= RATIO_SLACK, found);
  }
  if (hasSound !== undefined) claimSound(shown, hasSound, 'as was asked');
}

function claimExpected(shown: Shown, expect: Assertions): void {
  const { exam, facts } = shown;
  const { seconds, audio, format, width, height, minWidth, minHeight } = expect;
  const { width: wide = 0, height: high = 0 } = facts;
  const judge = (claim: string, holds: boolean, found: string | number): void =>
    exam.claim(`${claim}, as expected`, holds, String(found));
  if (seconds !== undefined) claimSeconds(shown, seconds, 'as expected');
  if (audio !== undefined) claimSound(shown, audio, 'as expected');
  if (format !== undefined) judge(`the video is ${format}`, facts.format === format, facts.format);
  if (width !== undefined) judge(`its frames are ${width} pixels wide`, wide === width, wide);
  if (height !== undefined) judge(`its frames are ${height} pixels high`, high === height, high);
  if (minWidth !== undefined) judge(`its frames are at least ${minWidth} pixels wide`, wide >= minWidth, wide);
  if (minHeight !== undefined) judge(`its frames are at least ${minHeight} pixels high`, high >= minHeight, high);
}

/** What a film is held against. */
interface Measure {
  readonly wish: VideoWish;
  readonly expect: Assertions;
}

/**
 * Claims that these bytes are the film that was asked for: an MP4 that can be read and is all there, as long, as large
 * and as loud. It becomes an exhibit. @returns what it is, when it can be read
 */
export async function claimFilm(
  exam: Examination,
  bytes: Uint8Array,
  { wish, expect }: Measure,
): Promise<MediaFacts | undefined> {
  const facts = await readMediaFacts(bytes);
  exam.exhibit({ title: 'the video', mediaType: 'video/mp4', bytes, ...(facts ? { facts } : {}) });
  const isFilm = facts?.kind === 'video' && facts.format === 'mp4';
  const found = facts ? `${facts.kind}, ${facts.format}` : `${bytes.length} bytes that are no whole film`;
  exam.claim('the video is an MP4 that can be read', isFilm, found);
  if (!isFilm || facts === undefined) return undefined;
  const codec = facts.videoCodec ?? 'none';
  exam.claim('its pictures are in a codec that is known', codec !== 'none' && codec !== 'unknown', codec);
  const flaw = await tryFindFilmFlaw(bytes);
  exam.claim('every frame of it is there, whole', flaw === undefined, flaw);
  const shown = { exam, facts };
  claimWish(shown, wish);
  claimExpected(shown, expect);
  return facts;
}

/** Claims that these bytes are a PNG as large as the film. It becomes an exhibit. */
export async function claimLastFrame(
  exam: Examination,
  bytes: Uint8Array,
  film: MediaFacts | undefined,
): Promise<void> {
  const picture = await lookAtPicture(bytes);
  const { facts } = picture;
  const mediaType = facts ? `image/${facts.format}` : 'application/octet-stream';
  exam.exhibit({ title: 'the last frame', mediaType, bytes, ...(facts ? { facts } : {}) });
  const frame = claimDecoded(exam, 'the last frame', picture);
  if (frame === undefined || facts === undefined) return;
  exam.claim('the last frame is a PNG', facts.format === 'png', facts.format);
  if (film === undefined) return;
  const same = frame.width === film.width && frame.height === film.height;
  exam.claim('the last frame is as large as the video', same, renderFrame(facts));
}
