import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Json } from '../../domain/index.ts';
import type { Examination } from '../module.ts';

/** Models like to wrap JSON into a fence of Markdown; who asked for JSON can not read that. */
function tryParse(text: string): { readonly value: Json } | undefined {
  try {
    return { value: JSON.parse(text) as Json };
  } catch {
    return undefined;
  }
}

const isObject = (value: Json): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

const shortened = (text: string): string => (text.length > 120 ? `${text.slice(0, 120)}…` : text);

/** What keeps a value from satisfying a schema; undefined: it does. A schema that is none satisfies nothing. */
function problemOf(schema: Json, value: Json): string | undefined {
  const options = { strict: false, allErrors: false } as const;
  const draft7 = String((schema as { $schema?: unknown } | null)?.$schema ?? '').includes('draft-0');
  const ajv = draft7 ? new Ajv(options) : new Ajv2020(options);
  addFormats.default(ajv as Ajv);
  try {
    const satisfies = ajv.compile(schema as object);
    return satisfies(value) ? undefined : ajv.errorsText(satisfies.errors, { dataVar: 'the value' });
  } catch (thrown) {
    return `the schema can not be read: ${(thrown as Error).message}`;
  }
}

/** The text is JSON, of an object where that was asked for, and satisfies the schema if there is one. */
export function claimJson(
  exam: Examination,
  { text, what }: { readonly text: string; readonly what: string },
  schema?: Json,
): void {
  const parsed = tryParse(text);
  exam.claim(`${what} is JSON`, parsed !== undefined, shortened(text));
  if (parsed === undefined) return;
  if (schema === undefined) {
    exam.claim(`${what} is a JSON object`, isObject(parsed.value), shortened(text));
    return;
  }
  const problem = problemOf(schema, parsed.value);
  exam.claim(`${what} satisfies its schema`, problem === undefined, problem);
}
