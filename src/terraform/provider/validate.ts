import { isObject, isUnknown, type TerraformObject, type TerraformValue } from '../codec/value.ts';
import { type PathStep, renderPath } from '../codec/value-error.ts';
import { type DiagnosticContent, DiagnosticError, type ProtocolDiagnostic } from './diagnostics.ts';
import { membersOf } from './nested.ts';
import { nullElements } from './nulls.ts';
import { type Attribute, type AttributeTable, isBlock, listOf, type Schema } from './schema.ts';

type WithAttributes = { readonly attributes: AttributeTable };
type ValidatedSchema = Pick<Schema, 'attributes' | 'check'>;
type Steps = readonly PathStep[];

const named = (path: Steps): string => `\`${renderPath(path)}\``;

const readOnly = (path: Steps): DiagnosticContent => ({
  summary: `${named(path)} cannot be set: read-only`,
  detail: 'The provider sets it. Remove it from the configuration. The output of `state show` has such attributes too.',
  path,
});

const missing = (path: Steps): DiagnosticContent => ({
  summary: `${named(path)} must not be null`,
  detail: 'It is required. Set it to a value.',
  path,
});

const hasNull = (path: Steps, steps: Steps): DiagnosticContent => ({
  summary: `${named(path)} must not contain null`,
  detail: 'Remove null elements, for example with `[for each in … : each if each != null]`.',
  path: [...path, ...steps],
});

const nullsIn = (attribute: Attribute, value: TerraformValue): readonly Steps[] => {
  if ('type' in attribute) return nullElements(value, attribute.type);
  return membersOf(value, attribute.nesting).flatMap(([steps, member]) => (member === null ? [steps] : []));
};

function errorsInside(attribute: Attribute, value: TerraformValue, path: Steps): readonly DiagnosticContent[] {
  if ('type' in attribute) return [];
  const errors = membersOf(value, attribute.nesting).flatMap(([steps, member]) =>
    isObject(member) ? errorsIn(attribute, member, [...path, ...steps]) : [],
  );
  // Core has no path into a set.
  return attribute.nesting === 'set' ? errors.map((error) => ({ ...error, path })) : errors;
}

/** Names an attribute within another one: core shows the line of the outer one only. */
const located = (error: DiagnosticContent, path: Steps): DiagnosticContent => ({
  ...error,
  summary: path.length > 1 ? `${named(path)}: ${error.summary}` : error.summary,
  path: [...path, ...(error.path ?? [])],
});

const NONE: readonly DiagnosticContent[] = [];

/** Is a value without an error, as most are, before the check of its attribute sees it? */
const isOmitted = ({ set }: Attribute, value: TerraformValue): boolean =>
  value === null ? set !== 'required' : set !== 'computed' && isUnknown(value);

/** The check of an attribute sees only values that contain no other error. */
function errorsAt(attribute: Attribute, value: TerraformValue, path: Steps): readonly DiagnosticContent[] {
  if (attribute.set === 'computed') return [readOnly(path)];
  if (value === null) return [missing(path)];
  return attributeErrors(attribute, value, path).map((error) =>
    isBlock(attribute) ? { ...error, isInBlock: true } : error,
  );
}

function attributeErrors(attribute: Attribute, value: TerraformValue, path: Steps): readonly DiagnosticContent[] {
  const nulls = nullsIn(attribute, value).map((steps) => hasNull(path, steps));
  const broken = [...nulls, ...errorsInside(attribute, value, path)];
  if (broken.length > 0) return broken;
  return (attribute.check?.(value) ?? []).map((error) => located(error, path));
}

const errorsIn = (
  { attributes }: WithAttributes,
  object: TerraformObject,
  path: Steps = [],
): readonly DiagnosticContent[] =>
  listOf(attributes).flatMap(([name, attribute]) => {
    const value = object[name] ?? null;
    return isOmitted(attribute, value) ? NONE : errorsAt(attribute, value, [...path, name]);
  });

/** The configurations that broke no rule of a single attribute, by the attributes. Core has each validated twice. */
const validAttributes = new WeakMap<AttributeTable, WeakSet<TerraformObject>>();

function attributeErrorsIn(schema: ValidatedSchema, config: TerraformObject): readonly DiagnosticContent[] {
  const { attributes } = schema;
  if (validAttributes.get(attributes)?.has(config)) return NONE;
  const errors = errorsIn(schema, config);
  if (errors.length > 0) return errors;
  const valid = validAttributes.get(attributes) ?? new WeakSet();
  validAttributes.set(attributes, valid.add(config));
  return NONE;
}

function configErrors(
  schema: ValidatedSchema,
  config: TerraformObject,
  prior?: TerraformObject,
): readonly DiagnosticContent[] {
  const errors = attributeErrorsIn(schema, config);
  return errors.length > 0 ? errors : (schema.check?.(config, prior) ?? []);
}

/**
 * Applies the rules of a schema to a configuration: read-only attributes are not set, required ones are not null, no list,
 * set or map contains null, and the checks of the schema. What is unknown passes. Core itself has checked the types.
 */
export const validateConfig = (schema: ValidatedSchema, config: TerraformObject): readonly ProtocolDiagnostic[] =>
  configErrors(schema, config).map((error) => ({ severity: 'error', ...error }));

/** Applies the rules again to values that were unknown during validation. @throws DiagnosticError */
export function requireValid(
  schema: ValidatedSchema,
  config: TerraformObject,
  prior?: TerraformObject,
): TerraformObject {
  const errors = configErrors(schema, config, prior);
  if (errors.length > 0) throw new DiagnosticError(...errors);
  return config;
}
