import { z } from 'zod';
import type { Family } from '../family.ts';

export const BetaImageRequest = z.looseObject({ model: z.string().min(1), prompt: z.string() });
export type BetaImageRequest = z.input<typeof BetaImageRequest>;

export const BETA_IMAGE: Family<BetaImageRequest> = {
  id: 'beta-image',
  title: 'Image generation, family beta',
  endpoint: 'generateImages',
  form: 'json',
  body: BetaImageRequest,
  rules: [],
  media: [],
};
