import * as z from 'zod';

/** A part of a message's content that is text. */
export const TextPart = z.looseObject({ type: z.literal('text'), text: z.string() });

/**
 * A part whose type the contract does not show: it passes as it is. One of a shown type is not
 * this, and that is final (`abort`): else zod would complain of its type, and not of what it lacks.
 */
export const partOtherThan = (...shown: readonly string[]) =>
  z.looseObject({
    type: z
      .string()
      .refine((type) => !shown.includes(type), { abort: true, message: 'is a part that lacks something' })
      .describe('other types pass as they are'),
  });
