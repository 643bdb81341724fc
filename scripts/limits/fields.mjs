// The body of a family as a list of fields, each with its types and limits, from the JSON Schema of the body.
import { z } from 'zod';
import { alternativesOf, limitsOf, renderLimits, typesOf } from './bounds.mjs';

const hasLimits = (schema) => renderLimits(limitsOf(schema)) !== '';

/** The field whose value tells alternatives apart, where more than one of them is an object. */
function tagOf(alternatives) {
  const objects = alternatives.flatMap(({ properties }) => properties ?? []);
  if (objects.length < 2) return undefined;
  return objects.flatMap((fields) => Object.keys(fields).filter((name) => fields[name].const !== undefined))[0];
}

function* alternativesWithin(schema, path) {
  const alternatives = alternativesOf(schema);
  const tag = tagOf(alternatives);
  for (const alternative of alternatives) {
    const value = alternative.properties?.[tag]?.const;
    yield* within(alternative, path, { tag, condition: value && `for \`${tag}\` \`${value}\`` });
  }
}

function* fieldsWithin({ properties = {}, required = [] }, path, { tag, condition }) {
  for (const [name, schema] of Object.entries(properties)) {
    const field = path === '' ? name : `${path}.${name}`;
    const when = name === tag ? 'yes' : (condition ?? 'yes');
    yield { path: field, schema, required: required.includes(name) ? when : 'no' };
    yield* within(schema, field);
  }
}

function* itemsWithin(schema, path) {
  const isPlain = alternativesOf(schema).length === 0 && schema.type !== 'object';
  if ((isPlain || schema.description) && hasLimits(schema)) yield { path, schema, required: '' };
  yield* within(schema, path);
}

/** Every field inside of a value, once for each alternative that has it. */
function* within(schema, path, alternative = {}) {
  yield* alternativesWithin(schema, path);
  yield* fieldsWithin(schema, path, alternative);
  if (schema.items) yield* itemsWithin(schema.items, `${path}[]`);
  const { additionalProperties: others = {} } = schema;
  if (Object.keys(others).length > 0) yield* itemsWithin(others, `${path}.<name>`);
}

function requirement(fields) {
  const conditions = new Set(fields.map(({ required }) => required));
  if (conditions.size === 1) return fields[0].required;
  return conditions.has('yes') ? 'no' : [...conditions].filter((condition) => condition !== 'no').join(', ');
}

/** What several alternatives say of one field, as one. */
function merged(path, fields) {
  const schema = fields.length === 1 ? fields[0].schema : { anyOf: fields.map((field) => field.schema) };
  return { path, types: typesOf(schema), required: requirement(fields), limit: renderLimits(limitsOf(schema)) };
}

const isFile = ({ form, media }, path) =>
  form === 'multipart' && media.some(({ field }) => field.replace('[]', '') === path);

/** The fields of a family's body in the order of the contract: path, type, whether it is required, limit. */
export function fieldsOf(family) {
  const body = z.toJSONSchema(family.body, { unrepresentable: 'any', io: 'input' });
  const byPath = new Map();
  for (const field of within(body, '')) byPath.set(field.path, [...(byPath.get(field.path) ?? []), field]);
  return [...byPath].map(([path, fields]) => {
    const { types, ...row } = merged(path, fields);
    const type = types.join(' or ');
    return { ...row, type: isFile(family, path) ? type.replace('any', 'file') : type };
  });
}
