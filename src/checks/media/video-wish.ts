import { tryParseGammaSize, tryParseSize } from '../../wire/index.ts';
import type { Body, Plea } from '../module.ts';
import { tryParseRatio } from './picture-wish.ts';

/** What a request says its video shall be. What is absent is left to the model, or not known. */
export interface VideoWish {
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

const sizeIn = (value: unknown): VideoWish['frame'] => {
  const text = textIn(value) ?? '';
  return tryParseSize(text) ?? tryParseGammaSize(text);
};

/** The fields that providers of video name so, wherever the family has them. */
const namedSo = (fields: Body): VideoWish => ({
  seconds: secondsIn(fields.duration ?? fields.durationSeconds ?? fields.seconds),
  frame: sizeIn(fields.size),
  resolution: textIn(fields.resolution),
  ratio: tryParseRatio(textIn(fields.ratio ?? fields.aspectRatio ?? fields.aspect_ratio)),
  hasSound: switchIn(fields.generate_audio ?? fields.generateAudio),
  returnsLastFrame: fields.return_last_frame === true,
});

const FRAMES: ReadonlySet<unknown> = new Set(['first_frame', 'last_frame']);

/** A single file, an image, is the first frame even when it does not say so. */
function hasFrame(content: unknown): boolean {
  const files = (Array.isArray(content) ? content : []).map(fieldsIn).filter(({ type }) => type !== 'text');
  const [only] = files;
  const isSole = files.length === 1 && only?.type === 'image_url' && only.role === undefined;
  return isSole || files.some(({ role }) => FRAMES.has(role));
}

/** Contract, “epsilon family”: 720p and sound unless told. */
function epsilonWish({ metadata }: Body): VideoWish {
  const wish = namedSo(fieldsIn(metadata));
  return { ...wish, resolution: wish.resolution ?? '720p', hasSound: wish.hasSound ?? true };
}

/** Contract, “delta family”: with a frame the proportions are always that one's. */
function deltaWish({ metadata }: Body): VideoWish {
  const fields = fieldsIn(metadata);
  const wish = namedSo(fields);
  return { ...wish, ratio: hasFrame(fields.content) ? undefined : wish.ratio };
}

const WISHES: { readonly [family: string]: (body: Body) => VideoWish } = {
  'epsilon-video': epsilonWish,
  'delta-video': deltaWish,
  'download-video': namedSo,
  'flat-video': ({ metadata }) => namedSo(fieldsIn(metadata)),
  'asset-video': ({ metadata }) => namedSo(fieldsIn(metadata)),
  'nested-video': ({ metadata }) => namedSo(fieldsIn(fieldsIn(metadata).parameters)),
  'dedicated-video': namedSo,
};

/** What this request asks its video to be, in the words of no family. */
export const videoWishOf = ({ family, body }: Plea): VideoWish => (WISHES[family] as (body: Body) => VideoWish)(body);
