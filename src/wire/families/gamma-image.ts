import { z } from 'zod';
import type { Family } from '../family.ts';

export const GammaImageRequest = z.looseObject({ model: z.string().min(1) });
export type GammaImageRequest = z.input<typeof GammaImageRequest>;

export const GAMMA_IMAGE: Family<GammaImageRequest> = {
  id: 'gamma-image',
  title: 'Image generation and editing, family gamma',
  endpoint: 'generateImages',
  form: 'json',
  body: GammaImageRequest,
  rules: [],
  media: [],
};
