import type { ModelNames } from '../../family.ts';

interface AlphaLimits {
  /** The sizes that `size` may have in addition to `auto`; omitted: any that {@link FLEXIBLE_SIZE} accepts. */
  readonly sizes?: readonly string[];
  /** `alpha-image-2` always keeps to its sources closely. */
  readonly inputFidelity: boolean;
}

const THREE_SIZES = ['1024x1024', '1536x1024', '1024x1536'] as const;

/** Contract: “Family alpha” and “Limits”. Each generates and edits. */
export const ALPHA_MODELS: Readonly<Record<string, AlphaLimits>> = {
  'alpha-image-2': { inputFidelity: false },
  'alpha-image-1.5': { sizes: THREE_SIZES, inputFidelity: true },
  'alpha-image-1': { sizes: THREE_SIZES, inputFidelity: true },
};

/** Edges and totals in pixels, all inclusive. Above `experimental` a size is taken, and may turn out less well. */
export const FLEXIBLE_SIZE = {
  step: 16,
  maxEdge: 3840,
  maxRatio: 3,
  minPixels: 655_360,
  maxPixels: 8_294_400,
  experimental: 3_686_400,
} as const;

export const ALPHA_NAMES: ModelNames = { known: Object.keys(ALPHA_MODELS), prefix: 'alpha-image-' };
