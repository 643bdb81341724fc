import type { AnyRequest, AnyResponse } from '../gateway/index.ts';

/** A request and its answer without any value: what a bug report needs and nobody has to keep secret. */
export interface BundledExchange {
  readonly method: string;
  /** IDs are replaced by `N`. */
  readonly path: string;
  readonly query: readonly string[];
  readonly body: JsonShape | undefined;
  readonly status: number;
  readonly answer: JsonShape | undefined;
}

/** The form of a JSON value: names of members and types, no text and no number. */
export type JsonShape = string | readonly JsonShape[] | { readonly [member: string]: JsonShape };

const MOST_MEMBERS = 60;
const MOST_DEPTH = 6;
/** A name that may hold a value, such as a group or a key ID, is none. */
const NAME = /^[A-Za-z_][A-Za-z_]{0,40}$/;

export function shapeOf(value: unknown, depth = 0): JsonShape {
  if (Array.isArray(value))
    return depth >= MOST_DEPTH ? 'list' : value.slice(0, 1).map((item) => shapeOf(item, depth + 1));
  if (value === null) return 'null';
  if (typeof value !== 'object') return typeof value;
  if (depth >= MOST_DEPTH) return 'object';
  const members = Object.entries(value).slice(0, MOST_MEMBERS);
  return Object.fromEntries(
    members.map(([name, member]) => [NAME.test(name) ? name : '…', shapeOf(member, depth + 1)]),
  );
}

export const exchangeOf = (
  { method, path, query, body }: AnyRequest,
  { status, json }: AnyResponse,
): BundledExchange => ({
  method,
  path: path.replace(/\/\d+(?=\/|$)/g, '/N'),
  query: Object.keys(query ?? {}),
  body: body === undefined ? undefined : shapeOf(body),
  status,
  answer: json === undefined ? undefined : shapeOf(json),
});
