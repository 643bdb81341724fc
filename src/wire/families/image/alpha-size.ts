import * as z from 'zod';
import type { Rule } from '../../family.ts';
import { ALPHA_MODELS, FLEXIBLE_SIZE } from './alpha-models.ts';
import { tryParseSize } from './pixel-size.ts';

const FORM = '`auto` or `<width>x<height>`';

export const AlphaSize = z
  .string()
  .refine((size) => size === 'auto' || tryParseSize(size) !== undefined, { message: `must be ${FORM}` })
  .default('auto')
  .describe(FORM);

/** Returns what is wrong with a free size, each a sentence without its subject. */
function complaints({ width, height }: NonNullable<ReturnType<typeof tryParseSize>>): readonly string[] {
  const { step, maxEdge, maxRatio, minPixels, maxPixels } = FLEXIBLE_SIZE;
  const [short, long] = [Math.min(width, height), Math.max(width, height)];
  const pixels = width * height;
  const found = [
    (width % step !== 0 || height % step !== 0) && `both edges must be divisible by ${step}`,
    long > maxEdge && `each edge may have at most ${maxEdge} pixels`,
    long > short * maxRatio && `the long edge may have at most ${maxRatio} times the short one`,
    (pixels < minPixels || pixels > maxPixels) && `it has ${pixels} pixels, and must have ${minPixels} to ${maxPixels}`,
  ];
  return found.filter((text) => text !== false);
}

function sizeTrouble(size: string | undefined, model: string): string | undefined {
  const limits = ALPHA_MODELS[model];
  const pixels = size === undefined ? undefined : tryParseSize(size);
  if (size === undefined || pixels === undefined || limits === undefined) return undefined;
  if (limits.sizes === undefined) return complaints(pixels).join('; ') || undefined;
  return limits.sizes.includes(size) ? undefined : `must be auto, ${limits.sizes.join(', ')} for ${model}`;
}

/** Checks that a model takes this size. */
export const isAlphaSize = (size: string, model: string): boolean => sizeTrouble(size, model) === undefined;

function renderSizes(): string {
  const { step, maxEdge, maxRatio, minPixels, maxPixels, experimental } = FLEXIBLE_SIZE;
  const free =
    `both edges divisible by ${step}, each at most ${maxEdge} px, long to short at most ${maxRatio}:1, ` +
    `${minPixels}–${maxPixels} pixels in all (above ${experimental} experimental)`;
  return Object.entries(ALPHA_MODELS)
    .map(([model, { sizes }]) => `\`${model}\`: ${sizes?.map((size) => `\`${size}\``).join(', ') ?? free}`)
    .join('; ');
}

/** Models that are not known take any size. */
export const ALPHA_SIZE_RULE: Rule<{ size?: string | undefined }> = {
  field: 'size',
  limit: `\`auto\`, or by model: ${renderSizes()}`,
  check: ({ size }, model) => sizeTrouble(size, model),
};
