import { describe, expect, it } from 'vitest';
import { readTree } from './architecture/repository.ts';
import { isIdentifier, lineAt, parse, type SyntaxNode, walk } from './architecture/syntax.ts';

/** The largest allowed numbers. They only go down. */
const CASTS = 320;
const DOUBLE_CASTS = 5;

const isCast = (node: unknown): node is SyntaxNode => (node as SyntaxNode | undefined)?.type === 'TSAsExpression';

const isConst = (node: SyntaxNode): boolean =>
  isIdentifier((node.typeAnnotation as SyntaxNode & { typeName?: unknown }).typeName, 'const');

const isDouble = (node: SyntaxNode): boolean =>
  isCast(node.expression) && (node.expression.typeAnnotation as SyntaxNode).type === 'TSUnknownKeyword';

const placesOf = (rule: (node: SyntaxNode) => boolean): readonly string[] =>
  [...readTree(['src', 'constructs/cdk'], ['.ts'])].flatMap(([path, text]) =>
    walk(parse(path, text))
      .filter(([node]) => rule(node))
      .map(([node]) => `${path}:${lineAt(text, node.start)}`),
  );

describe('casts, which a better type often replaces', () => {
  it('do not become more', () => {
    expect(placesOf((node) => isCast(node) && !isConst(node) && !isDouble(node)).length).toBeLessThanOrEqual(CASTS);
  });

  it('go through `unknown` only where a library leaves no other way', () => {
    expect(placesOf((node) => isCast(node) && isDouble(node)).length).toBeLessThanOrEqual(DOUBLE_CASTS);
  });
});
