import { blankCredentials, type Place } from '../../domain/index.ts';
import { quoted, shorten } from '../../source/index.ts';

interface Positioned {
  readonly place: Place;
  /** Start and end in the file's text. */
  readonly range: readonly [number, number];
  /** Nodes in it, counted as often as aliases repeat them. */
  readonly size: number;
  /** Something in it could not be read, and was reported: its value means nothing. */
  readonly broken: boolean;
}

export interface Scalar extends Positioned {
  readonly kind: 'scalar';
  readonly value: string | number | boolean | null;
  /** As written, without quotes; references are not replaced. */
  readonly source: string;
  /** Its value came, in part, from the environment or a file: it is never shown. */
  readonly opaque: boolean;
}

export interface Entry {
  readonly name: string;
  readonly at: Place;
  readonly node: Tree;
}

export interface List extends Positioned {
  readonly kind: 'list';
  readonly items: readonly Tree[];
}

export interface Fields extends Positioned {
  readonly kind: 'map';
  /** In the order of the text. A name stands once, but for the names of `keys`. */
  readonly entries: readonly Entry[];
}

/** What a YAML document says, with places: aliases, merge keys and references are resolved. Aliased parts are shared. */
export type Tree = Scalar | List | Fields;

const plains = new WeakMap<Tree, unknown>();

/** The tree as plain data. Parts that aliases share are shared in it. A field named `__proto__` is a field. */
export function plain(node: Tree): unknown {
  if (node.kind === 'scalar') return node.value;
  if (!plains.has(node)) plains.set(node, node.kind === 'list' ? node.items.map(plain) : plainFields(node));
  return plains.get(node);
}

function plainFields(node: Fields): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  for (const { name, node: value } of node.entries) {
    Object.defineProperty(out, name, { value: plain(value), enumerable: true, configurable: true, writable: true });
  }
  return out;
}

export const tryFindEntry = (node: Tree, name: string): Entry | undefined =>
  node.kind === 'map' ? node.entries.find((entry) => entry.name === name) : undefined;

/** The node that a path of names and indexes leads to; undefined when there is none. */
export function tryFindNode(node: Tree, path: readonly PropertyKey[]): Tree | undefined {
  let at: Tree | undefined = node;
  for (const step of path) {
    if (at?.kind === 'list') at = at.items[Number(step)];
    else at = at && tryFindEntry(at, String(step))?.node;
  }
  return at;
}

/** What stands there, in words that may be printed: a value that came from elsewhere is shown as it was written. */
export function found(node: Tree): string {
  if (node.kind === 'list') return node.items.length === 0 ? 'an empty list' : `a list of ${node.items.length}`;
  if (node.kind === 'map') {
    const names = node.entries.map((entry) => entry.name).join(', ');
    return node.entries.length === 0 ? 'an empty map' : shorten(blankCredentials(`a map of ${names}`));
  }
  if (node.opaque) return quoted(node.source);
  if (node.value === null) return 'nothing';
  return typeof node.value === 'string' ? quoted(node.value) : shorten(node.source);
}
