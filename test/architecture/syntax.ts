import { parseSync, visitorKeys } from 'oxc-parser';

/** A node of the syntax tree, as far as the rules look at it. */
export interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

const isNode = (value: unknown): value is SyntaxNode =>
  value !== null && typeof value === 'object' && typeof (value as { type?: unknown }).type === 'string';

function childrenOf(node: SyntaxNode): readonly unknown[] {
  const keys = visitorKeys[node.type];
  if (keys === undefined) throw new Error(`the parser knows no node of type ${node.type}`);
  return keys.map((key) => node[key]);
}

type Visited = readonly [node: SyntaxNode, parent: SyntaxNode | undefined];

/** Every node below a node, itself first, each with the node that holds it. */
export function walk(root: SyntaxNode): readonly Visited[] {
  const found: Visited[] = [];
  const add = (node: SyntaxNode, parent: SyntaxNode | undefined): void => {
    found.push([node, parent]);
    for (const value of childrenOf(node)) {
      if (Array.isArray(value)) for (const child of value) isNode(child) && add(child, node);
      else if (isNode(value)) add(value, node);
    }
  };
  add(root, undefined);
  return found;
}

interface Parsed {
  readonly text: string;
  readonly root: SyntaxNode;
}

/** The newest tree of each path. A dozen rules read the same files, and parsing them takes most of the time. */
const parsed = new Map<string, Parsed>();

/** @throws Error when the file is not valid TypeScript. */
export function parse(path: string, text: string): SyntaxNode {
  const known = parsed.get(path);
  if (known?.text === text) return known.root;
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  const root = program as unknown as SyntaxNode;
  parsed.set(path, { text, root });
  return root;
}

export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}

/** The text of a literal, also of a template without holes; undefined for anything that must be computed. */
export function literalOf(node: unknown): string | undefined {
  if (!isNode(node)) return undefined;
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node.type !== 'TemplateLiteral' || (node.expressions as unknown[]).length > 0) return undefined;
  return (node.quasis as { value: { cooked: string } }[])[0]?.value.cooked;
}

/** The name of the member that an expression reads, `a.name` or `a['name']`. */
export function memberName(node: SyntaxNode): string | undefined {
  if (node.type !== 'MemberExpression') return undefined;
  return node.computed ? literalOf(node.property) : ((node.property as SyntaxNode).name as string | undefined);
}

export const isIdentifier = (node: unknown, name: string): boolean =>
  isNode(node) && node.type === 'Identifier' && node.name === name;
