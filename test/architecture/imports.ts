import { isIdentifier, lineAt, literalOf, parse, type SyntaxNode, walk } from './syntax.ts';

/** One import in whatever form; `specifier` is undefined when it is computed and so can not be judged. */
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

const LOADERS = ['require', 'createRequire'];

function sourceOf(node: SyntaxNode): unknown {
  if (WITH_SOURCE.has(node.type)) return node.source ?? undefined;
  if (node.type === 'TSExternalModuleReference') return node.expression;
  const loads = node.type === 'CallExpression' && LOADERS.some((name) => isIdentifier(node.callee, name));
  return loads ? (node.arguments as unknown[])[0] : undefined;
}

/**
 * All that a file imports: static, type-only, re-exported, dynamic, `import('…')` as a type, `import x = require('…')`
 * and `require('…')`.
 */
export function importsOf(path: string, text: string): readonly Import[] {
  const imports: Import[] = [];
  for (const [node] of walk(parse(path, text))) {
    const source = sourceOf(node);
    if (source !== undefined) imports.push({ specifier: literalOf(source), line: lineAt(text, node.start) });
  }
  return imports;
}
