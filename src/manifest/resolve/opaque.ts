import type { Place } from '../../domain/index.ts';
import type { Held } from '../validate/fields.ts';
import type { Part } from '../validate/part.ts';
import type { Tree } from '../yaml/tree.ts';

function placesIn(node: Tree): readonly Place[] {
  if (node.kind === 'scalar') return node.opaque ? [node.place] : [];
  return node.kind === 'list' ? node.items.flatMap(placesIn) : node.entries.flatMap((entry) => placesIn(entry.node));
}

const inSection = (section: Readonly<Record<string, Held<unknown> | undefined>>): readonly Place[] =>
  Object.values(section).flatMap((held) => (held ? placesIn(held.node) : []));

/** Where values stand that came from the environment or a file: no text that is kept may hold them unasked. */
export const opaquePlaces = ({ gateway, ownership, defaults, keys, checks }: Part): readonly Place[] => [
  ...[gateway, ownership, defaults, ...keys.map(({ fields }) => fields)].flatMap(inSection),
  ...checks.flatMap(({ node }) => placesIn(node)),
];
