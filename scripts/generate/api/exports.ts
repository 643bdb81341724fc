import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseSync } from 'oxc-parser';
import { ROOT } from '../generated-files.ts';

/** A node of the syntax tree, as far as the report needs it. */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

/** An export of a module: the file that declares it, its name there, and whether only its type is exported. */
export interface Declared {
  readonly file: string;
  readonly name: string;
  readonly isType: boolean;
}

export interface Source {
  readonly text: string;
  readonly body: readonly Node[];
}

const sources = new Map<string, Source>();

export function sourceOf(file: string): Source {
  const known = sources.get(file);
  if (known) return known;
  const text = readFileSync(file, 'utf8');
  const source = { text, body: parseSync(file, text).program.body as unknown as readonly Node[] };
  sources.set(file, source);
  return source;
}

export const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === 'string';
export const nameOf = (node: unknown): string =>
  String((node as { name?: unknown; value?: unknown }).name ?? (node as { value?: unknown }).value);

/** The names that a declaration makes. */
export function namesIn(declaration: Node): readonly string[] {
  if (declaration.type !== 'VariableDeclaration') return [nameOf(declaration.id)];
  return (declaration.declarations as readonly Node[]).map(({ id }) => nameOf(id));
}

const TYPES = new Set(['TSInterfaceDeclaration', 'TSTypeAliasDeclaration']);

/** Every export of a module, by name. */
export function exportsOf(file: string, seen: ReadonlySet<string> = new Set()): ReadonlyMap<string, Declared> {
  const found = new Map<string, Declared>();
  if (seen.has(file)) return found;
  const inside = new Set([...seen, file]);
  for (const node of sourceOf(file).body) {
    const from = isNode(node.source) ? resolve(dirname(file), nameOf(node.source)) : undefined;
    if (node.type === 'ExportAllDeclaration' && from)
      for (const [name, at] of exportsOf(from, inside)) found.set(name, at);
    if (node.type !== 'ExportNamedDeclaration') continue;
    const { declaration } = node;
    if (isNode(declaration))
      for (const name of namesIn(declaration)) found.set(name, { file, name, isType: TYPES.has(declaration.type) });
    for (const { local, exported, exportKind } of (node.specifiers as readonly Node[]) ?? []) {
      const inner = nameOf(local);
      const isType = node.exportKind === 'type' || exportKind === 'type';
      const at = (from && exportsOf(from, inside).get(inner)) || { file: from ?? file, name: inner, isType };
      found.set(nameOf(exported), { ...at, isType: isType || at.isType });
    }
  }
  return found;
}

/** A module by which programs enter the package. */
export interface Door {
  /** The name by which programs import it: `keyplane/store`. */
  readonly name: string;
  readonly source: string;
}

/** The doors in TypeScript whose interface is promised: all but the internals and the constructs. */
export function promisedDoors(): readonly Door[] {
  const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    exports: Record<string, unknown>;
  };
  return Object.entries(exports).flatMap(([path, door]) => {
    const { types } = (typeof door === 'string' ? {} : door) as { types?: string };
    const source = join(ROOT, types?.replace('./dist/', '').replace(/\.d\.ts$/, '.ts') ?? '');
    if (types === undefined || path === './internals' || !existsSync(source)) return [];
    return [{ name: path === '.' ? 'keyplane' : `keyplane${path.slice(1)}`, source }];
  });
}
