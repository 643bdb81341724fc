import * as z from 'zod';
import type { Json } from '../../domain/index.ts';
import { manifestSchema } from './manifest.ts';
import { VERBATIM } from './scalar.ts';

type JsonSchema = { [member: string]: unknown };

export interface JsonSchemaOptions {
  /** Also accept `${env:NAME}` and `${file:path}` wherever a text has a form, as in the text before replacement. */
  readonly references?: boolean;
}

const REFERENCE = {
  type: 'string',
  pattern: '(^|[^$])\\$\\{(env|file):[^}]+\\}',
  description: 'A text with ${env:NAME} or ${file:path}, which is replaced when the manifest is read.',
};

const MARK = 'x-reference';

const isRestricted = (schema: JsonSchema): boolean =>
  schema.type === 'string' && ['pattern', 'enum', 'const', 'minLength', 'maxLength'].some((word) => word in schema);

/** Wraps a schema of restricted text so that a reference is accepted in its place. */
function acceptReference(schema: JsonSchema): void {
  const { description, ...own } = schema;
  for (const member of Object.keys(schema)) delete schema[member];
  Object.assign(schema, description === undefined ? {} : { description }, {
    anyOf: [own, { $ref: '#/$defs/Reference' }],
    [MARK]: true,
  });
}

/** One alternative for references is enough: those of nested alternatives move up. */
function hoistReferences(schema: JsonSchema): void {
  const options = schema.anyOf as JsonSchema[];
  if (!options.some((option) => option[MARK])) return;
  const own = options.flatMap((option) => (option[MARK] ? (option.anyOf as JsonSchema[]).slice(0, 1) : [option]));
  schema.anyOf = [...own, { $ref: '#/$defs/Reference' }];
  schema[MARK] = true;
}

function withoutMarks(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutMarks);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([member]) => member !== MARK && member !== VERBATIM)
      .map(([member, inner]) => [member, withoutMarks(inner)]),
  );
}

/**
 * The JSON Schema (2020-12) of a manifest file as it is written, made from the schema that validates it.
 *
 * JSON Schema cannot express the rules between fields, between keys and between files: duplicate names, renames, scopes,
 * canonical ranges, real dates, bytes of a name.
 */
export function manifestJsonSchema({ references = true }: JsonSchemaOptions = {}): Json {
  const schema = z.toJSONSchema(manifestSchema(), {
    io: 'input',
    override: ({ jsonSchema, path }) => {
      const node = jsonSchema as JsonSchema;
      // References are not replaced in the names of maps.
      if (!references || path.at(-1) === 'propertyNames') return;
      if (node[VERBATIM]) node.not = { type: 'string', pattern: REFERENCE.pattern };
      else if (isRestricted(node)) acceptReference(node);
      else if (Array.isArray(node.anyOf)) hoistReferences(node);
    },
  }) as JsonSchema;
  if (references) schema.$defs = { ...(schema.$defs as JsonSchema), Reference: REFERENCE };
  return withoutMarks(schema) as Json;
}
