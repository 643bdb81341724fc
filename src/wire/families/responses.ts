import { z } from 'zod';
import type { Family } from '../family.ts';

export const ResponsesRequest = z.looseObject({
  model: z.string().min(1),
  input: z.unknown(),
  stream: z.boolean().optional(),
});
export type ResponsesRequest = z.input<typeof ResponsesRequest>;

export const RESPONSES: Family<ResponsesRequest> = {
  id: 'responses',
  title: 'Responses-style request',
  endpoint: 'responses',
  form: 'json',
  body: ResponsesRequest,
  rules: [],
  media: [],
};
