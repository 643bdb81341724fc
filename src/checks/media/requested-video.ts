import { readMediaFacts } from '../../media/index.ts';
import {
  type DeltaVideoRequest,
  type EpsilonVideoRequest,
  type RequestBodies,
  tryParseDataUri,
  tryParseGammaSize,
  tryParseSize,
  videoItems,
} from '../../wire/index.ts';
import type { CheckRequest } from '../check-request.ts';
import { tryParseRatio } from './requested-image.ts';

/** The properties that a request demands of its video. Absent ones are unknown, or left to the model. */
export interface RequestedVideo {
  readonly seconds?: number | undefined;
  /** Exact, in pixels. */
  readonly frame?: { readonly width: number; readonly height: number } | undefined;
  /** `480p`, `768P`. */
  readonly resolution?: string | undefined;
  /** Width / height. */
  readonly ratio?: number | undefined;
  readonly hasSound?: boolean | undefined;
  readonly returnsLastFrame: boolean;
}

type UncheckedFields = Readonly<Record<string, unknown>>;

const fieldsIn = (value: unknown): UncheckedFields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as UncheckedFields) : {};
const textIn = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const flagIn = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined);

/** Whole seconds, also as text; -1 leaves them to the model. */
function secondsIn(value: unknown): number | undefined {
  const seconds = typeof value === 'string' && value !== '' ? Number(value) : value;
  return typeof seconds === 'number' && seconds > 0 ? seconds : undefined;
}

function sizeIn(value: unknown): RequestedVideo['frame'] {
  const text = textIn(value) ?? '';
  return tryParseSize(text) ?? tryParseGammaSize(text);
}

/** Reads the names that providers of video have for these properties, at any place of the request. */
const readFields = (fields: UncheckedFields): RequestedVideo => ({
  seconds: secondsIn(fields.duration ?? fields.durationSeconds ?? fields.seconds),
  frame: sizeIn(fields.size),
  resolution: textIn(fields.resolution),
  ratio: tryParseRatio(textIn(fields.ratio ?? fields.aspectRatio ?? fields.aspect_ratio)),
  hasSound: flagIn(fields.generate_audio ?? fields.generateAudio),
  returnsLastFrame: fields.return_last_frame === true,
});

/** Contract, “epsilon family”: 720p and sound by default. */
function epsilonVideo({ metadata }: EpsilonVideoRequest): RequestedVideo {
  const requested = readFields(metadata);
  return { ...requested, resolution: requested.resolution ?? '720p', hasSound: requested.hasSound ?? true };
}

/** The widest proportions of a video; those of a wider or narrower image are not kept. */
const WIDEST = 21 / 9;

/** Width / height of an image whose bytes are in the request. */
async function ratioOf(source: unknown): Promise<number | undefined> {
  const bytes = typeof source === 'string' ? tryParseDataUri(source)?.bytes : undefined;
  const { width, height } = (bytes && (await readMediaFacts(bytes))) ?? {};
  if (width === undefined || height === undefined) return undefined;
  const ratio = width / height;
  return ratio <= WIDEST && ratio >= 1 / WIDEST ? ratio : undefined;
}

/** Contract, “delta family”: a frame determines the proportions, whatever is requested. */
async function deltaVideo(body: DeltaVideoRequest): Promise<RequestedVideo> {
  const requested = readFields(body.metadata);
  const [frame] = videoItems(body).filter(({ role }) => role.endsWith('_frame'));
  return frame === undefined ? requested : { ...requested, ratio: await ratioOf(frame.source) };
}

export const VIDEO_FAMILIES = [
  'epsilon-video',
  'delta-video',
  'download-video',
  'flat-video',
  'asset-video',
  'nested-video',
  'dedicated-video',
] as const;
export type VideoFamily = (typeof VIDEO_FAMILIES)[number];

const READERS: { readonly [F in VideoFamily]: (body: RequestBodies[F]) => RequestedVideo | Promise<RequestedVideo> } = {
  'epsilon-video': epsilonVideo,
  'delta-video': deltaVideo,
  'download-video': readFields,
  'flat-video': ({ metadata }) => readFields(fieldsIn(metadata)),
  'asset-video': ({ metadata }) => readFields(fieldsIn(metadata)),
  'nested-video': ({ metadata }) => readFields(fieldsIn(metadata.parameters)),
  'dedicated-video': readFields,
};

/** Returns whether a video is requested with its last frame, which is an image. The field is in the metadata, or next to them. */
export const returnsLastFrame = (request: UncheckedFields): boolean =>
  [request, fieldsIn(request.metadata)].some((fields) => fields.return_last_frame === true);

/** Reads the properties that a request of any family demands of its video. */
export const requestedVideoOf = async <F extends VideoFamily>({
  family,
  body,
}: CheckRequest<F>): Promise<RequestedVideo> => READERS[family](body);
