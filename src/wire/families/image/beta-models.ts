import type { ModelNames } from '../../family.ts';

interface BetaLimits {
  readonly quality: boolean;
  readonly aspectRatios: readonly string[];
  /** The limit for an edit; omitted: the contract gives no number. */
  readonly maxReferences?: number;
}

const RATIOS = [
  'auto',
  '1:1',
  '3:4',
  '4:3',
  '9:16',
  '16:9',
  '2:3',
  '3:2',
  '9:19.5',
  '19.5:9',
  '9:20',
  '20:9',
  '1:2',
  '2:1',
] as const;

export const BETA_RATIOS = [...RATIOS, '21:9', '5:2'] as const;

/** Contract: “Family beta”. Each generates and edits. */
export const BETA_MODELS: Readonly<Record<string, BetaLimits>> = {
  'beta-imagine-image-2.0': { quality: true, aspectRatios: BETA_RATIOS, maxReferences: 5 },
  'beta-imagine-image-quality': { quality: false, aspectRatios: RATIOS },
  'beta-imagine-image': { quality: false, aspectRatios: RATIOS },
};

export const BETA_NAMES: ModelNames = { known: Object.keys(BETA_MODELS), prefix: 'beta-imagine-' };
