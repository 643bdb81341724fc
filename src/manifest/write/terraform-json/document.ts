import { canonicalJson } from '../../../domain/index.ts';
import type { Document, DocumentText } from '../document.ts';
import { escapeTemplates } from '../hcl/scalar.ts';
import { escapeUnseen } from '../invisible.ts';
import type { BlockMember, BlockValue, ConfigurationBlock } from '../terraform/block.ts';
import { configurationOf } from '../terraform/configuration.ts';

/** JSON whose numbers are digits, because JavaScript would round them. */
type Node = string | { readonly digits: string } | boolean | readonly Node[] | ExactObject;
interface ExactObject extends ReadonlyMap<string, Node> {}

const isDigits = (node: Node): node is { readonly digits: string } => typeof node === 'object' && 'digits' in node;

const unitEscape = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

const quoted = (text: string | boolean): string =>
  escapeUnseen(JSON.stringify(text), (hex) =>
    String.fromCodePoint(Number.parseInt(hex, 16)).split('').map(unitEscape).join(''),
  );

function render(node: Node, indent = ''): string {
  if (typeof node === 'string' || typeof node === 'boolean') return quoted(node);
  if (isDigits(node)) return node.digits;
  const deeper = `${indent}  `;
  const isList = Array.isArray(node);
  const items = isList
    ? node.map((item: Node) => render(item, deeper))
    : [...(node as ExactObject)].map(([name, item]) => `${quoted(name)}: ${render(item, deeper)}`);
  const [open, close] = isList ? '[]' : '{}';
  if (items.length === 0) return `${open}${close}`;
  const isShort = isList && items.every((item) => !item.includes('\n')) && items.join(', ').length <= 100;
  if (isShort) return `[${items.join(', ')}]`;
  return `${open}\n${items.map((item) => deeper + item).join(',\n')}\n${indent}${close}`;
}

/** Converts a value. Every string is a template, also a string of JSON. */
function nodeOf(value: BlockValue): Node {
  switch (value.kind) {
    case 'text':
      return escapeTemplates(value.text);
    case 'flag':
      return value.value;
    case 'number':
      return { digits: value.digits };
    case 'reference':
      return `\${${value.path}}`;
    case 'json':
      return escapeTemplates(canonicalJson(value.value));
    case 'list':
      return value.items.map(nodeOf);
    case 'object':
      return membersOf(value.members);
  }
}

const membersOf = (members: readonly BlockMember[]): ExactObject =>
  new Map(members.map(([name, value]) => [name, nodeOf(value)] as const));

/** Data that Terraform ignores: comments for people, and data for Keyplane. */
function commentOf(
  comments: readonly string[],
  meta: ConfigurationBlock['meta'] = {},
): readonly (readonly [string, Node])[] {
  const words = Object.entries(meta).map(([name, word]) => [name, escapeTemplates(word)] as const);
  const comment = new Map<string, Node>([
    ...(comments.length > 0 ? [['remarks', comments] as const] : []),
    ...(words.length > 0 ? [['keyplane', new Map(words)] as const] : []),
  ]);
  return comment.size > 0 ? [['//', comment]] : [];
}

const bodyOf = ({ members, blocks, comments, meta }: ConfigurationBlock): ExactObject =>
  new Map([
    ...commentOf(comments, meta),
    ...membersOf(members),
    ...blocks.map((each) => [each.type, bodyOf(each)] as const),
  ]);

/** The target of an import is an address, not a value. */
const importBody = ({ members }: ConfigurationBlock): ExactObject =>
  new Map(members.map(([name, value]) => [name, value.kind === 'reference' ? value.path : nodeOf(value)] as const));

function grouped(blocks: readonly ConfigurationBlock[]): ExactObject {
  const root = new Map<string, Map<string, Node>>();
  for (const each of blocks) {
    let at = root as Map<string, Node>;
    const path = [each.type, ...each.labels];
    for (const step of path.slice(0, -1)) {
      if (!at.has(step)) at.set(step, new Map());
      at = at.get(step) as Map<string, Node>;
    }
    at.set(path.at(-1) as string, bodyOf(each));
  }
  return root;
}

/** Writes a document in Terraform's JSON syntax. */
export function writeTerraformJson(document: Document): DocumentText {
  const { blocks, head, omissions, omittedKeys } = configurationOf(document, 'keys.tf.json');
  const imports = blocks.filter(({ type }) => type === 'import');
  const others = grouped(blocks.filter(({ type }) => type !== 'import'));
  const adopted: readonly (readonly [string, Node])[] = imports.length > 0 ? [['import', imports.map(importBody)]] : [];
  const root = new Map([...commentOf(head), ...others, ...adopted]);
  return { text: `${render(root)}\n`, omissions, omittedKeys };
}
