import {
  type DeclaredKind,
  FIELD_ROWS,
  type FieldName,
  type FieldRow,
  type Guardrails,
  type JudgedKey,
  type JudgementTerms,
  judgeKey,
  KEY_FIELDS,
  KEY_RULES,
  keyRuleNames,
  parseValue,
  type Violation,
} from '../../../src/domain/index.ts';
import { fromAttribute, readProp } from '../key/codec.ts';
import type { KeyAttributes } from '../stack/synthesized.ts';
import { hasUnresolved } from '../values/unresolved.ts';

/** A value that is invalid, which the validation of the key reports. */
const INVALID = Symbol('invalid');

function readAttribute<K extends DeclaredKind>(row: FieldRow & { readonly kind: K }, attribute: unknown): unknown {
  if (attribute === undefined || attribute === null) return undefined;
  const reading = readProp(row, fromAttribute(row, attribute));
  if (reading === 'unresolved' || 'errors' in reading) return INVALID;
  const { value } = parseValue(row, reading.input);
  return value === undefined ? INVALID : value;
}

/** Returns whether Terraform ignores changes of an attribute, which may then have any value. */
function isIgnored({ lifecycle }: KeyAttributes, attribute: string): boolean {
  const { ignore_changes: ignored } = (lifecycle ?? {}) as { readonly ignore_changes?: unknown };
  return ignored === 'all' || (Array.isArray(ignored) && ignored.includes(attribute));
}

const ignoredChanges = (field: string): string =>
  `Terraform ignores changes of its \`${field}\`, so anyone could lift the limit. Remove it from \`ignoreChanges\`.`;

const unresolvedValue = (field: string): string =>
  `\`${field}\` is known only to Terraform, so the guardrail cannot verify it. Write the value itself.`;

/** The fields that rules judge; constructs have no owner. */
const JUDGED = ['budget', 'expires', 'models', 'allowIps'] as const satisfies readonly FieldName[];

/** The values of a synthesized key as a manifest would declare them. */
export function judgedKey(attributes: KeyAttributes): JudgedKey {
  const fields = FIELD_ROWS.flatMap(([field, row]) => {
    const value = JUDGED.some((each) => each === field) ? readAttribute(row, attributes[row.terraform]) : undefined;
    return value === undefined || value === INVALID ? [] : [[field, value] as const];
  });
  const { name, enabled } = attributes;
  const isDisabled = enabled === false && !isIgnored(attributes, 'enabled');
  return {
    name: typeof name === 'string' ? name : '',
    ...(isDisabled ? { enabled: false } : {}),
    ...Object.fromEntries(fields),
  };
}

/** The reasons why a field cannot be judged, or need not be. Undefined: it can. */
function obstacles(field: (typeof JUDGED)[number], attributes: KeyAttributes): readonly string[] | undefined {
  const row: FieldRow & { readonly kind: DeclaredKind } = KEY_FIELDS[field];
  const attribute = attributes[row.terraform];
  if (isIgnored(attributes, row.terraform)) return [ignoredChanges(field)];
  if (attribute !== undefined && attribute !== null && hasUnresolved(attribute)) return [unresolvedValue(field)];
  return readAttribute(row, attribute) === INVALID ? [] : undefined;
}

export const violationText = ({ fact, hint }: Violation): string => `${fact}.${hint === undefined ? '' : ` ${hint}`}`;

/** Returns the violations of a synthesized key by the rules that every front end shares. */
export function judgeAttributes(
  guardrails: Guardrails,
  attributes: KeyAttributes,
  terms: JudgementTerms,
): readonly string[] {
  const key = judgedKey(attributes);
  const texts = keyRuleNames().flatMap((rule): readonly string[] => {
    const { [rule]: limit } = guardrails;
    const { field } = KEY_RULES[rule];
    if (limit === undefined || field === 'owner' || key.enabled === false) return [];
    return obstacles(field, attributes) ?? judgeKey({ [rule]: limit }, key, terms).map(violationText);
  });
  return [...new Set(texts)];
}
