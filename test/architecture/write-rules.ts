import { posix } from 'node:path';
import type { Tree } from './import-rules.ts';
import { lineAt, literalOf, memberName, parse, type SyntaxNode, walk } from './syntax.ts';

/** The ports through which an account or a sink is written to, by the usual name of their object, with the methods that write. */
const WRITES: Readonly<Record<string, readonly string[]>> = {
  store: ['create', 'update', 'setEnabled', 'delete'],
  claims: ['place', 'renew', 'remove'],
  sink: ['write', 'remove'],
};

const nameOf = (node: unknown): string | undefined => {
  const { type, name } = node as SyntaxNode;
  return type === 'Identifier' ? String(name) : memberName(node as SyntaxNode);
};

/** Is this a call such as `store.update(…)` or `options.store.delete(…)`? */
function isWrite({ type, callee }: SyntaxNode): boolean {
  if (type !== 'CallExpression' || (callee as SyntaxNode).type !== 'MemberExpression') return false;
  const method = memberName(callee as SyntaxNode);
  const object = nameOf((callee as SyntaxNode).object);
  return method !== undefined && object !== undefined && (WRITES[object]?.includes(method) ?? false);
}

/** The places that write to an account or a sink themselves, as `path:line`. */
export const portWrites = (tree: Tree): readonly string[] =>
  [...tree].flatMap(([path, text]) =>
    walk(parse(path, text)).flatMap(([node]) => (isWrite(node) ? [`${path}:${lineAt(text, node.start)}`] : [])),
  );

interface Declared {
  readonly writes: boolean;
  /** The identifiers in it, which may be names of other declarations. */
  readonly mentions: ReadonlySet<string>;
}

interface Module {
  readonly declared: ReadonlyMap<string, Declared>;
  /** The file and the name that a name means. */
  readonly imported: ReadonlyMap<string, readonly [string, string]>;
}

function declarationsOf(statement: SyntaxNode): readonly (readonly [string, SyntaxNode])[] {
  const inner = (statement.declaration ?? statement) as SyntaxNode;
  if (inner.type === 'FunctionDeclaration' || inner.type === 'ClassDeclaration')
    return [[nameOf(inner.id) ?? '', inner]];
  if (inner.type !== 'VariableDeclaration') return [];
  return (inner.declarations as readonly SyntaxNode[]).map((each) => [nameOf(each.id) ?? '', each] as const);
}

const describe = (node: SyntaxNode): Declared => {
  const nodes = walk(node).map(([each]) => each);
  return {
    writes: nodes.some(isWrite),
    mentions: new Set(nodes.flatMap((each) => (each.type === 'Identifier' ? [String(each.name)] : []))),
  };
};

function readModule(path: string, text: string): Module {
  const statements = (parse(path, text).body ?? []) as readonly SyntaxNode[];
  const imported = new Map<string, readonly [string, string]>();
  for (const { type, source, specifiers = [], exportKind } of statements) {
    const from = literalOf(source);
    if (from === undefined || !from.startsWith('.') || exportKind === 'type') continue;
    const target = posix.normalize(posix.join(posix.dirname(path), from));
    for (const each of specifiers as readonly SyntaxNode[]) {
      const [far, near] = type === 'ImportDeclaration' ? [each.imported, each.local] : [each.local, each.exported];
      if (far && near) imported.set(nameOf(near) ?? '', [target, nameOf(far) ?? '']);
    }
  }
  const declared = statements.flatMap(declarationsOf).map(([name, node]) => [name, describe(node)] as const);
  return { declared: new Map(declared), imported };
}

/** The names that a door exports and that write to an account or a sink, themselves or by whatever they call. */
export function writingExports(door: string, tree: Tree): readonly string[] {
  const modules = new Map([...tree].map(([path, text]) => [path, readModule(path, text)]));
  const reaches = (path: string, name: string, seen: Set<string>): boolean => {
    if (seen.has(`${path} ${name}`)) return false;
    seen.add(`${path} ${name}`);
    const module = modules.get(path);
    const [target, far] = module?.imported.get(name) ?? [];
    if (target !== undefined && far !== undefined) return reaches(target, far, seen);
    const own = module?.declared.get(name);
    return own !== undefined && (own.writes || [...own.mentions].some((each) => reaches(path, each, seen)));
  };
  const names = [...(modules.get(door)?.imported.keys() ?? [])];
  return names.filter((name) => reaches(door, name, new Set())).sort();
}
