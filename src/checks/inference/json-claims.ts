import { Ajv } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Json } from '../../domain/index.ts';
import type { CheckRecorder } from '../check-module.ts';

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

/** Not strict: vendors have keywords and formats of their own, which are theirs to judge. */
const OPTIONS = { strict: false, logger: false } as const;

/** By the draft that the schema names. What is older than the seventh draft is read as that. */
function readerOf({ $schema: draft = '' }: { readonly $schema?: unknown }): Ajv {
  if (String(draft).includes('draft-0')) return new Ajv(OPTIONS);
  return String(draft).includes('2019-09') ? new Ajv2019(OPTIONS) : new Ajv2020(OPTIONS);
}

function compiled(schema: Json) {
  // Which draft it is has been seen; a name that no reader knows would keep it from being read.
  const { $schema: draft, ...rules } = schema as { readonly $schema?: unknown };
  const ajv = readerOf({ $schema: draft });
  addFormats.default(ajv);
  return { ajv, satisfies: ajv.compile(typeof schema === 'boolean' ? schema : rules) };
}

/** What keeps a schema from being one; undefined: it can be read. */
export function schemaProblem(schema: Json): string | undefined {
  try {
    compiled(schema);
    return undefined;
  } catch (thrown) {
    return (thrown as Error).message;
  }
}

/** What keeps a value from satisfying a schema; undefined: it does. A schema that is none satisfies nothing. */
function problemOf(schema: Json, value: Json): string | undefined {
  try {
    const { ajv, satisfies } = compiled(schema);
    return satisfies(value) ? undefined : ajv.errorsText(satisfies.errors, { dataVar: 'the value' });
  } catch (thrown) {
    return `the schema can not be read: ${(thrown as Error).message}`;
  }
}

/** The text is JSON, of an object where that was asked for, and satisfies the schema if there is one. */
export function claimJson(
  recorder: CheckRecorder,
  { text, what }: { readonly text: string; readonly what: string },
  schema?: Json,
): void {
  const parsed = tryParse(text);
  recorder.claim(`${what} is JSON`, parsed !== undefined, shortened(text));
  if (parsed === undefined) return;
  if (schema === undefined) {
    recorder.claim(`${what} is a JSON object`, isObject(parsed.value), shortened(text));
    return;
  }
  const problem = problemOf(schema, parsed.value);
  recorder.claim(`${what} satisfies its schema`, problem === undefined, problem);
}

/** A format that a request asks its answer to have, without what each API wraps it into. */
interface AskedFormat {
  readonly type?: string | undefined;
  readonly schema?: Json | undefined;
}

/** The answer has the format that was asked for. */
export function claimFormat(recorder: CheckRecorder, text: string, format: AskedFormat | undefined): void {
  if (format?.type === 'json_object') claimJson(recorder, { text, what: 'the answer' });
  if (format?.type === 'json_schema') claimJson(recorder, { text, what: 'the answer' }, format.schema);
}
