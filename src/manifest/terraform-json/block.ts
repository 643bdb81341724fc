import type { Place } from '../../domain/index.ts';
import type { Report } from '../../source/index.ts';
import { type Entry, type Fields, found, type Tree, tryFindEntry, tryFindNode } from '../yaml/tree.ts';

/** A block with its labels, as JSON nests them. */
export interface Block {
  readonly labels: readonly string[];
  /** Where the last label stands. */
  readonly at: Place;
  readonly body: Fields;
}

/** What is no more than a remark: every object of a body may hold one. */
const COMMENT = '//';

export const entriesOf = (body: Fields): readonly Entry[] => body.entries.filter(({ name }) => name !== COMMENT);

/** Every level may be one object, or a list of them. */
const partsOf = (node: Tree): readonly Tree[] => (node.kind === 'list' ? node.items.flatMap(partsOf) : [node]);

function reportNoBlock(node: Tree, report: Report): void {
  if (node.kind === 'scalar' && node.value === null) return;
  report.problem({
    code: 'manifest.wrong-type',
    at: node.place,
    message: 'Terraform wants a block here.',
    found: found(node),
    expected: 'an object',
    hint: 'Synthesize it again; nobody need edit it.',
  });
}

/** The blocks in a node, whose names are this many labels. */
export function blocksIn(node: Tree, labels: number, report: Report): readonly Block[] {
  const unfold = (at: Tree, left: number, so: Omit<Block, 'body'>): readonly Block[] =>
    partsOf(at).flatMap((part): readonly Block[] => {
      if (part.kind !== 'map') {
        reportNoBlock(part, report);
        return [];
      }
      if (left === 0) return [{ ...so, body: part }];
      return entriesOf(part).flatMap((entry) =>
        unfold(entry.node, left - 1, { labels: [...so.labels, entry.name], at: entry.at }),
      );
    });
  return unfold(node, labels, { labels: [], at: node.place });
}

/** The nested blocks of this name, such as `lifecycle`. */
export function nested(body: Fields, name: string, report: Report): readonly Fields[] {
  const entry = tryFindEntry(body, name);
  return entry ? blocksIn(entry.node, 0, report).map((block) => block.body) : [];
}

const textAt = (body: Fields, path: readonly string[]): string | undefined => {
  const node = tryFindNode(body, [COMMENT, ...path]);
  return node?.kind === 'scalar' && typeof node.value === 'string' ? node.value : undefined;
};

/** The path of the construct that wrote the block. */
export const constructOf = (body: Fields): string | undefined => textAt(body, ['metadata', 'path']);

/** What constructs of Keyplane say beside what Terraform understands. */
export const ownRemark = (body: Fields, name: string): Tree | undefined =>
  tryFindNode(body, [COMMENT, 'keyplane', name]);
