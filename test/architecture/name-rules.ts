import type { Tree } from './import-rules.ts';
import { lineAt, parse, type SyntaxNode, walk } from './syntax.ts';

const TYPES = new Set(['TSInterfaceDeclaration', 'TSTypeAliasDeclaration', 'ClassDeclaration']);

interface Declaration {
  readonly path: string;
  readonly isExported: boolean;
}

/** The types that a file declares itself, each once: a class or a schema may have an interface of its name. */
function declaredTypes(path: string, text: string): ReadonlyMap<string, Declaration> {
  const found = new Map<string, Declaration>();
  for (const statement of parse(path, text).body as readonly SyntaxNode[]) {
    const isExported = statement.type === 'ExportNamedDeclaration';
    const declared = (isExported ? statement.declaration : statement) as SyntaxNode | null;
    if (declared === null || !TYPES.has(declared.type)) continue;
    const { name } = declared.id as unknown as { readonly name: string };
    found.set(name, { path, isExported: isExported || found.get(name)?.isExported === true });
  }
  return found;
}

/** `src/domain`, `constructs/cdk`. */
const roomOf = (path: string): string => path.split('/').slice(0, 2).join('/');

/** The number of files that may declare a type of one name for themselves. */
const MOST_FILES = 2;

/** Type names with several meanings: exported by a room and declared in another, or declared in three files or more. */
export function homonyms(tree: Tree): readonly string[] {
  const all = new Map<string, Declaration[]>();
  for (const [path, text] of tree) {
    for (const [name, declaration] of declaredTypes(path, text)) {
      all.set(name, [...(all.get(name) ?? []), declaration]);
    }
  }
  const isAmbiguous = (declarations: readonly Declaration[]): boolean =>
    declarations.length > MOST_FILES ||
    (declarations.some(({ isExported }) => isExported) &&
      new Set(declarations.map(({ path }) => roomOf(path))).size > 1);
  return [...all]
    .filter(([, declarations]) => isAmbiguous(declarations))
    .map(([name, declarations]) => `${name}: ${declarations.map(({ path }) => path).join(', ')}`);
}

const TROUBLE_PARTS = ['code', 'path', 'severity', 'hint'];

/** The interfaces that declare a message with a code, a path, a severity or a hint: they are trouble, by their shape. */
export const troubleTypes = (tree: Tree): readonly string[] =>
  [...tree].flatMap(([path, text]) =>
    walk(parse(path, text))
      .filter(([node]) => node.type === 'TSInterfaceDeclaration')
      .filter(([node]) => {
        const { body } = node.body as unknown as {
          readonly body: readonly { readonly key?: { readonly name?: string } }[];
        };
        const members = body.map(({ key }) => key?.name ?? '');
        return members.includes('message') && TROUBLE_PARTS.some((part) => members.includes(part));
      })
      .map(([node]) => `${path}: ${(node.id as unknown as { readonly name: string }).name}`),
  );

/** The texts of a program that name a flag, one of the commands, or an exit code; comments may. */
export function commandLineWords(tree: Tree, commands: Iterable<string>): readonly string[] {
  const pattern = new RegExp(
    `(?<![\\w-])--[a-z][a-z-]+|\\bkeyplane (?:${[...commands].join('|')})\\b|\\bexit codes?\\b`,
    'i',
  );
  return [...tree].flatMap(([path, text]) =>
    walk(parse(path, text))
      .filter(([node]) => pattern.test(textOf(node)))
      .map(([node]) => `${path}:${lineAt(text, node.start)}`),
  );
}

function textOf(node: SyntaxNode): string {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : '';
  return node.type === 'TemplateElement' ? (node.value as { readonly cooked: string }).cooked : '';
}
