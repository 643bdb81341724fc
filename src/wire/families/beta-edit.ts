import { z } from 'zod';
import type { Family } from '../family.ts';

export const BetaEditRequest = z.looseObject({ model: z.string().min(1), prompt: z.string() });
export type BetaEditRequest = z.input<typeof BetaEditRequest>;

export const BETA_EDIT: Family<BetaEditRequest> = {
  id: 'beta-edit',
  title: 'Image editing, family beta',
  endpoint: 'editImages',
  form: 'json',
  body: BetaEditRequest,
  rules: [],
  media: [],
};
