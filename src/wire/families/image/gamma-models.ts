import type { ModelNames } from '../../family.ts';

/** The sizes that `parameters.size` may have: total pixels and pixels of an edge, inclusive. */
type SizeLimits =
  | { readonly minPixels: number; readonly maxPixels: number }
  | { readonly minEdge: number; readonly maxEdge: number }
  | { readonly sizes: readonly string[] }
  | 'never';

interface GammaLimits {
  readonly generates: boolean;
  readonly edits: boolean;
  readonly maxImages: number;
  readonly size: SizeLimits;
  /** The default of a generation. An edit without a size has about 1024*1024 pixels, in the last image's proportions. */
  readonly defaultSize?: string;
  readonly promptExtend: boolean;
  /** The gateway truncates the rest and does not reject it. */
  readonly promptTokens: number;
}

const BOTH = {
  generates: true,
  edits: true,
  maxImages: 6,
  size: { minPixels: 262_144, maxPixels: 4_194_304 },
  defaultSize: '2048*2048',
  promptExtend: true,
  promptTokens: 1300,
} as const;
const GENERATING = {
  generates: true,
  edits: false,
  maxImages: 1,
  size: { sizes: ['1664*928', '1472*1104', '1328*1328', '1104*1472', '928*1664'] },
  defaultSize: '1664*928',
  promptExtend: true,
  promptTokens: 800,
} as const;
const EDITING = {
  generates: false,
  edits: true,
  maxImages: 6,
  size: { minEdge: 512, maxEdge: 2048 },
  promptExtend: true,
  promptTokens: 800,
} as const;

/** Contract: “Family gamma (native synchronous request)” and “Limits”. */
export const GAMMA_MODELS: Readonly<Record<string, GammaLimits>> = {
  'gamma-image-2.0-pro': BOTH,
  'gamma-image-2.0': BOTH,
  'gamma-image-max': GENERATING,
  'gamma-image-plus': GENERATING,
  'gamma-image': GENERATING,
  'gamma-image-edit-max': EDITING,
  'gamma-image-edit-plus': EDITING,
  'gamma-image-edit': { ...EDITING, maxImages: 1, size: 'never', promptExtend: false },
};

export const GAMMA_NAMES: ModelNames = { known: Object.keys(GAMMA_MODELS), prefix: 'gamma-image' };

/** `x`, `y`: what holds for them, for every sort of model. */
export function renderByGammaModel(limit: (limits: GammaLimits) => string): string {
  const models = Object.entries(GAMMA_MODELS);
  const texts = [...new Set(models.map(([, limits]) => limit(limits)))];
  const namesOf = (text: string) =>
    models.filter(([, limits]) => limit(limits) === text).map(([name]) => `\`${name}\``);
  return texts.map((text) => `${namesOf(text).join(', ')}: ${text}`).join('; ');
}
