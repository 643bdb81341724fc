import { Ajv, type CodeOptions, type Options } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

/** Evaluates the patterns of a schema. */
export type PatternEngine = NonNullable<CodeOptions['regExp']>;

/**
 * Not strict: vendors have keywords and formats of their own. All errors: a reader that ends at the first one asks for the
 * patterns of a list one by one.
 */
const OPTIONS: Options = { strict: false, logger: false, allErrors: true };

/** Chooses the reader for the draft that a schema names. Drafts before the seventh are read as the seventh. */
function readerOf({ $schema: draft = '' }: { readonly $schema?: unknown }, options: Options): Ajv {
  if (String(draft).includes('draft-0')) return new Ajv(options);
  return String(draft).includes('2019-09') ? new Ajv2019(options) : new Ajv2020(options);
}

/**
 * Compiles a schema. This module is loaded with the first one: most checks have none, and its packages are large.
 *
 * @throws Error if it is not a JSON Schema
 */
export function compileSchema(schema: unknown, engine: PatternEngine) {
  // The reader is chosen; it would reject the name of a draft that it does not know.
  const { $schema: draft, ...rules } = schema as { readonly $schema?: unknown };
  const ajv = readerOf({ $schema: draft }, { ...OPTIONS, code: { regExp: engine } });
  addFormats.default(ajv);
  return { ajv, satisfies: ajv.compile(typeof schema === 'boolean' ? schema : rules) };
}
