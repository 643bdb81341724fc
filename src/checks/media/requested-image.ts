import { tryParseGammaSize, tryParseSize } from '../../wire/index.ts';
import type { Body, CheckRequest } from '../check-module.ts';

/** What a request says its images shall be. What is absent is left to the model. */
export interface RequestedImage {
  readonly count: number;
  readonly format?: string | undefined;
  readonly frame?: { readonly width: number; readonly height: number } | undefined;
  /** Edges may be this many pixels off, where sizes are aligned. */
  readonly slack: number;
  /** Width / height. */
  readonly ratio?: number | undefined;
  /** `1k`, `2K`: see {@link sizeClassOf}. */
  readonly sizeClass?: string | undefined;
  readonly isClear: boolean;
  /** Of an edit that is given no frame: the one of its sources whose proportions it takes over. */
  readonly follows?: 'first' | 'last';
  /** Width / height of that source, where it is known. */
  readonly followed?: number | undefined;
}

const textIn = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const countIn = (value: unknown): number => (typeof value === 'number' ? value : 1);
const fieldsIn = (value: unknown): Body => (typeof value === 'object' && value !== null ? (value as Body) : {});

/** `16:9`, `19.5:9` as width / height; undefined for `auto` and whatever else is no ratio. */
export function tryParseRatio(text: string | undefined): number | undefined {
  const parts = /^(\d+(?:\.\d+)?):(\d+(?:\.\d+)?)$/.exec(text ?? '');
  return parts ? Number(parts[1]) / Number(parts[2]) : undefined;
}

const alphaImage = (body: Body): RequestedImage => ({
  count: countIn(body.n),
  format: textIn(body.output_format) ?? 'png',
  frame: tryParseSize(textIn(body.size) ?? ''),
  slack: 0,
  isClear: body.background === 'transparent',
});

/** What this family encodes its images as, the answer says. */
const betaImage = (body: Body): RequestedImage => ({
  count: countIn(body.n),
  slack: 0,
  ratio: tryParseRatio(textIn(body.aspect_ratio)),
  sizeClass: textIn(body.resolution) ?? '1k',
  isClear: false,
  follows: 'first',
});

/** Contract, “Limits”: dimensions may be aligned to multiples of 16. */
const STEP = 16;

function gammaImage(body: Body): RequestedImage {
  const parameters = fieldsIn(body.parameters);
  const frame = tryParseGammaSize(textIn(parameters.size) ?? '');
  return { count: countIn(parameters.n), format: 'png', frame, slack: STEP - 1, isClear: false, follows: 'last' };
}

function nativeImage(body: Body): RequestedImage {
  const { aspectRatio, imageSize } = fieldsIn(fieldsIn(body.generationConfig).imageConfig);
  return {
    count: 1,
    slack: 0,
    ratio: tryParseRatio(textIn(aspectRatio)),
    sizeClass: textIn(imageSize),
    isClear: false,
  };
}

const READERS: { readonly [family: string]: (body: Body) => RequestedImage } = {
  'alpha-image': alphaImage,
  'alpha-edit': alphaImage,
  'beta-image': betaImage,
  'beta-edit': betaImage,
  'gamma-image': gammaImage,
  'native-image': nativeImage,
};

/** What this request asks its images to be, in the words of no family. */
export const requestedImageOf = ({ family, body }: CheckRequest): RequestedImage =>
  (READERS[family] as (body: Body) => RequestedImage)(body);
