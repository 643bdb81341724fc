import { Ajv } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { type Json, parseShallowJson } from '../../domain/index.ts';
import type { CheckRecorder } from '../check-module.ts';
import { evaluate } from './within-deadline.ts';

/** Parses JSON. JSON in a Markdown fence, which models like to return, is not JSON. */
function tryParse(text: string): { readonly value: Json } | undefined {
  try {
    return { value: parseShallowJson(text) };
  } catch {
    return undefined;
  }
}

const isObject = (value: Json): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

const shorten = (text: string): string => (text.length > 120 ? `${text.slice(0, 120)}…` : text);

/** Not strict: vendors have keywords and formats of their own. */
const OPTIONS = { strict: false, logger: false } as const;

/** Chooses the reader for the draft that a schema names. Drafts before the seventh are read as the seventh. */
function readerOf({ $schema: draft = '' }: { readonly $schema?: unknown }): Ajv {
  if (String(draft).includes('draft-0')) return new Ajv(OPTIONS);
  return String(draft).includes('2019-09') ? new Ajv2019(OPTIONS) : new Ajv2020(OPTIONS);
}

function compile(schema: unknown) {
  // The reader is chosen; it would reject the name of a draft that it does not know.
  const { $schema: draft, ...rules } = schema as { readonly $schema?: unknown };
  const ajv = readerOf({ $schema: draft });
  addFormats.default(ajv);
  return { ajv, satisfies: ajv.compile(typeof schema === 'boolean' ? schema : rules) };
}

/** Returns why a value is not a JSON Schema; undefined for a valid one. */
export function schemaProblem(schema: unknown): string | undefined {
  try {
    compile(schema);
    return undefined;
  } catch (thrown) {
    return (thrown as Error).message;
  }
}

/** Returns why a value does not satisfy a schema; undefined if it does. */
function problemOf(recorder: CheckRecorder, schema: unknown, value: Json): string | undefined {
  let compiled: ReturnType<typeof compile>;
  try {
    compiled = compile(schema);
  } catch (thrown) {
    return `the schema is invalid: ${(thrown as Error).message}`;
  }
  const { ajv, satisfies } = compiled;
  const holds = evaluate(recorder, 'a pattern of the schema', () => satisfies(value));
  return holds ? undefined : ajv.errorsText(satisfies.errors, { dataVar: 'the value' });
}

/** Claims that a text is JSON that satisfies a schema; without a schema, that it is a JSON object. */
export function claimJson(
  recorder: CheckRecorder,
  { text, what }: { readonly text: string; readonly what: string },
  schema?: unknown,
): void {
  const parsed = tryParse(text);
  recorder.claim(`${what} is JSON`, parsed !== undefined, shorten(text));
  if (parsed === undefined) return;
  if (schema === undefined) {
    recorder.claim(`${what} is a JSON object`, isObject(parsed.value), shorten(text));
    return;
  }
  const problem = problemOf(recorder, schema, parsed.value);
  recorder.claim(`${what} satisfies its schema`, problem === undefined, problem);
}

/** The format that a request demands, without the wrapping of each API. */
interface AnswerFormat {
  readonly type?: string | undefined;
  readonly schema?: unknown;
}

/** Claims that an answer has the requested format. */
export function claimFormat(recorder: CheckRecorder, text: string, format: AnswerFormat | undefined): void {
  if (format?.type === 'json_object') claimJson(recorder, { text, what: 'the answer' });
  if (format?.type === 'json_schema') claimJson(recorder, { text, what: 'the answer' }, format.schema);
}
