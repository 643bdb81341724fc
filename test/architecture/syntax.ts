import { parseSync } from 'oxc-parser';

/** A node of the syntax tree, as far as the rules look at it. */
export interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

const isNode = (value: unknown): value is SyntaxNode =>
  value !== null && typeof value === 'object' && typeof (value as { type?: unknown }).type === 'string';

/** Every node below a node, itself first, each with the node that holds it. */
export function* walk(node: SyntaxNode, parent?: SyntaxNode): Generator<readonly [SyntaxNode, SyntaxNode | undefined]> {
  yield [node, parent];
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) yield* walk(child, node);
  }
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

export const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length;

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
