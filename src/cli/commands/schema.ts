import { manifestJsonSchema } from '../../manifest/index.ts';
import { EXIT } from '../output/exit-codes.ts';
import type { Result } from '../program/command.ts';

/** The JSON Schema of the manifest. */
export async function schemaAction(): Promise<Result> {
  const schema = manifestJsonSchema();
  return { exit: EXIT.done, data: schema, text: JSON.stringify(schema, null, 2) };
}
