import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';

/** The generated classes, from any module: they are an entry of their own, and each of them must exist once. */
const GENERATED: Plugin = {
  name: 'generated classes',
  setup({ onResolve }) {
    onResolve({ filter: /\/gen\/cdkt[fn]\// }, ({ path }) => ({
      path: path.replace(/^.*\/gen\//, '../gen/').replace(/\.ts$/, '.js'),
      external: true,
    }));
  },
};

/** Removes the compiled modules, and leaves their declarations. */
function removeModules(folder: string): void {
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (path.endsWith('.js')) rmSync(join(folder, path));
  }
}

/**
 * Replaces the compiled modules of the constructs by one file, without what they do not use: reading a hundred files took an app longer
 * than declaring a hundred keys. Its lines stay as they are, because Node.js prints the one that throws.
 *
 * @param source the staged sources
 * @param outDir the compiled modules and their declarations
 */
export async function bundleConstructs(source: string, outDir: string): Promise<void> {
  for (const folder of ['constructs/cdk', 'src']) removeModules(join(outDir, folder));
  rmSync(join(outDir, 'constructs/gen/attributes.js'));
  await build({
    entryPoints: [join(source, 'constructs/cdk/index.ts')],
    outfile: join(outDir, 'constructs/cdk/index.js'),
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    format: 'cjs',
    packages: 'external',
    plugins: [GENERATED],
    legalComments: 'none',
    logLevel: 'warning',
  });
}
