import * as z from 'zod';

/** A member of an answer that may be absent, null, or something else altogether: then it is as if it were not there. */
export const ifAny = <Output>(schema: z.ZodType<Output>) => schema.nullish().catch(undefined);

/** A list that may be absent or null when it is empty. */
export const listOf = <Item extends z.ZodType>(item: Item) =>
  z
    .array(item)
    .nullish()
    .transform((items) => items ?? []);
