import { builtinModules } from 'node:module';
import { posix } from 'node:path';
import { type Import, importsOf } from './imports.ts';
import type { Room } from './rooms.ts';

/** A source tree: path from the root of the repository, to text. */
export type Tree = ReadonlyMap<string, string>;

export interface House {
  readonly rooms: ReadonlyMap<string, Room>;
  /** The exports of the package, as users import them: `keyplane`, `keyplane/reference`. */
  readonly publicExports: ReadonlySet<string>;
}

const BUILTINS = new Set(builtinModules);
const CDK = new Set(['constructs', 'cdktf', 'cdktn']);

const roomOf = (path: string): string | undefined => /^src\/([^/]+)\/./.exec(path)?.[1];
/** The doors of the package that are files of `src` itself: `keyplane`, `keyplane/store`. */
const isDoor = (path: string, { publicExports }: House): boolean => {
  const [, name] = /^src\/([^/]+)\.ts$/.exec(path) ?? [];
  return name !== undefined && publicExports.has(name === 'index' ? 'keyplane' : `keyplane/${name}`);
};

const isRelative = (specifier: string): boolean => specifier.startsWith('.') || specifier.startsWith('/');
const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

function problemInside(room: string, target: string, house: House): string | undefined {
  const other = roomOf(target);
  if (other === room) return undefined;
  if (other === undefined) return `may not import ${target}, which is in no room`;
  if (!house.rooms.get(room)?.rooms.has(other)) return `room ${room} may not import room ${other}`;
  return target === `src/${other}/index.ts` ? undefined : `enters room ${other} by ${target}, not by its index.ts`;
}

/** The door behind which `cli` has no command: what `render` loads. */
const SECOND_DOOR = 'src/cli/output/index.ts';

function problemOfDoor(target: string): string | undefined {
  const room = roomOf(target);
  return room && (target === `src/${room}/index.ts` || target === SECOND_DOOR)
    ? undefined
    : `the library's door may not import ${target}`;
}

function relativeProblem(path: string, target: string, house: House): string | undefined {
  const room = roomOf(path);
  if (isDoor(path, house)) return problemOfDoor(target);
  if (room !== undefined) return problemInside(room, target, house);
  const top = path.split('/')[0];
  // The pure rules of the domain are compiled into the package of each CDK.
  if (top === 'constructs' && target === 'src/domain/index.ts') return undefined;
  return target.startsWith(`${top}/`) ? undefined : `${top} may not import ${target}`;
}

function packageProblem(path: string, specifier: string, house: House): string | undefined {
  const name = packageOf(specifier);
  const builtin = specifier.startsWith('node:') || BUILTINS.has(specifier);
  if (path.startsWith('examples/')) {
    return builtin || CDK.has(specifier) || house.publicExports.has(specifier)
      ? undefined
      : `examples may not import ${specifier}`;
  }
  if (path.startsWith('constructs/')) return CDK.has(name) ? undefined : `constructs may not import ${specifier}`;
  const room = roomOf(path);
  const row = room === undefined ? undefined : house.rooms.get(room);
  // The package's own description belongs to no room; the version comes from it.
  if (row && specifier === 'keyplane/package.json') return undefined;
  if (!row) return `the library's door may not import ${specifier}`;
  if (builtin) {
    const allowed = row.builtins.has('*') || row.builtins.has(specifier);
    return allowed ? undefined : `room ${room} may not import the built-in ${specifier}`;
  }
  return row.packages.has(name) ? undefined : `room ${room} may not import the package ${name}`;
}

/** Imports what the files of the bundle name. Their imports are checked where they are written. */
const LOADER = 'src/startup/load-program.ts';

function importProblem(path: string, specifier: string | undefined, { tree, house }: { tree: Tree; house: House }) {
  if (specifier === undefined)
    return path === LOADER ? undefined : 'imports something computed, which nobody can check';
  if (!isRelative(specifier)) return packageProblem(path, specifier, house);
  const target = posix.normalize(posix.join(posix.dirname(path), specifier));
  return tree.has(target) ? relativeProblem(path, target, house) : `imports ${target}, which is not there`;
}

function placeProblem(path: string, house: House): string | undefined {
  if (!path.startsWith('src/') || isDoor(path, house)) return undefined;
  const room = roomOf(path);
  if (room === undefined) return 'lies outside any room';
  return house.rooms.has(room) ? undefined : `lies in ${room}, which is not a room of the table`;
}

/** Every place where the tree breaks the rooms table, one line each. */
export function importViolations(tree: Tree, house: House): readonly string[] {
  return [...tree].flatMap(([path, text]) => {
    const misplaced = placeProblem(path, house);
    if (misplaced) return [`${path}: ${misplaced}`];
    return importsOf(path, text).flatMap(({ specifier, line }) => {
      const problem = importProblem(path, specifier, { tree, house });
      return problem ? [`${path}:${line}: ${problem}`] : [];
    });
  });
}

const targetsOf = (path: string, imports: readonly Import[], tree: Tree): readonly string[] =>
  imports.flatMap(({ specifier }) => {
    if (specifier === undefined || !isRelative(specifier)) return [];
    const target = posix.normalize(posix.join(posix.dirname(path), specifier));
    return tree.has(target) ? [target] : [];
  });

/** The cycles between files, type-only imports too, each as the way round: `a.ts > b.ts > a.ts`. */
export function cycles(tree: Tree): readonly string[] {
  const edges = new Map([...tree].map(([path, text]) => [path, targetsOf(path, importsOf(path, text), tree)]));
  const done = new Set<string>();
  const found: string[] = [];
  const follow = (path: string, way: readonly string[]): void => {
    const at = way.indexOf(path);
    if (at >= 0) found.push([...way.slice(at), path].join(' > '));
    if (at >= 0 || done.has(path)) return;
    for (const next of edges.get(path) ?? []) follow(next, [...way, path]);
    done.add(path);
  };
  for (const path of edges.keys()) follow(path, []);
  return found;
}
