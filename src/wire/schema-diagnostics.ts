import type * as z from 'zod';
import type { DiagnosticPath } from '../domain/index.ts';
import { type RequestDiagnostic, requestError } from './request-diagnostic.ts';

type Issue = z.core.$ZodIssue;

/** An issue of a schema with its alternatives settled. */
interface SettledIssue {
  readonly path: readonly PropertyKey[];
  readonly input: unknown;
  /** The accepted types or values. Omitted: something other than type or value is wrong. */
  readonly expected?: readonly string[];
  /** Is it a value of a list, such as the tag that distinguishes alternatives: `type: 'text'`? */
  readonly isListed?: boolean;
  readonly message?: string;
}

/** The types that zod names differently from people. */
const TYPE_NAMES: Readonly<Record<string, string>> = { int: 'integer', record: 'object', tuple: 'array' };

const quoted = (values: readonly unknown[]): readonly string[] => values.map((value) => JSON.stringify(value));

function plainIssue(issue: Issue): SettledIssue {
  const { path, input } = issue;
  if (issue.code === 'invalid_type') return { path, input, expected: [TYPE_NAMES[issue.expected] ?? issue.expected] };
  if (issue.code === 'invalid_value') return { path, input, expected: quoted(issue.values), isListed: true };
  if (issue.code === 'too_small' && issue.minimum === 1 && ['array', 'string'].includes(issue.origin)) {
    return { path, input, message: 'must not be empty' };
  }
  return { path, input, message: issue.message.charAt(0).toLowerCase() + issue.message.slice(1) };
}

const isOfOtherType = ({ path, expected }: SettledIssue): boolean => path.length === 0 && expected !== undefined;

/**
 * Selects, among the alternatives that a value fits by its type, the most likely one: its tag matches, and it has the
 * fewest issues. When the value fits none, returns one issue that names them all.
 */
function nearest(branches: readonly (readonly SettledIssue[])[], input: unknown): readonly SettledIssue[] {
  const fitting = branches.filter((issues) => !issues.some(isOfOtherType));
  const tags = new Set(
    fitting.flat().flatMap(({ isListed, path }) => (isListed && path.length === 1 ? [path[0]] : [])),
  );
  const distance = (issues: readonly SettledIssue[]): number =>
    issues.length + 1000 * issues.filter(({ path }) => path.length === 1 && tags.has(path[0])).length;
  const [best] = [...fitting].sort((a, b) => distance(a) - distance(b));
  const names = new Set(branches.flat().flatMap((issue) => (isOfOtherType(issue) ? issue.expected : []) ?? []));
  return best ?? [{ path: [], input, expected: [...names] }];
}

/** Converts an issue of tagged alternatives, none of which has the tag. */
interface UnknownTag {
  readonly discriminator?: string | undefined;
  readonly options?: readonly unknown[] | undefined;
  readonly path: readonly PropertyKey[];
  readonly input?: unknown;
}

const unknownTag = ({ discriminator = '', options = [], path, input }: UnknownTag): SettledIssue => ({
  path,
  input: (input as Readonly<Record<string, unknown>>)[discriminator],
  expected: quoted(options),
  isListed: true,
});

/** Replaces an issue of a union by the issue inside: “invalid input” is not informative. */
function settledIssues(issue: Issue): readonly SettledIssue[] {
  if (issue.code !== 'invalid_union' || issue.input === undefined) return [plainIssue(issue)];
  if (issue.errors.length === 0) return [unknownTag(issue)];
  const branches = issue.errors.map((branch) => branch.flatMap(settledIssues));
  return nearest(branches, issue.input).map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }));
}

const choiceOf = (names: readonly string[]): string =>
  names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;

/** Shows numbers, which help; other values may be long, or private. */
function received(value: unknown): string {
  if (value === null || typeof value === 'number') return String(value);
  return Array.isArray(value) ? 'array' : typeof value;
}

function messageOf({ input, expected, message = 'is invalid' }: SettledIssue): string {
  if (input === undefined) return 'is missing';
  return expected ? `expected ${choiceOf(expected)}, received ${received(input)}` : message;
}

const stepsOf = (path: readonly PropertyKey[]): DiagnosticPath =>
  path.map((step) => (typeof step === 'number' ? step : String(step)));

/** Words what a schema rejects, for people. Needs issues that hold their input (`reportInput`). */
export const schemaDiagnostics = (error: z.core.$ZodError): readonly RequestDiagnostic[] =>
  error.issues.flatMap(settledIssues).map((issue) => requestError(stepsOf(issue.path), messageOf(issue)));
