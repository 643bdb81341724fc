import * as z from 'zod';

/**
 * The envelope of every System API response. A successful HTTP status is not enough: `success` decides.
 * `message` may be absent or null on success. Contract: “System API response envelope”.
 */
export const Envelope = z.looseObject({
  success: z.boolean(),
  message: z.string().nullish(),
  data: z.unknown().optional(),
});
export type Envelope = z.infer<typeof Envelope>;

/** The error shape outside the envelope: `/v1` routes and unknown paths. */
export const OpenError = z.lazy(() =>
  z.looseObject({
    error: z.looseObject({
      message: z.string(),
      type: z.string().nullish(),
      code: z.union([z.string(), z.number()]).nullish(),
    }),
  }),
);
export type OpenError = z.infer<typeof OpenError>;

/**
 * A page of a listing. The contract shows `items`; deployments add the other three. `items` may not be absent: a response
 * that lists its keys under another name is not an empty account. Nor may it be null: a list that a gateway read and found
 * empty is `[]`, and null is what a failed query leaves behind.
 */
export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.looseObject({
    items: z.array(item),
    total: z.int().nonnegative().optional().catch(undefined),
    page: z.int().optional().catch(undefined),
    page_size: z.int().optional().catch(undefined),
  });

/** The only page of a list without pages: releases of new-api before 0.10.8 answer a search with all that it finds. */
export const pageOfAll = (data: unknown): unknown => (Array.isArray(data) ? { items: data, total: data.length } : data);
