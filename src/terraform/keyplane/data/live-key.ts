import {
  type Decimal,
  declarableEnabled,
  effectiveStatus,
  FIELD_ROWS,
  type FieldRow,
  maskOf,
  type ObservedKey,
  renderInstant,
  type UnixSeconds,
} from '../../../domain/index.ts';
import type { TerraformObject, ValueType } from '../../codec/value.ts';
import { attributeType } from '../../provider/schema.ts';
import { encodeField, shapeOf } from '../key/values/codec.ts';
import { encodeLive } from '../key/values/fields.ts';

/** A live key without its secret, as data sources return it, with the attributes of the resource. */

/** The values of a key that depend on more than its record. */
interface LiveContext {
  readonly now: UnixSeconds;
  readonly quotaPerUnit: Decimal;
}

interface LiveAttribute {
  readonly type: ValueType;
  readonly description: string;
  value(key: ObservedKey, context: LiveContext): TerraformObject[string];
}

/** The fields that are one setting each. */
const SETTING_ROWS = FIELD_ROWS.filter(([, row]) => 'initial' in row);

const DESCRIPTIONS: Readonly<Partial<Record<FieldRow['kind'], (row: FieldRow) => string>>> = {
  flag: ({ label }) => `Whether ${label} is enabled.`,
  text: ({ label }) => `The ${label} of the key; null if it has none.`,
  textSet: ({ label, unrestricted }) =>
    `The ${label} of the key, or only \`${unrestricted}\` for no restriction; a list that holds this word has it in quotation marks, \`"${unrestricted}"\`. Empty: none is allowed.`,
  ipSet: ({ label, unrestricted }) =>
    `The ${label} of the key, or only \`${unrestricted}\` for no restriction; a list that holds this word has it in quotation marks, \`"${unrestricted}"\`.`,
  instant: ({ noun = 'time', unrestricted }) => `The ${noun} of the key (RFC 3339), or \`${unrestricted}\`.`,
};

/** Quotes an entry that has the spelling of the word for no restriction: it is an entry, and restricts. */
const distinct = (value: unknown, { unrestricted }: FieldRow): unknown =>
  Array.isArray(value) ? value.map((item: unknown) => (item === unrestricted ? JSON.stringify(item) : item)) : value;

const settingAttribute = (field: string, row: FieldRow): LiveAttribute => ({
  type: attributeType({ ...shapeOf(row), set: 'computed', description: '' }),
  description: DESCRIPTIONS[row.kind]?.(row) ?? row.doc,
  value: (key) => encodeField(row, distinct(key[field as keyof ObservedKey], row) as never),
});

/** The fields of several settings, as the resource declares them. */
const DECLARED_ROWS = FIELD_ROWS.filter(([, row]) => 'settings' in row);

const declaredAttribute = (row: FieldRow): LiveAttribute => ({
  type: attributeType({ ...shapeOf(row), set: 'computed', description: '' }),
  description: `${row.doc} The value with which the resource leaves the key as it is; null where there is none.`,
  value: (key, { quotaPerUnit }) => encodeLive(key, quotaPerUnit)[row.terraform] ?? null,
});

const ATTRIBUTES: Readonly<Record<string, LiveAttribute>> = {
  id: { type: 'number', description: 'Its ID.', value: ({ id }) => id },
  name: { type: 'string', description: 'Its name.', value: ({ name }) => name },
  status: {
    type: 'string',
    description: 'The effective status: `enabled`, `disabled`, `expired` or `exhausted`.',
    // A key may have expired without being stored as expired.
    value: (key, { now }) => effectiveStatus(key, now),
  },
  stored_status: {
    type: 'string',
    description: 'The status that the gateway has stored, which may be out of date.',
    value: ({ status }) => status,
  },
  enabled: {
    type: 'bool',
    description:
      'Whether the key is enabled, as the resource declares it: an expired or exhausted key is not disabled.',
    value: (key, { now }) => declarableEnabled(key, now),
  },
  ...Object.fromEntries(DECLARED_ROWS.map(([, row]) => [row.terraform, declaredAttribute(row)])),
  ...Object.fromEntries(SETTING_ROWS.map(([field, row]) => [row.terraform, settingAttribute(field, row)])),
  unlimited: { type: 'bool', description: 'Whether the key has no ceiling.', value: ({ unlimited }) => unlimited },
  remaining_quota: {
    type: 'number',
    description: 'Quota units that the key may still spend; null without a ceiling.',
    value: ({ unlimited, remain }) => (unlimited ? null : remain),
  },
  used_quota: {
    type: 'number',
    description: 'Quota units that the key has used so far; null where the gateway does not report it.',
    value: ({ used }) => used ?? null,
  },
  masked_key: {
    type: 'string',
    description: 'The credential as the gateway shows it. Not an identity.',
    value: maskOf,
  },
  created_at: {
    type: 'string',
    description: 'The time of creation (RFC 3339); null where the gateway does not report it.',
    value: ({ createdAt }) => (createdAt === undefined ? null : renderInstant(createdAt)),
  },
};

const mapAttributes = <T>(work: (attribute: LiveAttribute) => T): { readonly [name: string]: T } =>
  Object.fromEntries(Object.entries(ATTRIBUTES).map(([name, attribute]) => [name, work(attribute)]));

export const LIVE_KEY_TYPES = mapAttributes(({ type }) => type);

export const LIVE_KEY_ATTRIBUTES = mapAttributes(({ type, description }) => ({
  type,
  description,
  set: 'computed' as const,
}));

export const encodeLiveKey = (key: ObservedKey, context: LiveContext): TerraformObject =>
  mapAttributes(({ value }) => value(key, context));
