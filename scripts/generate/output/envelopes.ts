import * as z from 'zod';
import { KEY_KINDS } from './keys.ts';
import { PLAN_KINDS } from './plans.ts';
import { TOOL_KINDS } from './tools.ts';
import { USAGE_KINDS } from './usage.ts';
import { diagnostic, fault } from './values.ts';

/** The data of each command, by its kind. */
const OUTPUT_KINDS: Readonly<Record<string, z.ZodType>> = {
  ...KEY_KINDS,
  ...PLAN_KINDS,
  ...USAGE_KINDS,
  ...TOOL_KINDS,
};

const envelope = <K extends string>(kind: K, data: z.ZodType) =>
  z
    .object({
      kind: z.literal(kind),
      version: z.literal(1),
      data,
      diagnostics: z.array(diagnostic).describe('Diagnostics about the manifest.'),
      fault: fault.optional(),
    })
    .meta({ id: `${titleOf(kind)}Output` });

/** `keys-list` → `KeysList` */
const titleOf = (kind: string): string => kind.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());

const [first, ...others] = Object.entries(OUTPUT_KINDS).map(([kind, data]) => envelope(kind, data.nullable()));

const output = z.union([
  // The words on the command line named no command.
  envelope('command-line', z.null()),
  first as NonNullable<typeof first>,
  ...others,
]);

type JsonObject = Record<string, unknown>;

/** Fields may be added within a version, so a reader must accept what it does not know. */
function open(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(open);
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries(schema).filter(([name, value]) => name !== 'additionalProperties' || value !== false);
  return Object.fromEntries(entries.map(([name, value]) => [name, open(value)]));
}

/** The forms of a saved plan that only a function describes are those of text: names and codes. */
function nameCustom({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: JsonObject }): void {
  if (zodSchema._zod.def.type === 'custom') jsonSchema.type = 'string';
}

/** The JSON Schema of what every command prints with `--format json`. */
export const outputJsonSchema = (): JsonObject => ({
  ...(open(z.toJSONSchema(output, { io: 'input', unrepresentable: 'any', override: nameCustom })) as JsonObject),
  title: 'Output of Keyplane with --format json',
});
