import { blankCredentials, type Place } from '../../domain/index.ts';
import { quoted, shorten } from '../../source/index.ts';

interface Positioned {
  readonly place: Place;
  /** Start and end in the text of the file. */
  readonly range: readonly [number, number];
}

/** A member of an object; `at` is the place of its name. */
export interface JsonMember {
  readonly name: string;
  readonly at: Place;
  readonly node: JsonNode;
}

/** A number keeps its digits. */
export type JsonScalar =
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'number'; readonly source: string }
  | { readonly kind: 'literal'; readonly value: boolean | null };

export type JsonObjectNode = Positioned & { readonly kind: 'object'; readonly members: readonly JsonMember[] };

/** JSON with the place of each value; names of members are unique. */
export type JsonNode =
  | (Positioned & JsonScalar)
  | (Positioned & { readonly kind: 'list'; readonly items: readonly JsonNode[] })
  | JsonObjectNode;

export const isNull = (node: JsonNode): boolean => node.kind === 'literal' && node.value === null;

export const stringIn = (node: JsonNode | undefined): string | undefined =>
  node?.kind === 'string' ? node.value : undefined;

export const tryFindMember = (node: JsonNode | undefined, name: string): JsonMember | undefined =>
  node?.kind === 'object' ? node.members.find((member) => member.name === name) : undefined;

/** The item or the member with this index or name. */
export const tryStep = (node: JsonNode, step: string | number): JsonNode | undefined =>
  node.kind === 'list' ? node.items[Number(step)] : tryFindMember(node, String(step))?.node;

/** The node at the end of a path of names; undefined when there is none. */
export const tryFindNode = (node: JsonNode, path: readonly string[]): JsonNode | undefined =>
  path.reduce<JsonNode | undefined>((at, name) => tryFindMember(at, name)?.node, node);

/** Every value in a node, the node itself too. The name is that of a member, else empty. */
export function* valuesIn(node: JsonNode, name = ''): Generator<readonly [node: JsonNode, name: string]> {
  yield [node, name];
  if (node.kind === 'list') for (const item of node.items) yield* valuesIn(item);
  if (node.kind === 'object') for (const member of node.members) yield* valuesIn(member.node, member.name);
}

/** Describes a value for a diagnostic. */
export function describe(node: JsonNode): string {
  if (node.kind === 'string') return quoted(node.value);
  if (node.kind === 'number') return shorten(node.source);
  if (node.kind === 'literal') return String(node.value);
  if (node.kind === 'list') return node.items.length === 0 ? 'an empty list' : `a list of ${node.items.length}`;
  const names = node.members.map(({ name }) => name).join(', ');
  return names === '' ? 'an empty object' : shorten(blankCredentials(`an object with ${names}`));
}
