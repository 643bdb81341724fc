import { isIdentifier, lineAt, literalOf, parse, type SyntaxNode, walk } from './syntax.ts';

/** One import in whatever form; `specifier` is undefined when it is computed, so that no rule applies. */
export interface Import {
  readonly specifier: string | undefined;
  readonly line: number;
}

const WITH_SOURCE = new Set([
  'ImportDeclaration',
  'ExportNamedDeclaration',
  'ExportAllDeclaration',
  'ImportExpression',
  'TSImportType',
]);

const calls = (node: unknown, name: string): boolean =>
  (node as SyntaxNode).type === 'CallExpression' && isIdentifier((node as SyntaxNode).callee, name);

function sourceOf(node: SyntaxNode, parent: SyntaxNode | undefined): unknown {
  if (WITH_SOURCE.has(node.type)) return node.source ?? undefined;
  if (node.type === 'TSExternalModuleReference') return node.expression;
  if (node.type !== 'CallExpression') return undefined;
  const [source] = node.arguments as unknown[];
  if (isIdentifier(node.callee, 'require') || calls(node.callee, 'createRequire')) return source;
  // A loader that is made and not used on the spot could load anything, anywhere.
  return calls(node, 'createRequire') && parent?.callee !== node ? source : undefined;
}

/**
 * All that a file imports: static, type-only, re-exported, dynamic, `import('…')` as a type, `import x = require('…')`,
 * and `require('…')`.
 */
export function importsOf(path: string, text: string): readonly Import[] {
  const imports: Import[] = [];
  for (const [node, parent] of walk(parse(path, text))) {
    const source = sourceOf(node, parent);
    if (source !== undefined) imports.push({ specifier: literalOf(source), line: lineAt(text, node.start) });
  }
  return imports;
}
