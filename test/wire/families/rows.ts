import { describe, expect, it } from 'vitest';
import {
  type AnyFamily,
  type KnownMedia,
  type RequestDiagnostic,
  renderPath,
  requestDiagnostics,
} from '../../../src/wire/index.ts';

/** Values by path, `{ 'messages[0].role': 'user' }`; undefined takes the field away. */
type Patch = Readonly<Record<string, unknown>>;

/** The facts outside the body: a model in the endpoint's path, and the facts about files, by path. */
interface Outside {
  readonly model?: string;
  readonly files?: Readonly<Record<string, KnownMedia>>;
}

type Accepted = Patch | readonly [Patch, Outside];
/** A patch and the paths that are complained of, all of them. */
type Rejected = readonly [Patch, string | readonly string[], Outside?];

/** One row of a table of the contract. Nothing patched, its base is accepted too. */
interface Row extends Outside {
  /** The row of the contract: “`temperature`: number, 0-2”. */
  readonly title: string;
  readonly family: AnyFamily;
  readonly base: object;
  readonly accepts: readonly [Accepted, ...Accepted[]];
  readonly refuses: readonly [Rejected, ...Rejected[]];
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

/** Copies a value deeply, although the same object may occur in it twice. Bytes are shared. */
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

function issuesOf(row: Row, patch: Patch, { model = row.model, files = row.files }: Outside = {}) {
  return requestDiagnostics(row.family, patched(row.base, patch), { model, knownOf: ({ path }) => files?.[path] });
}

const shown = (patch: Patch): string =>
  `with ${JSON.stringify(patch, (_, value) => (value === undefined ? '(absent)' : value)).slice(0, 200)}`;

/** A message that helps a person: it gives more than the fact that something is wrong. */
function expectWords({ message }: RequestDiagnostic, where: string): void {
  expect(message, where).toMatch(/\S+ \S+/);
  expect(message, where).not.toMatch(/invalid input$|undefined|\[object/);
}

function judge(row: Row): void {
  expect(issuesOf(row, {}), 'as it is').toEqual([]);
  for (const accepted of row.accepts) {
    const [patch, outside] = Array.isArray(accepted) ? accepted : [accepted as Patch, undefined];
    expect(issuesOf(row, patch, outside), shown(patch)).toEqual([]);
  }
  for (const [patch, paths, outside] of row.refuses) {
    const issues = issuesOf(row, patch, outside);
    expect(
      issues.map(({ path }) => renderPath(path)),
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
