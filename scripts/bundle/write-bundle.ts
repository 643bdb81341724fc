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
  /** The modules that start a program. */
  readonly starts: RegExp;
  readonly plugins?: readonly Plugin[];
  readonly groups: readonly CodeSplittingGroup[];
  readonly entryFileNames: string;
  readonly chunkFileNames: string;
  readonly finish?: (code: string) => string;
}

/** Writes a bundle into a folder. @returns the paths of the modules that it contains */
export async function writeBundle(
  folder: string,
  { input, starts, plugins = [], groups, finish = (code) => code, ...names }: BundleOptions,
): Promise<readonly string[]> {
  const build = await rolldown({
    cwd: root,
    input: { ...input },
    platform: 'node',
    external: OPTIONAL,
    preserveEntrySignatures: 'allow-extension',
    transform: { target: 'node20.19', define: { KEYPLANE_VERSION: JSON.stringify(version) } },
    plugins: [startedBy(starts), ...plugins, YAML, ...REPLACEMENTS],
    // Some load a module on demand that others load at once: that is intended.
    checks: { ineffectiveDynamicImport: false },
    logLevel: 'warn',
  });
  const { output } = await build.generate({
    ...names,
    dir: folder,
    format: 'esm',
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
    writeFileSync(path, withPaths(finish(code)));
  }
  return files.flatMap(({ moduleIds }) => moduleIds);
}
