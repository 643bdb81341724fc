import {
  canonicalJsonText,
  type DeclaredInputs,
  type DeclaredKind,
  type DeclaredValues,
  type Diagnostic,
  type FieldRow,
  oncePer,
  type Parsed,
  parseValue,
  refillProblems,
  renderInstant,
} from '../../../../domain/index.ts';
import { isObject, type TerraformObject, type TerraformValue, type ValueType } from '../../../codec/value.ts';
import type { AttributeTable } from '../../../provider/schema.ts';
import { BUDGET_ATTRIBUTES, BUDGET_NOTE, decodeBudget, encodeBudget } from './budget.ts';
import { openRememberedValues, type RememberedValues } from './remembered-values.ts';

export type RowOf<K extends DeclaredKind> = FieldRow & { readonly kind: K };

type Shape = { readonly type: ValueType } | { readonly nesting: 'single'; readonly attributes: AttributeTable };

/** A kind of field as Terraform has it: the shape of its attribute, and its values both ways. */
interface KindCodec<K extends DeclaredKind> {
  readonly shape: Shape;
  /** The syntax of a value; ends the description of the attribute. */
  note?(row: FieldRow): string;
  /** Undefined when too little is known; null for no restriction. @param value neither null nor unknown */
  decode(value: TerraformValue, row: FieldRow): DeclaredInputs[K] | null | undefined;
  encode(value: DeclaredValues[K], row: FieldRow): TerraformValue;
  /** The rules of a configured value that Terraform needs beyond those of the kind. */
  rules?(input: DeclaredInputs[K]): readonly Diagnostic[];
}

const isText = (value: TerraformValue): value is string => typeof value === 'string';

/** A set restricts nothing when it holds only the row’s word for that. Elements may be unknown. */
function decodeSet(value: TerraformValue, { unrestricted }: FieldRow): readonly string[] | null | undefined {
  const items = value as readonly TerraformValue[];
  const known = items.filter(isText);
  if (items.length === 1 && known[0] === unrestricted) return null;
  return known.length === 0 && items.length > 0 ? undefined : known;
}

const encodeSet = (items: readonly string[] | null, { unrestricted = '' }: FieldRow): TerraformValue =>
  items ?? [unrestricted];

const SET = {
  shape: { type: ['set', 'string'] },
  note: ({ unrestricted }: FieldRow) => `Write \`["${unrestricted}"]\` for no restriction.`,
  decode: decodeSet,
  encode: encodeSet,
} as const;

const CODECS: { readonly [K in DeclaredKind]: KindCodec<K> } = {
  flag: { shape: { type: 'bool' }, decode: (value) => value === true, encode: (value) => value },
  text: { shape: { type: 'string' }, decode: String, encode: (text) => text || null },
  textSet: SET,
  ipSet: SET,
  instant: {
    shape: { type: 'string' },
    note: ({ unrestricted }) => `\`2027-03-31T00:00:00Z\` or \`${unrestricted}\`.`,
    decode: (value, { unrestricted }) => (value === unrestricted ? null : String(value)),
    encode: (at, { unrestricted = '' }) => (at === null ? unrestricted : renderInstant(at)),
  },
  budget: {
    shape: { nesting: 'single', attributes: BUDGET_ATTRIBUTES },
    note: () => BUDGET_NOTE,
    decode: (value) => (isObject(value) ? decodeBudget(value) : undefined),
    encode: (budget): TerraformObject => encodeBudget(budget),
    rules: refillProblems,
  },
  json: {
    shape: { type: 'string' },
    note: () => 'Write it with `jsonencode`; an empty string is Smart Routing without tiers.',
    decode: String,
    // The order of members in which jsonencode writes them.
    encode: canonicalJsonText,
  },
};

export const shapeOf = ({ kind }: FieldRow): Shape => CODECS[kind].shape;

export const noteOf = (row: FieldRow): string | undefined => CODECS[row.kind].note?.(row);

type ValidOf<K extends DeclaredKind> = (row: FieldRow) => RememberedValues<DeclaredValues[K]>;

const validOf = <K extends DeclaredKind>(): ValidOf<K> => oncePer(() => openRememberedValues<DeclaredValues[K]>());

const VALID: { readonly [K in DeclaredKind]: ValidOf<K> } = {
  flag: validOf(),
  text: validOf(),
  textSet: validOf(),
  ipSet: validOf(),
  instant: validOf(),
  budget: validOf(),
  json: validOf(),
};

/** Parses one value; undefined when too little of it is known. @param value neither null nor unknown */
export const decodeField = <K extends DeclaredKind>(
  row: RowOf<K>,
  value: TerraformValue,
): Parsed<DeclaredValues[K]> | undefined =>
  VALID[row.kind](row).parse(value, () => {
    const input = CODECS[row.kind].decode(value, row);
    return input === undefined ? undefined : parseValue(row, input);
  });

/** Parses one configured value; undefined when too little of it is known. @param value neither null nor unknown */
export function decodeConfigured<K extends DeclaredKind>(
  row: RowOf<K>,
  value: TerraformValue,
): Parsed<DeclaredValues[K]> | undefined {
  const parsed = decodeField(row, value);
  const { decode, rules } = CODECS[row.kind];
  const input = parsed?.diagnostics.length === 0 && rules ? decode(value, row) : null;
  if (parsed === undefined || rules === undefined || input === undefined || input === null) return parsed;
  return { ...parsed, diagnostics: rules(input) };
}

export const encodeField = <K extends DeclaredKind>(row: RowOf<K>, value: DeclaredValues[K]): TerraformValue =>
  CODECS[row.kind].encode(value, row);
