import * as z from 'zod';
import {
  ASSERTION_KINDS,
  ASSERTION_NAMES,
  ASSERTIONS,
  type AssertionKind,
  type AssertionName,
  type Assertions,
  MEDIA_FORMATS,
  USD_LIMIT,
} from '../../domain/index.ts';
import type { FieldMessageName } from './field-messages.ts';
import { flag, line, matching, USD_TEXT, wholeNumber, withMessage } from './scalar.ts';

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

/** An object as is: zod would drop a member `__proto__`. */
const jsonObject = () =>
  z
    .unknown()
    .refine(isObject, withMessage('json-schema'))
    .meta({ type: 'object', properties: {}, additionalProperties: {} });

interface AssertionForm {
  readonly schema: () => z.ZodType;
  readonly name: FieldMessageName;
}

/** The form of each kind of value in a manifest, with the name of its message. */
const FORMS: { readonly [K in AssertionKind]: AssertionForm } = {
  text: { schema: () => line('text'), name: 'text' },
  texts: {
    schema: () =>
      z.union([line('contains'), z.array(line('contains')).min(1, withMessage('contains'))], withMessage('contains')),
    name: 'contains',
  },
  pattern: { schema: () => line('pattern'), name: 'pattern' },
  jsonSchema: { schema: jsonObject, name: 'json-schema' },
  count: { schema: () => wholeNumber(1, 'count'), name: 'count' },
  seconds: {
    schema: () =>
      z.union(
        [
          z.number(withMessage('seconds')).positive(withMessage('seconds')),
          matching(/^(?![0.]+$)\d{1,6}(\.\d{1,6})?$/u, 'seconds'),
        ],
        withMessage('seconds'),
      ),
    name: 'seconds',
  },
  flag: { schema: flag, name: 'flag' },
  mediaFormat: {
    schema: () => matching(new RegExp(`^(${MEDIA_FORMATS.join('|')})$`, 'u'), 'media-format'),
    name: 'media-format',
  },
  usd: {
    schema: () =>
      z.union(
        [
          z.number(withMessage('amount')).min(0, withMessage('amount')).max(USD_LIMIT, withMessage('amount')),
          matching(USD_TEXT, 'amount'),
        ],
        withMessage('amount'),
      ),
    name: 'amount',
  },
};

/** The output is the value in the normal form of its kind. */
function schemaOf<A extends AssertionName>(assertion: A) {
  const { kind, doc } = ASSERTIONS[assertion];
  const { schema, name } = FORMS[kind];
  return schema()
    .transform((value, context) => {
      const parsed = ASSERTION_KINDS[kind].parse(value);
      if (parsed !== undefined) return parsed;
      context.addIssue({ code: 'custom', message: name });
      return z.NEVER;
    })
    .describe(doc)
    .optional();
}

/** The assertions of a check: what the answer must be, beyond what the request asks for. */
export const expectSchema = () =>
  z
    .strictObject(Object.fromEntries(ASSERTION_NAMES.map((name) => [name, schemaOf(name)])), withMessage('expect'))
    // The kind of each assertion has parsed its value.
    .transform((values): Assertions => values)
    .meta({ id: 'Expect', description: 'Assertions about the answer of a check.' });
