import * as z from 'zod';
import { GAMMA_MODELS } from './gamma-models.ts';
import { tryParseGammaSize } from './pixel-size.ts';

export const GammaSize = z
  .string()
  .refine((size) => tryParseGammaSize(size) !== undefined, {
    message: 'must be `<width>*<height>`, with an asterisk',
  })
  .describe('`<width>*<height>`, which may be aligned to multiples of 16');

type GammaLimits = (typeof GAMMA_MODELS)[string];

function renderBounds({ size }: GammaLimits): string {
  if (size === 'never') return 'must not be sent';
  if ('sizes' in size) return size.sizes.map((one) => `\`${one}\``).join(', ');
  if ('minEdge' in size) return `each edge ${size.minEdge}–${size.maxEdge} px`;
  return `${size.minPixels}–${size.maxPixels} pixels in all`;
}

/** The sizes that a model accepts, and its default. */
export function renderGammaSize(limits: GammaLimits): string {
  const { defaultSize, edits, size } = limits;
  const defaults = [
    defaultSize === undefined ? '' : `default of a generation \`${defaultSize}\``,
    edits && size !== 'never' ? "default of an edit about 1024*1024 pixels in the last image's proportions" : '',
  ];
  return [renderBounds(limits), ...defaults].filter((text) => text !== '').join(', ');
}

const within = (value: number, min: number, max: number): boolean => value >= min && value <= max;

/** Returns what a model rejects about a size of the right form. Unknown models accept any size. */
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
