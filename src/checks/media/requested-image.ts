import {
  type AlphaEditRequest,
  type AlphaImageRequest,
  type BetaEditRequest,
  type BetaImageRequest,
  type GammaImageRequest,
  type NativeImageRequest,
  type RequestBodies,
  tryParseGammaSize,
  tryParseSize,
} from '../../wire/index.ts';
import type { CheckRequest } from '../check-request.ts';

/** The properties that a request demands of its images. The model decides on those that are absent. */
export interface RequestedImage {
  readonly count: number;
  readonly format?: string | undefined;
  readonly frame?: { readonly width: number; readonly height: number } | undefined;
  /** Tolerance of each edge in pixels, where sizes are aligned. */
  readonly slack: number;
  /** Width / height. */
  readonly ratio?: number | undefined;
  /** `1k`, `2K`. */
  readonly sizeClass?: string | undefined;
  readonly isTransparent: boolean;
  /** For an edit without a frame: the source that its proportions follow. */
  readonly follows?: 'first' | 'last';
  /** Width / height of that source, where it is known. */
  readonly followed?: number | undefined;
}

/** Parses `16:9` or `19.5:9` as width / height; undefined for `auto` and anything else. */
export function tryParseRatio(text: string | undefined): number | undefined {
  const parts = /^(\d+(?:\.\d+)?):(\d+(?:\.\d+)?)$/.exec(text ?? '');
  return parts ? Number(parts[1]) / Number(parts[2]) : undefined;
}

const alphaImage = (body: AlphaImageRequest | AlphaEditRequest): RequestedImage => ({
  count: body.n ?? 1,
  format: body.output_format ?? 'png',
  frame: tryParseSize(body.size ?? ''),
  slack: 0,
  isTransparent: body.background === 'transparent',
});

/** The format is not known before the answer. */
const betaImage = (body: BetaImageRequest | BetaEditRequest): RequestedImage => ({
  count: body.n ?? 1,
  slack: 0,
  ratio: tryParseRatio(body.aspect_ratio),
  sizeClass: body.resolution ?? '1k',
  isTransparent: false,
  follows: 'first',
});

/** Contract, “Limits”: dimensions may be aligned to multiples of 16. */
const STEP = 16;

const gammaImage = ({ parameters }: GammaImageRequest): RequestedImage => ({
  count: parameters?.n ?? 1,
  format: 'png',
  frame: tryParseGammaSize(parameters?.size ?? ''),
  slack: STEP - 1,
  isTransparent: false,
  follows: 'last',
});

const nativeImage = ({ generationConfig }: NativeImageRequest): RequestedImage => ({
  count: 1,
  slack: 0,
  ratio: tryParseRatio(generationConfig?.imageConfig?.aspectRatio),
  sizeClass: generationConfig?.imageConfig?.imageSize,
  isTransparent: false,
});

type ImageFamily = 'alpha-image' | 'alpha-edit' | 'beta-image' | 'beta-edit' | 'gamma-image' | 'native-image';

const READERS: { readonly [F in ImageFamily]: (body: RequestBodies[F]) => RequestedImage } = {
  'alpha-image': alphaImage,
  'alpha-edit': alphaImage,
  'beta-image': betaImage,
  'beta-edit': betaImage,
  'gamma-image': gammaImage,
  'native-image': nativeImage,
};

/** Reads the properties that a request of any family demands of its images. */
export const requestedImageOf = <F extends ImageFamily>({ family, body }: CheckRequest<F>): RequestedImage =>
  READERS[family](body);
