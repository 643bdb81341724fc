import type { z } from 'zod';
import { type RequestIssue, renderPath } from './request-issue.ts';

type Issue = z.core.$ZodIssue;

/** Of a union whose alternatives are told apart by the value of one field; no alternative has this one. */
interface Tagged {
  readonly discriminator?: string | undefined;
  readonly options?: readonly unknown[] | undefined;
  readonly path: PropertyKey[];
  readonly input?: unknown;
}

/** What zod calls otherwise than people do. */
const TYPE_NAMES: Readonly<Record<string, string>> = { int: 'integer', record: 'object', tuple: 'array' };

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** What would have been right: a type, or values. Undefined: something else is wrong than type or value. */
function expectedBy(issue: Issue): readonly string[] | undefined {
  if (issue.code === 'invalid_type') return [TYPE_NAMES[issue.expected] ?? issue.expected];
  return issue.code === 'invalid_value' ? issue.values.map((value) => JSON.stringify(value)) : undefined;
}

const choiceOf = (names: readonly string[]): string =>
  names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;

/** A number of the wrong kind says more when it is shown; other values may be long, or private. */
const received = (value: unknown): string => (typeof value === 'number' ? String(value) : kindOf(value));

function messageOf(issue: Issue): string {
  if (issue.input === undefined) return 'is missing';
  const expected = expectedBy(issue);
  if (expected) return `expected ${choiceOf(expected)}, received ${received(issue.input)}`;
  if (issue.code === 'too_small' && issue.minimum === 1 && ['array', 'string'].includes(issue.origin)) {
    return 'must not be empty';
  }
  return issue.message.charAt(0).toLowerCase() + issue.message.slice(1);
}

const isAtRoot = ({ path }: Issue): boolean => path.length === 0;

/** None of the branches is even of the right type: one issue that names them all. */
function noBranch(branches: readonly (readonly Issue[])[], input: unknown): Issue {
  const names = new Set(branches.flat().flatMap((issue) => expectedBy(issue) ?? []));
  const message = `expected ${choiceOf([...names])}, received ${received(input)}`;
  return { code: 'custom', path: [], message, input };
}

/**
 * Of the alternatives that a value fits by its type, the one that it was most likely meant to be: its tag (`type: 'text'`)
 * is right, and the fewest things are wrong.
 */
function bestBranch(branches: readonly (readonly Issue[])[], input: unknown): readonly Issue[] {
  const fitting = branches.filter((issues) => !issues.some((issue) => isAtRoot(issue) && expectedBy(issue)));
  const tags = new Set(
    fitting.flat().flatMap(({ code, path }) => (code === 'invalid_value' && path.length === 1 ? [path[0]] : [])),
  );
  const distance = (issues: readonly Issue[]): number =>
    issues.length + 1000 * issues.filter(({ path }) => path.length === 1 && tags.has(path[0])).length;
  const [best] = [...fitting].sort((a, b) => distance(a) - distance(b));
  return best ?? [noBranch(branches, input)];
}

/** A tag of no alternative, told at the tag itself. */
function unknownTag({ discriminator = '', options = [], path, input }: Tagged): Issue {
  const tag = (input as Readonly<Record<string, unknown>>)[discriminator];
  return { code: 'invalid_value', values: [...options] as string[], path, input: tag, message: '' };
}

/** An issue as what is wrong inside of it: “invalid input” of a union says nothing. */
function opened(issue: Issue): readonly Issue[] {
  if (issue.code !== 'invalid_union' || issue.input === undefined) return [issue];
  if (issue.errors.length === 0) return [unknownTag(issue)];
  const branches = issue.errors.map((branch) => branch.flatMap(opened));
  return bestBranch(branches, issue.input).map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }));
}

/** What a schema finds wrong, in words for people. Wants issues that hold their input (`reportInput`). */
export const schemaIssues = (error: z.core.$ZodError): readonly RequestIssue[] =>
  error.issues.flatMap(opened).map((issue) => ({ path: renderPath(issue.path), message: messageOf(issue) }));
