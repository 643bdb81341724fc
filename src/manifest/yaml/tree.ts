import { blankCredentials, type Place } from '../../domain/index.ts';
import { quoted, shorten } from '../../source/index.ts';

interface Positioned {
  readonly place: Place;
  /** Start and end in the file's text. */
  readonly range: readonly [number, number];
  /** The number of nodes below it, counted as often as aliases repeat them. */
  readonly size: number;
  /** Part of it could not be read and was reported, so its value must not be used. */
  readonly broken: boolean;
}

export interface Scalar extends Positioned {
  readonly kind: 'scalar';
  readonly value: string | number | boolean | null;
  /** The text in the file, without quotes; references are not replaced. */
  readonly source: string;
  /** Does the value come, at least in part, from the environment or a file? Then it is never shown. */
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
  /** In the order of the text. A name occurs once, except in `keys`. */
  readonly entries: readonly Entry[];
}

/** A YAML document with places: aliases, merge keys and references are resolved. Aliased parts are shared. */
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

/** Returns the node at a path of names and indexes, or undefined. */
export function tryFindNode(node: Tree, path: readonly PropertyKey[]): Tree | undefined {
  let at: Tree | undefined = node;
  for (const step of path) {
    if (at?.kind === 'list') at = at.items[Number(step)];
    else at = at && tryFindEntry(at, String(step))?.node;
  }
  return at;
}

/** Describes a node in words that may be printed: a value from the environment is shown as its reference. */
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
