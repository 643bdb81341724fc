import { z } from 'zod';
import type { Family } from '../family.ts';
import type { Upload } from '../media-limits.ts';

export const AlphaEditRequest = z.looseObject({
  model: z.string().min(1),
  prompt: z.string(),
  image: z.array(z.custom<Upload>()),
  mask: z.custom<Upload>().optional(),
  stream: z.boolean().optional(),
});
export type AlphaEditRequest = z.input<typeof AlphaEditRequest>;

export const ALPHA_EDIT: Family<AlphaEditRequest> = {
  id: 'alpha-edit',
  title: 'Image editing, family alpha',
  endpoint: 'editImages',
  form: 'multipart',
  body: AlphaEditRequest,
  rules: [],
  media: [],
};
