import { type Json, parseShallowJson } from '../../domain/index.ts';
import type { CheckRecorder } from '../check-module.ts';
import type { PatternEngine } from './schema-reader.ts';
import { evaluateSchema, matchPatterns, type PatternCase } from './within-deadline.ts';

/** Parses JSON. JSON in a Markdown fence, which models like to return, is not JSON. */
function tryParse(text: string): { readonly value: Json } | undefined {
  try {
    return { value: parseShallowJson(text) };
  } catch {
    return undefined;
  }
}

/** The results of the patterns of a schema that are known, and the cases that are not. */
interface PatternMemory {
  /** For the reader of schemas. A case that is not known is noted. */
  readonly engine: PatternEngine;
  /** Returns the cases that were noted since the last call. */
  readonly take: () => readonly PatternCase[];
  readonly learn: (cases: readonly PatternCase[], matches: readonly boolean[]) => void;
}

const caseId = ({ pattern, text }: PatternCase): string => JSON.stringify([pattern, text]);

/** The reader of schemas cannot wait for a pattern, so it reads again when the results are known. */
function openPatternMemory(): PatternMemory {
  const known = new Map<string, boolean>();
  let noted = new Map<string, PatternCase>();
  // `contains` ends at the first match, and `not` with a list at the first that is none: by turns, either asks for all in one go.
  let guess = false;
  const test = (each: PatternCase): boolean => {
    const result = known.get(caseId(each));
    if (result === undefined) noted.set(caseId(each), each);
    return result ?? guess;
  };
  const engineOf = (pattern: string, flags: string) => {
    const { source } = new RegExp(pattern, flags);
    return { source, flags, toString: () => `/${source}/${flags}`, test: (text: string) => test({ pattern, text }) };
  };
  return {
    engine: Object.assign(engineOf, { code: 'new RegExp' }),
    take() {
      const cases = [...noted.values()];
      noted = new Map();
      guess = !guess;
      return cases;
    },
    learn(cases, matches) {
      for (const [at, each] of cases.entries()) known.set(caseId(each), matches[at] === true);
    },
  };
}

const isObject = (value: Json): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

const shorten = (text: string): string => (text.length > 120 ? `${text.slice(0, 120)}…` : text);

/** Enough to see the fault; a long list of wrong elements has an error for each. */
const MOST_ERRORS = 5;

async function compile(schema: unknown, { engine }: Pick<PatternMemory, 'engine'> = openPatternMemory()) {
  const { compileSchema } = await import('./schema-reader.ts');
  return compileSchema(schema, engine);
}

/** Returns why a value is not a JSON Schema; undefined for a valid one. */
export async function schemaProblem(schema: unknown): Promise<string | undefined> {
  try {
    await compile(schema);
    return undefined;
  } catch (thrown) {
    return (thrown as Error).message;
  }
}

/** Returns why a value does not satisfy a schema; undefined if it does. */
async function problemOf(recorder: CheckRecorder, schema: unknown, value: Json): Promise<string | undefined> {
  const patterns = openPatternMemory();
  let compiled: Awaited<ReturnType<typeof compile>>;
  try {
    compiled = await compile(schema, patterns);
  } catch (thrown) {
    return `the schema is invalid: ${(thrown as Error).message}`;
  }
  const { ajv, satisfies } = compiled;
  for (;;) {
    const holds = evaluateSchema(recorder, () => satisfies(value));
    const cases = patterns.take();
    if (cases.length === 0) {
      const errors = satisfies.errors?.slice(0, MOST_ERRORS);
      return holds ? undefined : ajv.errorsText(errors, { dataVar: 'the value' });
    }
    patterns.learn(cases, await matchPatterns(recorder, 'a pattern of the schema', cases));
  }
}

/** Claims that a text is JSON that satisfies a schema; without a schema, that it is a JSON object. */
export async function claimJson(
  recorder: CheckRecorder,
  { text, what }: { readonly text: string; readonly what: string },
  schema?: unknown,
): Promise<void> {
  const parsed = tryParse(text);
  recorder.claim(`${what} is JSON`, parsed !== undefined, shorten(text));
  if (parsed === undefined) return;
  if (schema === undefined) {
    recorder.claim(`${what} is a JSON object`, isObject(parsed.value), shorten(text));
    return;
  }
  const problem = await problemOf(recorder, schema, parsed.value);
  recorder.claim(`${what} satisfies its schema`, problem === undefined, problem);
}

/** The format that a request demands, without the wrapping of each API. */
interface AnswerFormat {
  readonly type?: string | undefined;
  readonly schema?: unknown;
}

/** Claims that an answer has the requested format. */
export async function claimFormat(
  recorder: CheckRecorder,
  text: string,
  format: AnswerFormat | undefined,
): Promise<void> {
  if (format?.type === 'json_object') await claimJson(recorder, { text, what: 'the answer' });
  if (format?.type === 'json_schema') await claimJson(recorder, { text, what: 'the answer' }, format.schema);
}
