// Bundles the command line, the library and the provider. What every start of a program needs is few files; what only some
// commands need, or a configured provider, is in others that load on demand. Reading many small files is half of a start.
import type { BuildOptions } from 'esbuild';
import { bundlePackage } from './bundle/package.ts';
import { bundleProvider } from './bundle/provider.ts';
import { OPTIONAL, version } from './bundle/write-bundle.ts';

/** CommonJS packages use variables that an ES module does not have. */
export const COMMON_JS = [
  "import { createRequire as requireFrom } from 'node:module';",
  'const require = requireFrom(import.meta.url), __filename = import.meta.filename, __dirname = import.meta.dirname;',
].join(' ');

export const bundling: BuildOptions = {
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  // Keeps names, for readable stack traces.
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: 'none',
  external: OPTIONAL,
  define: { KEYPLANE_VERSION: JSON.stringify(version) },
  logLevel: 'warning',
};

/** Adds programs and library to the declarations in `dist`. */
export async function bundlePrograms(dist: string): Promise<void> {
  await Promise.all([bundleProvider(dist), bundlePackage(dist)]);
}
