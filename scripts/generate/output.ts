import { compile, type JSONSchema } from 'json-schema-to-typescript';
import type { GeneratedFiles } from './generated-files.ts';
import { outputJsonSchema } from './output/envelopes.ts';

const NOTICE = '// Generated from the schema in scripts/generate/output by `npm run generate`. Do not edit.';

async function outputTypes(): Promise<string> {
  const schema = structuredClone(outputJsonSchema()) as JSONSchema;
  schema.title = 'CommandOutput';
  schema.description = 'The output of a command with `--format json`: `kind` names the command.';
  for (const [name, definition] of Object.entries<JSONSchema>(schema.$defs ?? {})) {
    // `Key`, `Fault` and others mean something else to a program.
    definition.title = name.endsWith('Output') ? name : `Output${name}`;
  }
  return compile(schema, 'CommandOutput', {
    bannerComment: NOTICE,
    additionalProperties: false,
    ignoreMinAndMaxItems: true,
    style: { singleQuote: true, printWidth: 120 },
  });
}

/** Writes schema/output.schema.json and src/library/gen/output.ts. */
export async function generateOutput(files: GeneratedFiles): Promise<void> {
  files.settle('schema/output.schema.json', `${JSON.stringify(outputJsonSchema(), null, 2)}\n`);
  files.settle('src/library/gen/output.ts', await outputTypes());
}
