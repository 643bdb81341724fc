import { z } from 'zod';
import type { Family } from '../family.ts';

export const AlphaImageRequest = z.looseObject({
  model: z.string().min(1),
  prompt: z.string(),
  stream: z.boolean().optional(),
});
export type AlphaImageRequest = z.input<typeof AlphaImageRequest>;

export const ALPHA_IMAGE: Family<AlphaImageRequest> = {
  id: 'alpha-image',
  title: 'Image generation, family alpha',
  endpoint: 'generateImages',
  form: 'json',
  body: AlphaImageRequest,
  rules: [],
  media: [],
};
