import { readMediaFacts } from '../../media/index.ts';
import { tryParseDataUri, tryParseGammaSize, tryParseSize, videoItems } from '../../wire/index.ts';
import type { Body, CheckRequest } from '../check-module.ts';
import { tryParseRatio } from './requested-image.ts';

/** What a request says its video shall be. What is absent is left to the model, or not known. */
export interface RequestedVideo {
  readonly seconds?: number | undefined;
  /** To the pixel. */
  readonly frame?: { readonly width: number; readonly height: number } | undefined;
  /** `480p`, `768P`. */
  readonly resolution?: string | undefined;
  /** Width / height. */
  readonly ratio?: number | undefined;
  readonly hasSound?: boolean | undefined;
  readonly returnsLastFrame: boolean;
}

const fieldsIn = (value: unknown): Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Body) : {};
const textIn = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const switchIn = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined);

/** Whole seconds, also as text; -1 leaves them to the model. */
function secondsIn(value: unknown): number | undefined {
  const seconds = typeof value === 'string' && value !== '' ? Number(value) : value;
  return typeof seconds === 'number' && seconds > 0 ? seconds : undefined;
}

const sizeIn = (value: unknown): RequestedVideo['frame'] => {
  const text = textIn(value) ?? '';
  return tryParseSize(text) ?? tryParseGammaSize(text);
};

/** The fields that providers of video name so, wherever the family has them. */
const namedSo = (fields: Body): RequestedVideo => ({
  seconds: secondsIn(fields.duration ?? fields.durationSeconds ?? fields.seconds),
  frame: sizeIn(fields.size),
  resolution: textIn(fields.resolution),
  ratio: tryParseRatio(textIn(fields.ratio ?? fields.aspectRatio ?? fields.aspect_ratio)),
  hasSound: switchIn(fields.generate_audio ?? fields.generateAudio),
  returnsLastFrame: fields.return_last_frame === true,
});

/** Contract, “epsilon family”: 720p and sound unless reported. */
function epsilonVideo({ metadata }: Body): RequestedVideo {
  const requested = namedSo(fieldsIn(metadata));
  return { ...requested, resolution: requested.resolution ?? '720p', hasSound: requested.hasSound ?? true };
}

/** No video is flatter or narrower: the proportions of such an image are not kept. */
const FLATTEST = 21 / 9;

/** Width / height of an image that is at hand. */
async function ratioOf(source: unknown): Promise<number | undefined> {
  const bytes = typeof source === 'string' ? tryParseDataUri(source)?.bytes : undefined;
  const { width, height } = (bytes && (await readMediaFacts(bytes))) ?? {};
  if (width === undefined || height === undefined) return undefined;
  const ratio = width / height;
  return ratio <= FLATTEST && ratio >= 1 / FLATTEST ? ratio : undefined;
}

/** Contract, “delta family”: with a frame the proportions are always that one's, whatever is asked. */
async function deltaVideo(body: Body): Promise<RequestedVideo> {
  const requested = namedSo(fieldsIn(body.metadata));
  const [frame] = videoItems(body as unknown as Parameters<typeof videoItems>[0]).filter(({ role }) =>
    role.endsWith('_frame'),
  );
  return frame === undefined ? requested : { ...requested, ratio: await ratioOf(frame.source) };
}

const READERS: { readonly [family: string]: (body: Body) => RequestedVideo | Promise<RequestedVideo> } = {
  'epsilon-video': epsilonVideo,
  'delta-video': deltaVideo,
  'download-video': namedSo,
  'flat-video': ({ metadata }) => namedSo(fieldsIn(metadata)),
  'asset-video': ({ metadata }) => namedSo(fieldsIn(metadata)),
  'nested-video': ({ metadata }) => namedSo(fieldsIn(fieldsIn(metadata).parameters)),
  'dedicated-video': namedSo,
};

/** What this request asks its video to be, in the words of no family. */
export const requestedVideoOf = async ({ family, body }: CheckRequest): Promise<RequestedVideo> =>
  (READERS[family] as (typeof READERS)[string])(body);
