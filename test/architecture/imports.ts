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

/** The files that import these names as values, by name, in the order of their paths. A name is imported by exactly this word. */
export function importersOf(
  tree: ReadonlyMap<string, string>,
  names: readonly string[],
): Readonly<Record<string, string[]>> {
  const found: Record<string, string[]> = Object.fromEntries(names.map((name) => [name, []]));
  for (const [path, text] of tree) {
    for (const [node] of walk(parse(path, text))) {
      if (node.type !== 'ImportDeclaration' || node.importKind === 'type') continue;
      for (const specifier of node.specifiers as readonly SyntaxNode[]) {
        const { name } = (specifier.imported ?? {}) as { readonly name?: string };
        if (specifier.importKind !== 'type' && name !== undefined) found[name]?.push(path);
      }
    }
  }
  for (const paths of Object.values(found)) paths.sort();
  return found;
}
