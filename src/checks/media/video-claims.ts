import type { Assertions, MediaFacts } from '../../domain/index.ts';
import { readMediaFacts, tryFindVideoFlaw } from '../../media/index.ts';
import type { CheckRecorder } from '../check-module.ts';
import { decodeImage } from './decoded-image.ts';
import { claimDecoded } from './image-claims.ts';
import type { RequestedVideo } from './requested-video.ts';

/** A readable video under check. */
interface Inspected {
  readonly recorder: CheckRecorder;
  readonly facts: MediaFacts;
}

/** Tolerance for the time base of the container and for whole frames. */
const SECONDS_SLACK = 0.5;
/** Tolerance of proportions: edges are whole blocks of pixels. */
const RATIO_SLACK = 0.03;
/** The frames that a resolution allows. */
interface Resolution {
  readonly heights: readonly number[];
  /** Videos of other proportions may have as many pixels as a video of this height with one of these. */
  readonly ratios: readonly number[];
}
const of16to9 = (height: number): Resolution => ({ heights: [height], ratios: [16 / 9] });
/** Upstreams keep the short edge or the number of pixels. */
const RESOLUTIONS: { readonly [resolution: string]: Resolution } = {
  '480p': of16to9(480),
  '720p': of16to9(720),
  '1080p': of16to9(1080),
  '4k': of16to9(2160),
  '768p': { heights: [768], ratios: [4 / 3, 16 / 9] },
  '2k': { heights: [1440, 1152], ratios: [4 / 3, 16 / 9] },
};
/** Tolerance of the height: a square of 960 pixels, which counts as 720p, must not count as 1080p. */
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

function claimRequested(inspected: Inspected, requested: RequestedVideo): void {
  const { recorder, facts } = inspected;
  const { seconds, frame, resolution, ratio, hasSound } = requested;
  const { width = 0, height = 1 } = facts;
  const found = renderFrame(facts);
  if (seconds !== undefined) claimSeconds(inspected, seconds, 'as requested');
  if (frame) {
    const same = frame.width === width && frame.height === height;
    recorder.claim(`its frames have the requested size, ${frame.width} × ${frame.height}`, same, found);
  }
  if (resolution !== undefined) {
    recorder.claim(`its frames have the resolution ${resolution}`, isOfResolution(facts, resolution), found);
  }
  if (ratio !== undefined) {
    const claim = `its frames are ${Math.round(ratio * 1000) / 1000} times as wide as high, as requested`;
    recorder.claim(claim, Math.abs(width / height / ratio - 1) <= RATIO_SLACK, found);
  }
  if (hasSound !== undefined) claimSound(inspected, hasSound, 'as requested');
}

function claimExpected(inspected: Inspected, expect: Assertions): void {
  const { recorder, facts } = inspected;
  const { seconds, audio, format, width, height, minWidth, minHeight } = expect;
  const { width: wide = 0, height: high = 0 } = facts;
  const claimThat = (claim: string, holds: boolean, found: string | number): void =>
    recorder.claim(`${claim}, as expected`, holds, String(found));
  if (seconds !== undefined) claimSeconds(inspected, seconds, 'as expected');
  if (audio !== undefined) claimSound(inspected, audio, 'as expected');
  if (format !== undefined) claimThat(`the video is ${format}`, facts.format === format, facts.format);
  if (width !== undefined) claimThat(`its frames are ${width} pixels wide`, wide === width, wide);
  if (height !== undefined) claimThat(`its frames are ${height} pixels high`, high === height, high);
  if (minWidth !== undefined) claimThat(`its frames are at least ${minWidth} pixels wide`, wide >= minWidth, wide);
  if (minHeight !== undefined) claimThat(`its frames are at least ${minHeight} pixels high`, high >= minHeight, high);
}

/** The properties that a video must have. */
interface Criteria {
  readonly requested: RequestedVideo;
  readonly expect: Assertions;
}

/**
 * Claims that the bytes are the requested video: a readable, complete MP4 with the requested length, size and sound. It
 * becomes an artifact. Returns its facts if it can be read.
 */
export async function claimVideo(
  recorder: CheckRecorder,
  bytes: Uint8Array,
  { requested, expect }: Criteria,
): Promise<MediaFacts | undefined> {
  const facts = await readMediaFacts(bytes);
  recorder.artifact({ title: 'the video', mediaType: 'video/mp4', bytes, ...(facts ? { facts } : {}) });
  const isVideo = facts?.kind === 'video' && facts.format === 'mp4';
  const found = facts ? `${facts.kind}, ${facts.format}` : `${bytes.length} bytes that are not a complete video`;
  recorder.claim('the video is an MP4 that can be read', isVideo, found);
  if (!isVideo || facts === undefined) return undefined;
  const codec = facts.videoCodec ?? 'none';
  recorder.claim('its video codec is known', codec !== 'none' && codec !== 'unknown', codec);
  const flaw = await tryFindVideoFlaw(bytes);
  recorder.claim('every frame is complete', flaw === undefined, flaw);
  const inspected = { recorder, facts };
  claimRequested(inspected, requested);
  claimExpected(inspected, expect);
  return facts;
}

/** Claims that the bytes are a PNG with the size of the video. It becomes an artifact. */
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
