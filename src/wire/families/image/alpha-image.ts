import * as z from 'zod';
import type { Family } from '../../family.ts';
import { ALPHA_FIELDS, ALPHA_RULES } from './alpha-fields.ts';
import { ALPHA_NAMES } from './alpha-models.ts';

/** Contract: “Family alpha (list-style image request, JSON)”. */
export const AlphaImageRequest = z.looseObject({
  ...ALPHA_FIELDS,
  moderation: z.enum(['auto', 'low']).default('auto'),
});
export type AlphaImageRequest = z.input<typeof AlphaImageRequest>;

export const ALPHA_IMAGE: Family<AlphaImageRequest> = {
  id: 'alpha-image',
  title: 'Image generation, family alpha',
  endpoint: 'generateImages',
  form: 'json',
  models: ALPHA_NAMES,
  body: AlphaImageRequest,
  rules: ALPHA_RULES,
  media: [],
};
