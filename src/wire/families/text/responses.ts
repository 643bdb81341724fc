import * as z from 'zod';
import type { Family } from '../../family.ts';

/** Contract: “Responses-style request”. Its full shape is one of the contract's gaps; lists of items are OpenAI's. */
export const ResponsesRequest = z.looseObject({
  model: z.string().min(1),
  input: z.union([z.string(), z.array(z.looseObject({}))]),
  stream: z.boolean().optional(),
  reasoning: z
    .looseObject({
      mode: z.enum(['standard', 'pro']).default('standard'),
      effort: z.enum(['none', 'low', 'medium', 'high', 'xhigh', 'max']).optional(),
    })
    .optional(),
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
