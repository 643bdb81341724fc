import type { Place } from '../../domain/index.ts';
import type { Report } from '../../source/index.ts';
import {
  describe,
  isNull,
  type JsonMember,
  type JsonNode,
  type JsonObjectNode,
  stringIn,
  tryFindMember,
  tryFindNode,
} from '../json/node.ts';

/** A block with its labels, as JSON nests them. */
export interface Block {
  readonly labels: readonly string[];
  /** The place of the last label. */
  readonly at: Place;
  readonly body: JsonObjectNode;
}

/** A comment, which any object of a body may have. */
const COMMENT = '//';

export const membersOf = (body: JsonObjectNode): readonly JsonMember[] =>
  body.members.filter(({ name }) => name !== COMMENT);

/** Each level may be one object or a list of objects. */
const partsOf = (node: JsonNode): readonly JsonNode[] => (node.kind === 'list' ? node.items.flatMap(partsOf) : [node]);

function reportNotBlock(node: JsonNode, report: Report): void {
  if (isNull(node)) return;
  report.problem({
    code: 'manifest.wrong-type',
    at: node.place,
    message: 'Terraform requires a block here.',
    found: describe(node),
    expected: 'an object',
    hint: 'Synthesize it again.',
  });
}

/** Finds the blocks in a node. @param labels how many labels such a block has */
export function blocksIn(node: JsonNode, labels: number, report: Report): readonly Block[] {
  const unfold = (at: JsonNode, left: number, outer: Omit<Block, 'body'>): readonly Block[] =>
    partsOf(at).flatMap((part): readonly Block[] => {
      if (part.kind !== 'object') {
        reportNotBlock(part, report);
        return [];
      }
      if (left === 0) return [{ ...outer, body: part }];
      return membersOf(part).flatMap((member) =>
        unfold(member.node, left - 1, { labels: [...outer.labels, member.name], at: member.at }),
      );
    });
  return unfold(node, labels, { labels: [], at: node.place });
}

/** Finds the nested blocks with this name, such as `lifecycle`. */
export function nestedBlocks(body: JsonObjectNode, name: string, report: Report): readonly JsonObjectNode[] {
  const member = tryFindMember(body, name);
  return member ? blocksIn(member.node, 0, report).map((block) => block.body) : [];
}

/** The path of the construct that wrote the block. */
export const constructOf = (body: JsonObjectNode): string | undefined =>
  stringIn(tryFindNode(body, [COMMENT, 'metadata', 'path']));

/** The node that constructs of Keyplane write into the comment of a block. */
export const ownComment = (body: JsonObjectNode, name: string): JsonNode | undefined =>
  tryFindNode(body, [COMMENT, 'keyplane', name]);
