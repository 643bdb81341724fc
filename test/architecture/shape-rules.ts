import { posix } from 'node:path';
import type { Tree } from './import-rules.ts';
import { isIdentifier, lineAt, memberName, parse, type SyntaxNode, walk } from './syntax.ts';

/** Names of files that do not describe their content. */
const NAMELESS = new Set(['utils', 'util', 'helpers', 'helper', 'common', 'manager', 'service', 'types', 'misc']);

export function namelessFiles(paths: Iterable<string>): readonly string[] {
  return [...paths].filter((path) => {
    const stem = posix.basename(path).replace(/(\.test)?\.m?[jt]s$/, '');
    return stem.split('-').some((word) => NAMELESS.has(word)) || path.split('/').some((part) => NAMELESS.has(part));
  });
}

/** Words that have a better alternative here: “reference gateway”, “desired”, “observed”. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/mock/i, 'a mock is a reference gateway here'],
  [/\bfakes?\b|[a-z]Fake|\bfake[A-Z_-]/, 'a fake is a reference gateway here'],
  [/\b(target|expected)[ _-]?state\b/i, 'the state that is wanted is “desired”'],
  [/\b(actual|current|remote)[ _-]?state\b/i, 'the state that is there is “observed”'],
  [/\b(TODO|FIXME|XXX)\b/, 'nothing is left to be done in the code'],
];

export const wrongWords = (tree: Tree): readonly string[] =>
  [...tree].flatMap(([path, text]) =>
    text
      .split('\n')
      .flatMap((line, index) =>
        WORDS.flatMap(([pattern, why]) => (pattern.test(line) ? [`${path}:${index + 1}: ${why}`] : [])),
      ),
  );

const HIDDEN = /^(export )?(const|let|class|(async )?function\*?) _/;

/** Things at the top of a file that are named as unused, so that the linter keeps quiet about them: nobody needs them. */
export const unusedByName = (tree: Tree): readonly string[] =>
  [...tree].flatMap(([path, text]) =>
    text.split('\n').flatMap((line, index) => (HIDDEN.test(line) ? [`${path}:${index + 1}`] : [])),
  );

export const linesOf = (text: string): number => text.replace(/\n$/, '').split('\n').length;

const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

/** Every function with its length in lines, longest first. */
export function functionLengths(tree: Tree): readonly { readonly at: string; readonly lines: number }[] {
  const lengths = [...tree].flatMap(([path, text]) =>
    walk(parse(path, text))
      .filter(([node]) => FUNCTIONS.has(node.type))
      .map(([node]) => ({
        at: `${path}:${lineAt(text, node.start)}`,
        lines: linesOf(text.slice(node.start, node.end)),
      })),
  );
  return lengths.sort((a, b) => b.lines - a.lines);
}

const destructures = (node: SyntaxNode, field: string): boolean =>
  node.type === 'ObjectPattern' &&
  (node.properties as SyntaxNode[]).some((property) => isIdentifier(property.key, field));

function readsEnvironment(node: SyntaxNode): boolean {
  if (memberName(node) === 'env') return isIdentifier(node.object, 'process');
  if (node.type === 'VariableDeclarator' && isIdentifier(node.init, 'process'))
    return destructures(node.id as SyntaxNode, 'env');
  const source = node.type === 'ImportDeclaration' ? (node.source as { value: string }).value : '';
  if (!/^(node:)?process$/.test(source)) return false;
  return (node.specifiers as SyntaxNode[]).some((specifier) => isIdentifier(specifier.imported, 'env'));
}

/** Places that ask for the clock or for chance, which come in as parameters. */
function asksTheWorld(node: SyntaxNode): boolean {
  const name = memberName(node);
  if (name === 'now') return isIdentifier(node.object, 'Date') || isIdentifier(node.object, 'performance');
  if (name === 'random') return isIdentifier(node.object, 'Math');
  if (name === 'randomUUID' || name === 'getRandomValues') return isIdentifier(node.object, 'crypto');
  return node.type === 'NewExpression' && isIdentifier(node.callee, 'Date') && (node.arguments as []).length === 0;
}

const placesOf = (tree: Tree, rule: (node: SyntaxNode) => boolean): readonly string[] =>
  [...tree].flatMap(([path, text]) =>
    walk(parse(path, text))
      .filter(([node]) => rule(node))
      .map(([node]) => `${path}:${lineAt(text, node.start)}`),
  );

export const environmentReaders = (tree: Tree): readonly string[] => placesOf(tree, readsEnvironment);
export const worldAskers = (tree: Tree): readonly string[] => placesOf(tree, asksTheWorld);

const EXPORTED = /^export (?:async )?(?:function\*?|const|class) (\w+)/gm;

const DOOR = /^src\/([\w-]+)\/index\.ts$/;
const PASSED_ON = /^export \{([^}]*)\} from /gm;

/** Functions, values and classes that the door of a room passes on though no file that imports the door names them. */
export function lonelyDoorExports(tree: Tree): readonly string[] {
  const words = [...tree].map(([path, text]) => ({ path, text, names: new Set(text.match(/\w+/g)) }));
  return [...tree].flatMap(([path, text]) => {
    const [, room] = DOOR.exec(path) ?? [];
    if (room === undefined) return [];
    const callers = words.filter((other) => other.path !== path && other.text.includes(`/${room}/index.ts'`));
    if (callers.some((other) => other.text.includes(`export * from './${room}/index.ts'`))) return [];
    return [...text.matchAll(PASSED_ON)]
      .flatMap(([, names = '']) => names.split(','))
      .map((name) => name.trim())
      .filter((name) => /^\w+$/.test(name) && !callers.some(({ names }) => names.has(name)))
      .map((name) => `${path}: ${name}`);
  });
}

/** Functions, values and classes that a file exports though no other file names them: they are its own affair. */
export function lonelyExports(tree: Tree): readonly string[] {
  const words = [...tree].map(([path, text]) => ({ path, names: new Set(text.match(/\w+/g)) }));
  return [...tree].flatMap(([path, text]) =>
    [...text.matchAll(EXPORTED)]
      .map(([, name]) => name as string)
      .filter((name) => !words.some((other) => other.path !== path && other.names.has(name)))
      .map((name) => `${path}: ${name}`),
  );
}
