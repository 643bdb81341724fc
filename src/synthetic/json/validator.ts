import type { Ajv } from 'ajv';
import type { RunLimited } from './time-limit.ts';
import { UnsatisfiableSchema } from './unsatisfiable-schema.ts';

export type Validate = (value: unknown) => boolean;

type Validators = Pick<Ajv, 'compile' | 'removeSchema'>;

const OPTIONS = { strict: false, logger: false } as const;

interface Dialect {
  /** Matches its `$schema`. */
  readonly named: RegExp;
  readonly load: () => Promise<Validators>;
}

// A CommonJS package has only a default export when a bundle imports it dynamically.
async function withFormats(ajv: Ajv): Promise<Validators> {
  const { default: formats } = await import('ajv-formats');
  formats.default(ajv);
  return ajv;
}

/** A schema without `$schema` is compiled in the first dialect that accepts it. */
const DIALECTS: readonly Dialect[] = [
  {
    named: /\/2020-12\/schema#?$/,
    load: async () => withFormats(new (await import('ajv/dist/2020.js')).default.Ajv2020(OPTIONS)),
  },
  {
    named: /\/draft-0[67]\/schema#?$/,
    load: async () => withFormats(new (await import('ajv')).default.Ajv(OPTIONS)),
  },
  {
    named: /\/2019-09\/schema#?$/,
    load: async () => withFormats(new (await import('ajv/dist/2019.js')).default.Ajv2019(OPTIONS)),
  },
];

/** Ajv remembers identifiers, which would conflict with the next schema that has the same one. */
const hasIdentifier = (schema: object): boolean => /"\$(id|anchor|dynamicAnchor)":/.test(JSON.stringify(schema));

/** Compiles schemas. */
export interface SchemaCompiler {
  /**
   * Compiles a schema of draft 6, 7, 2019-09 or 2020-12. Nothing is fetched: a `$ref` must lead to the same schema.
   *
   * @throws UnsatisfiableSchema when the schema is not valid in any of these.
   */
  compile(schema: { readonly $schema?: unknown }): Promise<Validate>;
}

/** Opens a compiler that keeps one validator for each dialect: its first schema takes ten times as long as later ones. */
export function openSchemaCompiler(runLimited: RunLimited): SchemaCompiler {
  const loaded = new Map<Dialect, Promise<Validators>>();
  const validatorsOf = (dialect: Dialect, schema: object): Promise<Validators> => {
    if (hasIdentifier(schema)) return dialect.load();
    const validators = loaded.get(dialect) ?? dialect.load();
    loaded.set(dialect, validators);
    return validators;
  };
  return {
    async compile({ $schema, ...schema }) {
      const dialects = DIALECTS.filter(({ named }) => $schema === undefined || named.test(String($schema)));
      let first: unknown = new Error(`${String($schema)} is not a supported dialect`);
      for (const [index, dialect] of dialects.entries()) {
        try {
          const validators = await validatorsOf(dialect, schema);
          const validate = runLimited(() => compileWith(validators, schema));
          return (value) => runLimited(() => validate(value));
        } catch (thrown) {
          // What was interrupted may be left in any state.
          if (thrown instanceof UnsatisfiableSchema) loaded.delete(dialect);
          if (thrown instanceof UnsatisfiableSchema) throw thrown;
          if (index === 0) first = thrown;
        }
      }
      const reason = first instanceof Error ? first.message : String(first);
      throw new UnsatisfiableSchema(`The schema cannot be used: ${reason}`, { cause: first });
    },
  };
}

function compileWith(validators: Validators, schema: object): Validate {
  try {
    const validate = validators.compile(schema);
    return (value) => validate(value) === true;
  } finally {
    validators.removeSchema(schema);
  }
}
