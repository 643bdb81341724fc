// The declarations of the library are complete in themselves: who compiles against them needs no package but @types/node. What no
// door leads to is removed, and the declarations of the packages that the others use come along, unchanged, in `dist/types`.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

/** Packages whose types are part of the library's. A further one is a decision, not an accident. */
const TYPED_BY: ReadonlySet<string> = new Set(['undici', 'zod']);

/** The module of an import, an export or an import type, between its quotes. */
const SPECIFIER = /(?<=\bfrom\s+|\bimport\s*\(\s*|^import\s+)(['"])([@\w./:-]+)\1/gm;

const specifiersIn = (text: string): readonly string[] => [...text.matchAll(SPECIFIER)].map(([, , name = '']) => name);

const isRelative = (specifier: string): boolean => specifier.startsWith('.');
const isBuiltin = (specifier: string): boolean => specifier.startsWith('node:');

/** The declaration that a relative import leads to. Packages omit the extension or the name of an index. */
function declarationAt(from: string, specifier: string): string {
  const path = resolve(dirname(from), specifier).replace(/(\.d)?\.[cm]?[jt]s$/, '');
  const found = [`${path}.d.ts`, `${path}/index.d.ts`].find(existsSync);
  if (found === undefined) throw new Error(`${from} imports ${specifier}, which has no declaration`);
  return found;
}

/** Returns the declarations that these lead to, with themselves. */
function reachedFrom(declarations: readonly string[]): ReadonlySet<string> {
  const reached = new Set<string>();
  const waiting = [...declarations];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (reached.has(file)) continue;
    reached.add(file);
    for (const specifier of specifiersIn(readFileSync(file, 'utf8')).filter(isRelative))
      waiting.push(declarationAt(file, specifier));
  }
  return reached;
}

function removeOthers(folder: string, kept: ReadonlySet<string>): void {
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const file = join(folder, path);
    if (path.endsWith('.d.ts') && !kept.has(file)) rmSync(file);
  }
}

interface Packaged {
  readonly type?: string;
  readonly types: string;
}

/** Copies the declarations of a package into `dist/types`. Returns the copy of its entry, and the files that were copied. */
function adopt(dist: string, name: string): { readonly entry: string; readonly files: readonly string[] } {
  const from = join(root, 'node_modules', name);
  const { type = 'commonjs', types } = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8')) as Packaged;
  const files = [...reachedFrom([resolve(from, types.replace(/\.d\.[cm]ts$/, '.d.ts'))])];
  const to = (file: string): string => join(dist, 'types', name, relative(from, file));
  for (const file of files) {
    mkdirSync(dirname(to(file)), { recursive: true });
    cpSync(file, to(file));
  }
  // How a compiler reads their imports depends on it.
  writeFileSync(join(dist, 'types', name, 'package.json'), `${JSON.stringify({ type })}\n`);
  return { entry: to(files[0] as string), files };
}

/**
 * Reduces the declarations in a compiled `dist` to those of the doors, and makes them complete.
 *
 * @param doors declarations
 * @returns the files of packages whose text is now part of `dist`
 * @throws Error at a type of a package that nobody decided to include
 */
export function completeDeclarations(dist: string, doors: readonly string[]): readonly string[] {
  const kept = reachedFrom(doors);
  removeOthers(join(dist, 'src'), kept);
  const adopted = new Map([...TYPED_BY].map((name) => [name, adopt(dist, name)]));
  for (const file of kept) {
    const text = readFileSync(file, 'utf8');
    const complete = text.replace(SPECIFIER, (whole, quote: string, specifier: string) => {
      if (isRelative(specifier) || isBuiltin(specifier)) return whole;
      const { entry } = adopted.get(specifier) ?? {};
      if (entry === undefined) throw new Error(`${file} has a type of ${specifier}`);
      const path = relative(dirname(file), entry).replace(/\.d\.ts$/, '.js');
      return `${quote}${path.startsWith('.') ? path : `./${path}`}${quote}`;
    });
    if (complete !== text) writeFileSync(file, complete);
  }
  return [...adopted.values()].flatMap(({ files }) => files);
}
