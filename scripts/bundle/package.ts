// Bundles the library and the command line. They share most of their modules, and few files: those of the command line are CommonJS.
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { CodeSplittingGroup, Plugin } from 'rolldown';
import { completeDeclarations } from './declarations.ts';
import { licencesOf } from './licences.ts';
import { inLines } from './lines.ts';
import { type Bundled, writeBundle } from './write-bundle.ts';

const root = resolve(import.meta.dirname, '../..');

interface Description {
  readonly exports: Readonly<Record<string, string | { readonly default: string }>>;
}

const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Description;

/** The doors of the library that are bundled, by their path below `dist`. The CDKs load those of constructs as they are. */
const doors = Object.values(exports)
  .flatMap((door) => (typeof door === 'string' ? [] : [door.default.replace(/^\.\/dist\/|\.js$/g, '')]))
  .filter((path) => existsSync(join(root, `${path}.ts`)));

/** The modules that most commands do without, although others that they load lead there: only these modules, without what they import. */
const APART: readonly (readonly [name: string, test: RegExp])[] = [
  ['terraform-json', /src\/tfjson\/(?!files\/)/],
  ['writers', /src\/manifest\/(?:write\/(?!invisible|yaml\/scalar)|edit\/)/],
  [
    'writing',
    /src\/(?:engine\/(?:write|saved-plan|key-writer)\.ts|reconcile\/(?:apply\/|create\/create\.ts|create\/create-batches|plan\/resume|usage\/take-back))/,
  ],
  // Checks need these to validate a manifest, which takes no client of a gateway.
  ['answers', /src\/(?:wire\/(?:inference-paths|answers\/tolerant)|gateway\/definite-refusal)|node_modules\/p-map\//],
  ['client', /src\/client\/(?!connections)/],
  ['memory', /src\/memory\//],
];

/**
 * The files that are loaded together, by what leads to them: each group has its modules and all that they import, without what a group
 * above it has. Reading many small files is half of a start, and so is compiling what a command does not use.
 */
const GROUPS: readonly (readonly [name: string, test: RegExp])[] = [
  // Programs that take only this from the library get only this.
  ['secret', /src\/domain\/secret\.ts$/],
  ['version', /src\/cli\/program\/version\.ts$/],
  ['domain', /src\/(?:domain|source)\//],
  ['zod', /node_modules\/zod\//],
  ['library', /src\/index\.ts$/],
  ['store', /src\/store\.ts$/],
  ['disk', /src\/disk\/index\.ts$/],
  ['start', /src\/cli\/(?:program\/run|session\/manifest-input|output\/checks\/groups)\.ts$/],
  [
    'reading',
    /node_modules\/yaml\/|src\/(?:manifest\/(?:read\.ts|files|schema|yaml|validate|resolve|write\/(?:invisible|yaml\/scalar))|tfjson\/files|reconcile\/plan\/(?:lacking|diff)\.ts)/,
  ],
  ['http', /src\/http\//],
  ['system', /src\/gateway\/open\.ts$/],
  ['run', /src\/(?:(?:library\/runs|engine\/lock)\.ts$|manifest\/(?:write|saved-plan|edit)\/)/],
  ['commands', /src\/cli\/commands\/plan\.ts$/],
];

const apart: CodeSplittingGroup[] = APART.map(([name, test], index) => ({
  name,
  test,
  priority: 100 + APART.length - index,
  includeDependenciesRecursively: false,
}));

const groups: CodeSplittingGroup[] = GROUPS.map(([name, test], index) => ({
  name,
  test,
  priority: GROUPS.length - index,
  ...(name === 'reading' ? { includeDependenciesRecursively: false } : {}),
}));

/** Imports that only determine the order in which files are evaluated. That of modules which do nothing does not matter. */
const withoutOrder = (code: string): string => code.replace(/\bimport"\.{1,2}\/[^"]+";/g, '');

/** CommonJS packages require only what Node.js has. An `import.meta.url` has no value where somebody bundles the library as CommonJS. */
const withoutPath = (code: string): string =>
  code.replace('__require=createRequire(import.meta.url)', '__require=process.getBuiltinModule');

/** Large packages that few commands need, each a file of the library, which the command line loads as well. */
const SHARED = ['libsodium-wrappers', 'age-encryption'];

/** The reference gateway is as large as they are. */
const REFERENCE = 'src/reference/index';

const fromLibrary: Plugin = {
  name: 'files of the library',
  resolveId: {
    filter: { id: [...SHARED.map((name) => new RegExp(`^${name}$`)), /\/reference\/index\.ts$/] },
    handler: (id) => ({ id: SHARED.includes(id) ? `../packages/${id}.js` : `../${REFERENCE}.js`, external: true }),
  },
};

const bundleLibrary = (dist: string): Promise<Bundled> =>
  writeBundle(dist, {
    input: Object.fromEntries([
      ...doors.map((path) => [path, `${path}.ts`]),
      ...SHARED.map((name) => [`packages/${name}`, name]),
    ]),
    groups: [...apart, ...groups],
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    finish: (code) => inLines(withoutPath(withoutOrder(code))),
    exactEntries: true,
  });

/** CommonJS, because Node.js keeps no compiled code of ES modules for a program. */
const bundleCommandLine = (folder: string): Promise<Bundled> =>
  writeBundle(folder, {
    input: { program: 'src/cli/process.ts' },
    starts: /src\/cli\/process\.ts$/,
    plugins: [fromLibrary],
    groups: [...apart, ...groups],
    format: 'cjs',
    // With the hash of what is in it, also in the names of the files that it loads: it names the build.
    entryFileNames: '[name]-[hash].cjs',
    chunkFileNames: '[name]-[hash].cjs',
  });

/** The file that `package.json` names: it answers `--version`, and loads the program for everything else. */
const bundleMain = (folder: string, program: string): Promise<Bundled> =>
  writeBundle(folder, {
    input: { main: 'src/cli/main.ts' },
    starts: /src\/cli\/main\.ts$/,
    groups: [],
    define: { KEYPLANE_PROGRAM: JSON.stringify(program) },
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
  });

/** Adds command line and library to the declarations in `dist`. */
export async function bundlePackage(dist: string): Promise<void> {
  const folder = join(dist, 'cli');
  const [library, program] = await Promise.all([bundleLibrary(dist), bundleCommandLine(folder)]);
  const [entry = ''] = program.entries;
  const main = await bundleMain(folder, entry);
  const declared = completeDeclarations(
    dist,
    doors.map((path) => join(dist, `${path}.d.ts`)),
  );
  chmodSync(join(folder, 'main.js'), 0o755);
  const modules = [library, program, main].flatMap((bundled) => bundled.modules);
  writeFileSync(join(dist, 'LICENSES.txt'), licencesOf([...modules, ...declared]));
}
