import { z } from 'zod';
import { GAMMA_MODELS } from './gamma-models.ts';
import { tryParseGammaSize } from './pixel-size.ts';

const FORM = '`<width>*<height>`';

export const GammaSize = z
  .string()
  .refine((size) => tryParseGammaSize(size) !== undefined, { message: `must be ${FORM}, with an asterisk` })
  .describe(FORM);

type SizeLimits = (typeof GAMMA_MODELS)[string]['size'];

export function renderGammaSize(limits: SizeLimits): string {
  if (limits === 'never') return 'must not be sent';
  if ('sizes' in limits) return limits.sizes.map((size) => `\`${size}\``).join(', ');
  if ('minEdge' in limits) return `each edge ${limits.minEdge}–${limits.maxEdge} px`;
  return `${limits.minPixels}–${limits.maxPixels} pixels in all`;
}

const within = (value: number, min: number, max: number): boolean => value >= min && value <= max;

/** What a model does not like about a size, which has the right form. Models that are not known take any. */
export function gammaSizeTrouble(size: string | undefined, model: string): string | undefined {
  const limits = GAMMA_MODELS[model]?.size;
  const pixels = size === undefined ? undefined : tryParseGammaSize(size);
  if (size === undefined || pixels === undefined || limits === undefined) return undefined;
  const { width, height } = pixels;
  if (limits === 'never') return `must not be sent for ${model}`;
  if ('sizes' in limits) {
    return limits.sizes.includes(size) ? undefined : `must be one of ${limits.sizes.join(', ')} for ${model}`;
  }
  if ('minEdge' in limits) {
    const { minEdge, maxEdge } = limits;
    const fits = within(width, minEdge, maxEdge) && within(height, minEdge, maxEdge);
    return fits ? undefined : `each edge must have ${minEdge} to ${maxEdge} pixels for ${model}`;
  }
  const { minPixels, maxPixels } = limits;
  if (within(width * height, minPixels, maxPixels)) return undefined;
  return `has ${width * height} pixels, and must have ${minPixels} to ${maxPixels} for ${model}`;
}
