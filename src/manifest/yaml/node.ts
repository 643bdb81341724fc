import {
  blankCredentials,
  type Decimal,
  decimalOf,
  type Place,
  renderDecimal,
  tryParseDecimal,
} from '../../domain/index.ts';
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

export interface ScalarNode extends Positioned {
  readonly kind: 'scalar';
  readonly value: string | number | boolean | null;
  /** The text in the file, without quotes; references are not replaced. */
  readonly source: string;
  /** Does the value come, at least in part, from the environment or a file? Then it is never shown. */
  readonly isReferenced: boolean;
}

export interface Entry {
  readonly name: string;
  readonly at: Place;
  readonly node: YamlNode;
}

export interface ListNode extends Positioned {
  readonly kind: 'list';
  readonly items: readonly YamlNode[];
}

export interface MapNode extends Positioned {
  readonly kind: 'map';
  /** In the order of the text. A name occurs once, except in `keys`. */
  readonly entries: readonly Entry[];
}

/** A YAML document with places: aliases, merge keys and references are resolved. Aliased parts are shared. */
export type YamlNode = ScalarNode | ListNode | MapNode;

/** Parses the exact number of a scalar: `0.10`, `1e3`, `.5`, `0x1F`. A float would round it. */
function tryParseExact(source: string): Decimal | undefined {
  const text = source.trim();
  if (/^[+-]?0[xo][0-9a-fA-F]+$/.test(text)) return { digits: BigInt(text.replace('+', '')), scale: 0 };
  return tryParseDecimal(text.replace(/^([+-]?)\./, '$10.').replace(/\.(?=$|[eE])/, ''));
}

/** Returns the digits of a number that JavaScript would round; undefined for other scalars. */
export function roundedDigits({ value, source }: ScalarNode): string | undefined {
  if (typeof value !== 'number') return undefined;
  const exact = tryParseExact(source);
  if (exact === undefined) return source;
  const digits = renderDecimal(exact);
  return Number.isFinite(value) && digits === renderDecimal(decimalOf(value)) ? undefined : digits;
}

type Leaf = (node: ScalarNode) => unknown;

/** Converts a node to plain data. Parts that aliases share are shared in it. A field named `__proto__` is a field. */
function convert(node: YamlNode, leaf: Leaf, shared: Map<YamlNode, unknown>): unknown {
  if (node.kind === 'scalar') return leaf(node);
  if (!shared.has(node)) {
    const items = node.kind === 'list' ? node.items.map((item) => convert(item, leaf, shared)) : undefined;
    shared.set(node, items ?? convertMap(node as MapNode, leaf, shared));
  }
  return shared.get(node);
}

function convertMap({ entries }: MapNode, leaf: Leaf, shared: Map<YamlNode, unknown>): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  for (const { name, node } of entries) {
    const value = convert(node, leaf, shared);
    Object.defineProperty(out, name, { value, enumerable: true, configurable: true, writable: true });
  }
  return out;
}

/** The node as plain data. */
export const plain = (node: YamlNode): unknown => convert(node, ({ value }) => value, new Map());

/** The node as plain data, with the digits of numbers that JavaScript would round as strings. */
export const exactData = (node: YamlNode): unknown =>
  convert(node, (leaf) => roundedDigits(leaf) ?? leaf.value, new Map());

/** Does any value in it come from the environment or a file? Then the node is never shown. */
export function hasReferences(node: YamlNode): boolean {
  if (node.kind === 'scalar') return node.isReferenced;
  return node.kind === 'list'
    ? node.items.some(hasReferences)
    : node.entries.some((entry) => hasReferences(entry.node));
}

export const tryFindEntry = (node: YamlNode, name: string): Entry | undefined =>
  node.kind === 'map' ? node.entries.find((entry) => entry.name === name) : undefined;

/** Returns the node at a path of names and indexes, or undefined. */
export function tryFindNode(node: YamlNode, path: readonly PropertyKey[]): YamlNode | undefined {
  let at: YamlNode | undefined = node;
  for (const step of path) {
    if (at?.kind === 'list') at = at.items[Number(step)];
    else at = at && tryFindEntry(at, String(step))?.node;
  }
  return at;
}

/** Describes a node in words that may be printed: a value from the environment is shown as its reference. */
export function describeNode(node: YamlNode): string {
  if (node.kind === 'list') return node.items.length === 0 ? 'an empty list' : `a list of ${node.items.length}`;
  if (node.kind === 'map') {
    const names = node.entries.map((entry) => entry.name).join(', ');
    return node.entries.length === 0 ? 'an empty map' : shorten(blankCredentials(`a map of ${names}`));
  }
  if (node.isReferenced) return quoted(node.source);
  if (node.value === null) return 'nothing';
  return typeof node.value === 'string' ? quoted(node.value) : shorten(node.source);
}
