import { describe, expect, it } from 'vitest';
import { type AnyFamily, type KnownMedia, type RequestIssue, requestIssues } from '../../../src/wire/index.ts';

/** Values by path, `{ 'messages[0].role': 'user' }`; undefined takes the field away. */
type Patch = Readonly<Record<string, unknown>>;

/** What holds beside the body: a model that stands in the endpoint's path, and what is known of files, by path. */
interface Beside {
  readonly model?: string;
  readonly files?: Readonly<Record<string, KnownMedia>>;
}

type Accepted = Patch | readonly [Patch, Beside];
/** A patch and the paths that are complained of, all of them. */
type Refused = readonly [Patch, string | readonly string[], Beside?];

/** One row of a table of the contract. Nothing patched, its base is accepted too. */
interface Row extends Beside {
  /** As in the contract: “`temperature`: number, 0-2”. */
  readonly title: string;
  readonly family: AnyFamily;
  readonly base: object;
  readonly accepts: readonly [Accepted, ...Accepted[]];
  readonly refuses: readonly [Refused, ...Refused[]];
}

type Branch = Record<string | number, unknown>;

const partsOf = (path: string): readonly (string | number)[] =>
  [...path.matchAll(/\[(\d+)\]|([^.[\]]+)/g)].map(([, index, name]) =>
    index === undefined ? `${name}` : Number(index),
  );

function put(body: Branch, path: string, value: unknown): void {
  const parts = partsOf(path);
  let at = body;
  for (const [depth, part] of parts.slice(0, -1).entries()) {
    at[part] ??= typeof parts[depth + 1] === 'number' ? [] : {};
    at = at[part] as Branch;
  }
  const last = parts.at(-1) ?? '';
  if (value === undefined) delete at[last];
  else at[last] = value;
}

/** A copy that shares nothing with it, though the same object may stand in it twice. Bytes stay what they are. */
function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf);
  if (value === null || typeof value !== 'object' || value instanceof Uint8Array) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, copyOf(inner)]));
}

/** A copy of the body with some of its fields replaced. */
export function patched(base: object, patch: Patch): object {
  const body = copyOf(base) as Branch;
  for (const [path, value] of Object.entries(patch)) put(body, path, copyOf(value));
  return body;
}

function issuesOf(row: Row, patch: Patch, { model = row.model, files = row.files }: Beside = {}) {
  return requestIssues(row.family, patched(row.base, patch), { model, knownOf: ({ path }) => files?.[path] });
}

const shown = (patch: Patch): string =>
  `with ${JSON.stringify(patch, (_, value) => (value === undefined ? '(absent)' : value)).slice(0, 200)}`;

/** A message that a person can use: it says more than that something is wrong. */
function expectWords({ message }: RequestIssue, where: string): void {
  expect(message, where).toMatch(/\S+ \S+/);
  expect(message, where).not.toMatch(/invalid input$|undefined|\[object/);
}

function judge(row: Row): void {
  expect(issuesOf(row, {}), 'as it is').toEqual([]);
  for (const accepted of row.accepts) {
    const [patch, beside] = Array.isArray(accepted) ? accepted : [accepted as Patch, undefined];
    expect(issuesOf(row, patch, beside), shown(patch)).toEqual([]);
  }
  for (const [patch, paths, beside] of row.refuses) {
    const issues = issuesOf(row, patch, beside);
    expect(
      issues.map(({ path }) => path),
      shown(patch),
    ).toEqual([paths].flat());
    for (const issue of issues) expectWords(issue, shown(patch));
  }
}

/** One test for each row, named after it. */
export function describeRows(table: string, rows: readonly Row[]): void {
  describe(table, () => {
    for (const row of rows) it(row.title, () => judge(row));
  });
}
