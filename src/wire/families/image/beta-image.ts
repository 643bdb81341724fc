import * as z from 'zod';
import type { Family } from '../../family.ts';
import { BETA_FIELDS, BETA_RULES } from './beta-fields.ts';
import { BETA_NAMES } from './beta-models.ts';

/** Contract: “Family beta (native JSON image request)”. */
export const BetaImageRequest = z.looseObject({
  ...BETA_FIELDS,
  aspect_ratio: BETA_FIELDS.aspect_ratio.describe('`auto` when it is not sent'),
});
export type BetaImageRequest = z.input<typeof BetaImageRequest>;

export const BETA_IMAGE: Family<BetaImageRequest> = {
  id: 'beta-image',
  title: 'Image generation, family beta',
  endpoint: 'generateImages',
  form: 'json',
  models: BETA_NAMES,
  body: BetaImageRequest,
  rules: BETA_RULES,
  media: [],
};
