import { type BudgetInput, renderDecimal } from '../../domain/index.ts';
import type { Report } from '../../source/index.ts';
import { tryEvaluate } from '../expression/unresolved.ts';
import type { NumberValue, Value } from '../expression/value.ts';
import { isNull, type JsonNode } from '../json/node.ts';
import { literalOf } from '../module/resolve.ts';
import { reportType, reportUnknownAttribute } from '../report.ts';
import { BUDGET_TYPES, CONVERSIONS, type ObjectType, type SimpleType } from './attributes.ts';

const EXPECTED: Readonly<Record<SimpleType, string>> = {
  text: 'a string',
  flag: '`true` or `false`',
  number: 'a number',
};

interface ConvertedValues {
  readonly text: string;
  readonly flag: boolean;
  /** Decimal text. */
  readonly number: string;
}

/**
 * Converts a resolved value as Terraform does: "5" to a number, "1" to true.
 *
 * @returns undefined when Terraform would reject it, which is reported
 */
export function convert<T extends SimpleType>(
  node: JsonNode,
  { attribute, type }: { readonly attribute: string; readonly type: T },
  report: Report,
): ConvertedValues[T] | undefined {
  const conversion: (value: Value) => string | boolean | NumberValue = CONVERSIONS[type];
  const value = tryEvaluate(() => conversion(literalOf(node)));
  if (value === undefined) reportType(node, attribute, EXPECTED[type], report);
  return (typeof value === 'object' ? renderDecimal(value.exact) : value) as ConvertedValues[T] | undefined;
}

/** Converts the items of a list. Undefined when Terraform would reject it, which is reported. */
export function convertTexts(
  node: JsonNode,
  { attribute, expected = 'a list of strings' }: { readonly attribute: string; readonly expected?: string },
  report: Report,
): readonly string[] | undefined {
  if (node.kind !== 'list') {
    reportType(node, attribute, expected, report);
    return undefined;
  }
  const texts = node.items.flatMap(
    (item, i) => convert(item, { attribute: `${attribute}[${i}]`, type: 'text' }, report) ?? [],
  );
  return texts.length < node.items.length ? undefined : texts;
}

type ConvertedPart = string | boolean | { readonly [name: string]: ConvertedPart };

function partOf(
  node: JsonNode,
  attribute: string,
  type: ObjectType[string],
  report: Report,
): ConvertedPart | undefined {
  if (typeof type !== 'string') return convertObject(node, { attribute, types: type }, report);
  return convert(node, { attribute, type }, report);
}

/** Converts an object: attributes that are null are omitted, and numbers become decimal text. */
function convertObject(
  node: JsonNode,
  { attribute, types }: { readonly attribute: string; readonly types: ObjectType },
  report: Report,
): Readonly<Record<string, ConvertedPart>> | undefined {
  if (node.kind !== 'object') {
    reportType(node, attribute, 'an object', report);
    return undefined;
  }
  const given = node.members.filter((member) => !isNull(member.node));
  const parts = given.flatMap(({ name, at, node: value }): readonly (readonly [string, ConvertedPart])[] => {
    const type = Object.hasOwn(types, name) ? types[name] : undefined;
    if (type === undefined) reportUnknownAttribute({ name, at }, { known: Object.keys(types) }, report);
    const part = type === undefined ? undefined : partOf(value, `${attribute}.${name}`, type, report);
    return part === undefined ? [] : [[name, part]];
  });
  return parts.length < given.length ? undefined : Object.fromEntries(parts);
}

export const convertBudget = (node: JsonNode, attribute: string, report: Report): BudgetInput | undefined =>
  convertObject(node, { attribute, types: BUDGET_TYPES }, report);
