import { type Place, renderDecimal, tryParseDecimal } from '../../domain/index.ts';
import type { Entry, Fields, Scalar, Tree } from '../yaml/tree.ts';

/** Parts of a manifest, made where the Terraform JSON says the same in other words. */

export const isNothing = (node: Tree): boolean => node.kind === 'scalar' && node.value === null && !node.broken;

/** A value that stands where another one stood. */
export const scalarAt = (node: Pick<Tree, 'place' | 'range'>, value: Scalar['value']): Scalar => ({
  kind: 'scalar',
  value,
  source: String(value),
  opaque: false,
  broken: false,
  size: 1,
  place: node.place,
  range: node.range,
});

const sizeOf = (nodes: readonly Tree[]): number => nodes.reduce((sum, node) => sum + node.size, 1);

export function fieldsAt(place: Place, entries: readonly Entry[]): Fields {
  const nodes = entries.map(({ node }) => node);
  return {
    kind: 'map',
    entries,
    place,
    range: [0, 0],
    size: sizeOf(nodes),
    broken: nodes.some((node) => node.broken),
  };
}

export const listAt = (place: Place, items: readonly Tree[]): Tree => ({
  kind: 'list',
  items,
  place,
  range: [0, 0],
  size: sizeOf(items),
  broken: items.some((item) => item.broken),
});

/** Terraform makes a text of a number or a flag by itself; of 1.50 it makes 1.5. */
export function asText(node: Tree): Tree {
  if (node.kind !== 'scalar' || typeof node.value === 'string' || node.value === null) return node;
  const exact = typeof node.value === 'number' ? tryParseDecimal(node.source) : undefined;
  return { ...node, value: exact ? renderDecimal(exact) : node.source };
}

/** Without the members that are null, which say nothing. */
export const withoutNothing = (node: Tree): Tree =>
  node.kind === 'map' ? { ...node, entries: node.entries.filter((entry) => !isNothing(entry.node)) } : node;
