import { isSameValue } from '../codec/same-value.ts';
import { isObject, type TerraformObject, type TerraformValue, UNKNOWN } from '../codec/value.ts';
import type { PathStep } from '../codec/value-error.ts';
import { mapObjects, membersOf } from './nested.ts';
import { type Attribute, type AttributeTable, attributeType, listOf, typeOf } from './schema.ts';

type WithAttributes = { readonly attributes: AttributeTable };
type NestedAttribute = Exclude<Attribute, { readonly type: unknown }>;

/** Takes the prior element of a set that the configured object would leave unchanged. */
function takeUnchanged(
  attribute: NestedAttribute,
  configured: TerraformObject,
  left: TerraformObject[],
): TerraformObject | undefined {
  const type = typeOf(attribute);
  const at = left.findIndex((former) => isSameValue(plannedBySchema(attribute, configured, former), former, type));
  return at < 0 ? undefined : left.splice(at, 1)[0];
}

/** The configured objects, each completed by the schema. */
function plannedNested(attribute: NestedAttribute, configured: TerraformValue, prior: TerraformValue): TerraformValue {
  const left = Array.isArray(prior) ? prior.filter(isObject) : [];
  return mapObjects(configured, (member, at) => {
    if (attribute.nesting === 'set') return plannedBySchema(attribute, member, takeUnchanged(attribute, member, left));
    const former = membersOf(prior, attribute.nesting).find(([[step]]) =>
      typeof step === 'object' ? step.key === at : step === at,
    )?.[1];
    return plannedBySchema(attribute, member, former !== undefined && isObject(former) ? former : undefined);
  });
}

function plannedValue(
  attribute: Attribute,
  configured: TerraformValue,
  prior: TerraformValue | undefined,
): TerraformValue {
  if (attribute.isWriteOnly) return null;
  if (configured !== null)
    return 'type' in attribute ? configured : plannedNested(attribute, configured, prior ?? null);
  if (attribute.default !== undefined) return attribute.default;
  if (!attribute.set.endsWith('computed')) return null;
  return prior === undefined ? UNKNOWN : prior;
}

/**
 * Plans by the schema alone: the configured value, else the default, else the computed value, which is unknown for a new
 * object and unchanged for an existing one. Nested objects follow the same rule.
 */
export function plannedBySchema(
  { attributes }: WithAttributes,
  config: TerraformObject,
  prior?: TerraformObject,
): TerraformObject {
  const planned: Record<string, TerraformValue> = {};
  for (const [name, attribute] of listOf(attributes)) {
    planned[name] = plannedValue(attribute, config[name] ?? null, prior && (prior[name] ?? null));
  }
  return planned;
}

/** Paths in nested objects that require replacement. Elements of sets cannot be matched with their former ones. */
function nestedToReplace(
  attribute: NestedAttribute,
  prior: TerraformValue,
  planned: TerraformValue,
): readonly PathStep[][] {
  if (attribute.nesting === 'set') return [];
  const former = new Map(membersOf(prior, attribute.nesting).map(([steps, member]) => [JSON.stringify(steps), member]));
  return membersOf(planned, attribute.nesting).flatMap(([steps, member]) => {
    if (!isObject(member)) return [];
    const before = former.get(JSON.stringify(steps)) ?? null;
    return attributesToReplace(attribute, isObject(before) ? before : {}, member).map((path) => [...steps, ...path]);
  });
}

function mustReplace(attribute: Attribute, before: TerraformValue, after: TerraformValue): boolean {
  const { requiresReplace } = attribute;
  if (requiresReplace === undefined || isSameValue(before, after, attributeType(attribute))) return false;
  return requiresReplace === true || (before !== null && after !== null);
}

/** The paths of attributes whose new value requires replacing the object. */
export const attributesToReplace = (
  { attributes }: WithAttributes,
  prior: TerraformObject,
  planned: TerraformObject,
): readonly PathStep[][] =>
  listOf(attributes).flatMap(([name, attribute]) => {
    const [before, after] = [prior[name] ?? null, planned[name] ?? null];
    // Most attributes stay as they are.
    if (before === after) return [];
    if (mustReplace(attribute, before, after)) return [[name]];
    return 'type' in attribute ? [] : nestedToReplace(attribute, before, after).map((path) => [name, ...path]);
  });

/**
 * Separates the read-only attributes that `ignore_changes` names: core puts their values of the state into the configuration, and
 * then expects them in the plan. Every other value of a read-only attribute stays in the configuration, where it is an error.
 */
export function withoutIgnored(
  { attributes }: WithAttributes,
  config: TerraformObject,
  prior: TerraformObject = {},
): { readonly config: TerraformObject; readonly ignored: TerraformObject } {
  const names = listOf(attributes).flatMap(([name, attribute]) => {
    const configured = attribute.set === 'computed' ? (config[name] ?? null) : null;
    if (configured === null) return [];
    return isSameValue(configured, prior[name] ?? null, attributeType(attribute)) ? [name] : [];
  });
  if (names.length === 0) return { config, ignored: {} };
  const pick = (value: (name: string) => TerraformValue): TerraformObject =>
    Object.fromEntries(names.map((name) => [name, value(name)]));
  return { config: { ...config, ...pick(() => null) }, ignored: pick((name) => config[name] ?? null) };
}
