import * as z from 'zod';
import {
  type AmountInput,
  BUDGET_FIELDS,
  type BudgetInput,
  type DeclaredInputs,
  type DeclaredKind,
  FIELD_ROWS,
  type FieldName,
  type FieldRow,
  type FieldTable,
  KEY_FIELDS,
  once,
  QUOTA_LIMIT,
  USD_LIMIT,
} from '../../domain/index.ts';
import type { FieldMessageName } from './field-messages.ts';
import { decimalText, flag, parsedText, USD_TEXT, withMessage } from './scalar.ts';

const ADDRESS = /^[0-9A-Fa-f.:]+(\/\d{1,3})?$/u;
const RFC3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.0+)?)?(Z|[+-]\d{2}:\d{2})$/u;

/** An exact amount of US dollars, as decimal text. */
const usd = once(() => decimalText({ minimum: 0, maximum: USD_LIMIT }, USD_TEXT, 'amount').describe(BUDGET_FIELDS.usd));

const quota = once(() =>
  decimalText({ type: 'integer', minimum: 0, maximum: QUOTA_LIMIT }, /^\d{1,15}$/u, 'quota').describe(
    BUDGET_FIELDS.quota,
  ),
);

const per = once(() =>
  parsedText(/^(hour|day|week|month|lifetime|[1-9]\d{0,3}d)$/u, 'window').describe(BUDGET_FIELDS.per),
);

/** An amount in one unit or the other. */
export const amount = (name: FieldMessageName): z.ZodType<AmountInput> =>
  z.union([z.strictObject({ usd: usd() }), z.strictObject({ quota: quota() })], withMessage(name));

const below = once(() => amount('below').describe(BUDGET_FIELDS.below));

const initial = once(() =>
  z
    .union([z.literal(true), z.literal('true')], withMessage('initial'))
    .transform(() => true)
    .describe(BUDGET_FIELDS.initial),
);

/** The five forms of a budget, in either unit, so that parts that exclude one another never meet. */
const budget = (): z.ZodType<BudgetInput> =>
  z
    .union(
      [
        z.literal('unlimited', withMessage('budget')).transform(() => ({ unlimited: true })),
        z.strictObject({ usd: usd() }),
        z.strictObject({ usd: usd(), per: per() }),
        z.strictObject({ usd: usd(), below: below() }),
        z.strictObject({ usd: usd(), initial: initial() }),
        z.strictObject({ quota: quota() }),
        z.strictObject({ quota: quota(), per: per() }),
        z.strictObject({ quota: quota(), below: below() }),
        z.strictObject({ quota: quota(), initial: initial() }),
      ],
      withMessage('budget'),
    )
    .meta({ id: 'Budget', description: KEY_FIELDS.budget.doc });

/** Any JSON except null. The schema passes it as is: zod would drop a member `__proto__`. */
const JSON_TYPES = [
  { type: 'object', properties: {}, additionalProperties: {} },
  { type: 'array', items: {} },
  { type: 'string' },
  { type: 'number' },
  { type: 'boolean' },
];

/** JSON is declared as `{ tiers: … }`, because Smart Routing is what a gateway stores JSON for. */
const json = (): z.ZodType<string> =>
  z
    .strictObject(
      {
        tiers: z
          .unknown()
          .refine((value) => value !== null, withMessage('tiers'))
          .meta({ anyOf: JSON_TYPES, description: KEY_FIELDS.smartRouting.doc })
          .optional(),
      },
      withMessage('smart-routing'),
    )
    .transform(({ tiers }) => (tiers === undefined ? '' : JSON.stringify(tiers)))
    .meta({ id: 'SmartRouting', description: 'Smart Routing. Omitted: not managed.' });

type FieldForm<V> = (row: FieldRow, field: FieldName) => z.ZodType<V>;

const listOf = (item: z.ZodType<string>, { unrestricted, doc }: FieldRow, field: FieldName) => {
  if (unrestricted === undefined) return z.array(item, withMessage(field)).meta({ minItems: 1 }).describe(doc);
  const word = z.literal(unrestricted, withMessage(field)).transform(() => null);
  // A kind rejects empty lists, and lists that hold the word, in its own words.
  const list = z.array(item.meta({ not: { const: unrestricted } }), withMessage(field)).meta({ minItems: 1 });
  return z.union([word, list], withMessage(field)).describe(doc);
};

/**
 * The form of each kind in a manifest: its types and its JSON Schema. The output is the input of the kind, which parses
 * the value; null where the word of the field lifts the restriction.
 */
const FORMS: { readonly [K in DeclaredKind]: FieldForm<DeclaredInputs[K] | null> } = {
  flag: ({ doc }) => flag().describe(doc),
  text: ({ pattern, doc }, field) => parsedText(pattern, field).describe(doc),
  textSet: (row, field) => listOf(parsedText(row.pattern, `${field} entry`), row, field),
  ipSet: (row, field) => listOf(parsedText(ADDRESS, `${field} entry`), row, field),
  instant: ({ unrestricted = '', doc }, field) =>
    z
      .union(
        [z.literal(unrestricted, withMessage(field)).transform(() => null), parsedText(RFC3339, field)],
        withMessage(field),
      )
      .describe(doc),
  budget,
  json,
};

type FieldForms = {
  readonly [F in FieldName]: () => z.ZodOptional<z.ZodType<DeclaredInputs[FieldTable[F]['kind']] | null>>;
};

/** The schema of every field in the table. */
export const FIELD_FORMS = Object.fromEntries(
  FIELD_ROWS.map(([field, row]) => [field, once(() => FORMS[row.kind](row, field).optional())]),
) as unknown as FieldForms;
