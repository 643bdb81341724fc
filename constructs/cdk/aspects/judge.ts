import {
  type DeclaredKind,
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
type JudgedField = Exclude<(typeof KEY_RULES)[keyof typeof KEY_RULES]['field'], 'owner'>;

/** Only these fields are read: a rule judges one of them, and reading the others takes longer than judging it. */
function valuesOf(attributes: KeyAttributes, fields: readonly JudgedField[]): ReadonlyMap<JudgedField, unknown> {
  return new Map(
    fields.map((field) => {
      const row: FieldRow & { readonly kind: DeclaredKind } = KEY_FIELDS[field];
      return [field, readAttribute(row, attributes[row.terraform])];
    }),
  );
}

/** A synthesized key with these values, as a manifest would declare it. */
function keyWith(attributes: KeyAttributes, values: ReadonlyMap<JudgedField, unknown>): JudgedKey {
  const { name, enabled } = attributes;
  const isDisabled = enabled === false && !isIgnored(attributes, 'enabled');
  const known = [...values].filter(([, value]) => value !== undefined && value !== INVALID);
  return {
    name: typeof name === 'string' ? name : '',
    ...(isDisabled ? { enabled: false } : {}),
    ...Object.fromEntries(known),
  };
}

/** A synthesized key as a manifest would declare it, with nothing but these fields. */
export const judgedKey = (attributes: KeyAttributes, fields: readonly JudgedField[]): JudgedKey =>
  keyWith(attributes, valuesOf(attributes, fields));

/** The reasons why a field cannot be judged, or need not be. Undefined: it can. */
function obstacles(field: JudgedField, attributes: KeyAttributes, value: unknown): readonly string[] | undefined {
  const { terraform } = KEY_FIELDS[field];
  const attribute = attributes[terraform];
  if (isIgnored(attributes, terraform)) return [ignoredChanges(field)];
  if (attribute !== undefined && attribute !== null && hasUnresolved(attribute)) return [unresolvedValue(field)];
  return value === INVALID ? [] : undefined;
}

export const violationText = ({ fact, hint }: Violation): string => `${fact}.${hint === undefined ? '' : ` ${hint}`}`;

interface JudgedRule {
  readonly guardrails: Guardrails;
  readonly field: JudgedField;
}

const judgedRules = (guardrails: Guardrails): readonly JudgedRule[] =>
  keyRuleNames().flatMap((rule) => {
    const { [rule]: limit } = guardrails;
    const { field } = KEY_RULES[rule];
    return limit === undefined || field === 'owner' ? [] : [{ guardrails: { [rule]: limit }, field }];
  });

/** Returns the violations of a synthesized key. */
export type KeyJudge = (attributes: KeyAttributes, terms: JudgementTerms) => readonly string[];

/**
 * Judges synthesized keys by the rules that every front end shares. No rule judges a name, and most keys differ in their names alone:
 * equal settings are judged once.
 */
export function openKeyJudge(guardrails: Guardrails): KeyJudge {
  const rules = judgedRules(guardrails);
  const fields = [...new Set(rules.map(({ field }) => field))];
  const judged = new Map<string, readonly string[]>();
  const judge: KeyJudge = (attributes, terms) => {
    const values = valuesOf(attributes, fields);
    const key = keyWith(attributes, values);
    if (key.enabled === false) return [];
    const texts = rules.flatMap(
      ({ guardrails: rule, field }) =>
        obstacles(field, attributes, values.get(field)) ?? judgeKey(rule, key, terms).map(violationText),
    );
    return [...new Set(texts)];
  };
  return (attributes, terms) => {
    const { enabled, lifecycle } = attributes;
    const values = fields.map((field) => attributes[KEY_FIELDS[field].terraform]);
    const settings = JSON.stringify([terms.now, enabled, lifecycle, values]);
    const texts = judged.get(settings) ?? judge(attributes, terms);
    judged.set(settings, texts);
    return texts;
  };
}
