import type { Assertions, MediaFacts } from '../../domain/index.ts';
import { readMediaFacts, tryFindVideoFlaw } from '../../media/index.ts';
import type { CheckRecorder } from '../check-module.ts';
import { decodeImage } from './decoded-image.ts';
import { claimDecoded } from './image-claims.ts';
import type { RequestedVideo } from './requested-video.ts';

/** The facts of a video that was found to be one, and the sheet on which its findings go. */
interface Inspected {
  readonly recorder: CheckRecorder;
  readonly facts: MediaFacts;
}

/** What a container’s time base and whole frames make a video longer or shorter by. */
const SECONDS_SLACK = 0.5;
/** Edges are whole blocks of pixels. */
const RATIO_SLACK = 0.03;
/** What a resolution says. */
interface Resolution {
  readonly heights: readonly number[];
  /** Videos of other proportions may have as many pixels as one of these that is as high. */
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

function claimSeconds({ recorder, facts }: Inspected, seconds: number, why: string): void {
  const found = facts.seconds ?? 0;
  recorder.claim(`the video lasts ${seconds} s, ${why}`, Math.abs(found - seconds) <= SECONDS_SLACK, `${found} s`);
}

const claimSound = ({ recorder, facts }: Inspected, has: boolean, why: string): void =>
  recorder.claim(
    `the video ${has ? 'has sound' : 'is silent'}, ${why}`,
    has === (typeof facts.audioCodec === 'string'),
    facts.audioCodec ?? 'no sound',
  );

function claimRequested(shown: Inspected, requested: RequestedVideo): void {
  const { recorder, facts } = shown;
  const { seconds, frame, resolution, ratio, hasSound } = requested;
  const { width = 0, height = 1 } = facts;
  const found = renderFrame(facts);
  if (seconds !== undefined) claimSeconds(shown, seconds, 'as was asked');
  if (frame) {
    const same = frame.width === width && frame.height === height;
    recorder.claim(`its frames have the size that was asked for, ${frame.width} × ${frame.height}`, same, found);
  }
  if (resolution !== undefined) {
    recorder.claim(`its frames are as large as ${resolution} says`, isOfResolution(facts, resolution), found);
  }
  if (ratio !== undefined) {
    const claim = `its frames are ${Math.round(ratio * 1000) / 1000} times as wide as high, as was asked`;
    recorder.claim(claim, Math.abs(width / height / ratio - 1) <= RATIO_SLACK, found);
  }
  if (hasSound !== undefined) claimSound(shown, hasSound, 'as was asked');
}

function claimExpected(shown: Inspected, expect: Assertions): void {
  const { recorder, facts } = shown;
  const { seconds, audio, format, width, height, minWidth, minHeight } = expect;
  const { width: wide = 0, height: high = 0 } = facts;
  const judge = (claim: string, holds: boolean, found: string | number): void =>
    recorder.claim(`${claim}, as expected`, holds, String(found));
  if (seconds !== undefined) claimSeconds(shown, seconds, 'as expected');
  if (audio !== undefined) claimSound(shown, audio, 'as expected');
  if (format !== undefined) judge(`the video is ${format}`, facts.format === format, facts.format);
  if (width !== undefined) judge(`its frames are ${width} pixels wide`, wide === width, wide);
  if (height !== undefined) judge(`its frames are ${height} pixels high`, high === height, high);
  if (minWidth !== undefined) judge(`its frames are at least ${minWidth} pixels wide`, wide >= minWidth, wide);
  if (minHeight !== undefined) judge(`its frames are at least ${minHeight} pixels high`, high >= minHeight, high);
}

/** What a video is held against. */
interface Criteria {
  readonly requested: RequestedVideo;
  readonly expect: Assertions;
}

/**
 * Claims that these bytes are the video that was asked for: an MP4 that can be read and is all there, as long, as large
 * and as loud. It becomes an artifact. @returns what it is, when it can be read
 */
export async function claimVideo(
  recorder: CheckRecorder,
  bytes: Uint8Array,
  { requested, expect }: Criteria,
): Promise<MediaFacts | undefined> {
  const facts = await readMediaFacts(bytes);
  recorder.artifact({ title: 'the video', mediaType: 'video/mp4', bytes, ...(facts ? { facts } : {}) });
  const isVideo = facts?.kind === 'video' && facts.format === 'mp4';
  const found = facts ? `${facts.kind}, ${facts.format}` : `${bytes.length} bytes that are no whole video`;
  recorder.claim('the video is an MP4 that can be read', isVideo, found);
  if (!isVideo || facts === undefined) return undefined;
  const codec = facts.videoCodec ?? 'none';
  recorder.claim('its images are in a codec that is known', codec !== 'none' && codec !== 'unknown', codec);
  const flaw = await tryFindVideoFlaw(bytes);
  recorder.claim('every frame of it is there, whole', flaw === undefined, flaw);
  const shown = { recorder, facts };
  claimRequested(shown, requested);
  claimExpected(shown, expect);
  return facts;
}

/** Claims that these bytes are a PNG as large as the video. It becomes an artifact. */
export async function claimLastFrame(
  recorder: CheckRecorder,
  bytes: Uint8Array,
  video: MediaFacts | undefined,
): Promise<void> {
  const image = await decodeImage(bytes);
  const { facts } = image;
  const mediaType = facts ? `image/${facts.format}` : 'application/octet-stream';
  recorder.artifact({ title: 'the last frame', mediaType, bytes, ...(facts ? { facts } : {}) });
  const frame = claimDecoded(recorder, 'the last frame', image);
  if (frame === undefined || facts === undefined) return;
  recorder.claim('the last frame is a PNG', facts.format === 'png', facts.format);
  if (video === undefined) return;
  const same = frame.width === video.width && frame.height === video.height;
  recorder.claim('the last frame is as large as the video', same, renderFrame(facts));
}
