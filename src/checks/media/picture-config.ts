import { tryParseGammaSize, tryParseSize } from '../../wire/index.ts';
import type { Body, Plea } from '../check-module.ts';

/** What a request says its pictures shall be. What is absent is left to the model. */
export interface PictureWish {
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

const alphaWish = (body: Body): PictureWish => ({
  count: countIn(body.n),
  format: textIn(body.output_format) ?? 'png',
  frame: tryParseSize(textIn(body.size) ?? ''),
  slack: 0,
  isClear: body.background === 'transparent',
});

/** What this family encodes its pictures as, the answer says. */
const betaWish = (body: Body): PictureWish => ({
  count: countIn(body.n),
  slack: 0,
  ratio: tryParseRatio(textIn(body.aspect_ratio)),
  sizeClass: textIn(body.resolution) ?? '1k',
  isClear: false,
  follows: 'first',
});

/** Contract, “Limits”: dimensions may be aligned to multiples of 16. */
const STEP = 16;

function gammaWish(body: Body): PictureWish {
  const parameters = fieldsIn(body.parameters);
  const frame = tryParseGammaSize(textIn(parameters.size) ?? '');
  return { count: countIn(parameters.n), format: 'png', frame, slack: STEP - 1, isClear: false, follows: 'last' };
}

function nativeWish(body: Body): PictureWish {
  const { aspectRatio, imageSize } = fieldsIn(fieldsIn(body.generationConfig).imageConfig);
  return {
    count: 1,
    slack: 0,
    ratio: tryParseRatio(textIn(aspectRatio)),
    sizeClass: textIn(imageSize),
    isClear: false,
  };
}

const WISHES: { readonly [family: string]: (body: Body) => PictureWish } = {
  'alpha-image': alphaWish,
  'alpha-edit': alphaWish,
  'beta-image': betaWish,
  'beta-edit': betaWish,
  'gamma-image': gammaWish,
  'native-image': nativeWish,
};

/** What this request asks its pictures to be, in the words of no family. */
export const wishOf = ({ family, body }: Plea): PictureWish => (WISHES[family] as (body: Body) => PictureWish)(body);
