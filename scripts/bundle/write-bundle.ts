// What the bundles of the command line, the library and the provider have in common.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type CodeSplittingGroup, type Plugin, rolldown } from 'rolldown';
import { REPLACED } from './replaced.ts';

const root = resolve(import.meta.dirname, '../..');

export const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string };

/** Packages that are used if they are installed, and needed only by few users: native ones, and the large client of AWS. */
export const OPTIONAL = ['sharp', 'libsql', '@aws-sdk/client-secrets-manager'];

/** The package declares that importing its modules does nothing, so that other bundlers omit what is not used. These start a program. */
const startedBy = (module: RegExp): Plugin => ({
  name: 'start of a program',
  transform: {
    filter: { id: module },
    handler: (code) => ({ code, moduleSideEffects: true }),
  },
});

const REPLACEMENTS: readonly Plugin[] = REPLACED.map(({ name, file, text }) => ({
  name,
  load: { filter: { id: file }, handler: () => text },
}));

/** The modules of yaml, instead of one function for each of its files: what nobody uses is left out, and nothing is compiled twice. */
const YAML: Plugin = {
  name: 'modules of yaml',
  resolveId: {
    filter: { id: /^yaml$/ },
    handler: () => ({ id: join(root, 'node_modules/yaml/browser/dist/index.js'), moduleSideEffects: false }),
  },
};

/** CommonJS packages use variables that an ES module does not have. */
const withPaths = (code: string): string =>
  /(?<![\w$.])(?:__filename|__dirname)(?![\w$])/.test(code)
    ? `const __filename=import.meta.filename,__dirname=import.meta.dirname;${code}`
    : code;

interface BundleOptions {
  readonly input: Readonly<Record<string, string>>;
  /** The modules that start a program, if any does. */
  readonly starts?: RegExp;
  readonly plugins?: readonly Plugin[];
  readonly groups: readonly CodeSplittingGroup[];
  readonly entryFileNames: string;
  readonly chunkFileNames: string;
  readonly format?: 'esm' | 'cjs';
  /** Names that the bundle defines, with the text that replaces them. */
  readonly define?: Readonly<Record<string, string>>;
  readonly finish?: (code: string) => string;
  /** The file of an entry exports what its module does. Otherwise it may have more, which several files need. */
  readonly exactEntries?: boolean;
}

/** In a file that is loaded with its compiled code, `import()` does not work: who loads it defines a function for it. */
const withImports = (code: string): string => code.replace(/(?<![\w$.])import\((?=[`"'])/g, '__import(');

export interface Bundled {
  /** The paths of the modules that it contains. */
  readonly modules: readonly string[];
  /** The names of the files that somebody loads first. */
  readonly entries: readonly string[];
}

/** Writes a bundle into a folder. */
export async function writeBundle(
  folder: string,
  {
    input,
    starts,
    plugins = [],
    groups,
    format = 'esm',
    define = {},
    finish = (code) => code,
    exactEntries = false,
    ...names
  }: BundleOptions,
): Promise<Bundled> {
  const build = await rolldown({
    cwd: root,
    input: { ...input },
    platform: 'node',
    external: OPTIONAL,
    preserveEntrySignatures: 'allow-extension',
    transform: { target: 'node20.19', define: { KEYPLANE_VERSION: JSON.stringify(version), ...define } },
    plugins: [...(starts ? [startedBy(starts)] : []), ...plugins, YAML, ...REPLACEMENTS],
    // Some load a module on demand that others load at once: that is intended.
    checks: { ineffectiveDynamicImport: false },
    experimental: { chunkOptimization: { mergeCommonChunks: !exactEntries } },
    logLevel: 'warn',
  });
  const { output } = await build.generate({
    ...names,
    dir: folder,
    format,
    // The code of an ES module is strict wherever it is.
    strict: true,
    // Keeps names, for readable stack traces.
    minify: { compress: true, mangle: false, codegen: true },
    comments: false,
    codeSplitting: { groups: [...groups] },
  });
  await build.close();
  const files = output.filter((file) => file.type === 'chunk');
  for (const { fileName, code } of files) {
    const path = join(folder, fileName);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, format === 'esm' ? withPaths(finish(code)) : withImports(code));
  }
  return {
    modules: files.flatMap(({ moduleIds }) => moduleIds),
    entries: files.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName),
  };
}
