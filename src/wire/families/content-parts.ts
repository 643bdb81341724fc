import { z } from 'zod';

/** A part of a message's content that is text. */
export const TextPart = z.looseObject({ type: z.literal('text'), text: z.string() });

/** A part whose type the contract does not show: it passes as it is. Of a shown type it would be one that lacks something. */
export const partOtherThan = (...shown: readonly string[]) =>
  z.looseObject({
    type: z
      .string()
      .refine((type) => !shown.includes(type), { message: 'is a part that lacks something' })
      .describe('other types pass as they are'),
  });
