// Plugins that make a start read fewer and smaller files.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import type { Plugin } from 'esbuild';

/** The module of each `import()` in a source. */
const ON_DEMAND = /\bimport\('(\.[^']+)'\)/g;

/** Returns the modules below a folder that are loaded on demand from there. */
function loadedOnDemand(folder: string): ReadonlySet<string> {
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));
  const targets = sources.flatMap((path) => {
    const file = join(folder, path);
    const names = [...readFileSync(file, 'utf8').matchAll(ON_DEMAND)].map(([, name = '']) => name);
    return names.map((name) => resolve(dirname(file), name)).filter((target) => target.startsWith(folder));
  });
  return new Set(targets);
}

/**
 * esbuild makes a chunk for each set of entries that share modules. What a start loads is in 20 such sets, and so in 20 files, as
 * some commands need this of it and some that. Everything that is loaded on demand later names the whole start, which is loaded
 * by then: so all of the start is in one set.
 */
export const joinStart = (folder: string, start: string): Plugin => ({
  name: 'join the start',
  setup({ onLoad, onResolve }) {
    const targets = loadedOnDemand(folder);
    // The package declares that importing its modules does nothing, so that other bundlers omit what is not used. Here everything
    // is used by somebody, and an import without names would be omitted.
    onResolve({ filter: /^\.{1,2}\/.*\.ts$/ }, ({ path, importer }) =>
      importer.includes('node_modules') ? undefined : { path: resolve(dirname(importer), path), sideEffects: true },
    );
    onLoad({ filter: /\.ts$/ }, ({ path }) =>
      targets.has(path)
        ? { contents: `${readFileSync(path, 'utf8')}\nimport './${relative(dirname(path), start)}';`, loader: 'ts' }
        : undefined,
    );
  },
});

/** zod brings its messages in 50 languages, half of its size. Keyplane writes its own, in English. */
export const ENGLISH_ONLY: Plugin = {
  name: 'messages of zod in English',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js';",
    }));
  },
};
