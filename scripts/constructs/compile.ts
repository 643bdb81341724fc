// Compiles the constructs once for each CDK. They are written for cdktf; for cdktn only the name of the package and the generated
// classes differ. The output is CommonJS, as both CDKs are: ECMAScript modules can import it by name, and no class exists twice,
// so that `instanceof` is reliable.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { bundleConstructs } from './bundle.ts';

const root = resolve(import.meta.dirname, '../..');
const compiler = join(root, 'node_modules/typescript/bin/tsc');
export const CDKS = ['cdktf', 'cdktn'] as const;
export type Cdk = (typeof CDKS)[number];

const asFor = (cdk: Cdk, text: string): string => text.replace(/(?<=from '|\/gen\/)cdktf(?=['/])/g, cdk);

/** Copies the sources for one CDK into the same folders below `folder`. */
function stage(folder: string, cdk: Cdk): { readonly type: string } {
  const sources = readdirSync(join(root, 'constructs/cdk'), { recursive: true, encoding: 'utf8' });
  for (const path of sources.filter((each) => each.endsWith('.ts'))) {
    const target = join(folder, 'constructs/cdk', path);
    mkdirSync(resolve(target, '..'), { recursive: true });
    writeFileSync(target, asFor(cdk, readFileSync(join(root, 'constructs/cdk', path), 'utf8')));
  }
  cpSync(join(root, 'constructs/gen/attributes.ts'), join(folder, 'constructs/gen/attributes.ts'));
  cpSync(join(root, 'constructs/gen', cdk), join(folder, 'constructs/gen', cdk), { recursive: true });
  cpSync(join(root, 'src/domain'), join(folder, 'src/domain'), { recursive: true });
  const module = { type: 'commonjs' };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(module)}\n`);
  return module;
}

function configure(folder: string, outDir: string): void {
  const compilerOptions = {
    noEmit: false,
    declaration: true,
    // The sources are ECMAScript modules, and the output is not.
    verbatimModuleSyntax: false,
    rootDir: '.',
    outDir,
  };
  const config = { extends: join(root, 'tsconfig.json'), compilerOptions, include: ['constructs'] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
}

/** @returns whether it compiled; mistakes are printed */
export async function compileConstructs(dist: string, cdk: Cdk): Promise<boolean> {
  const build = join(root, '.build');
  mkdirSync(build, { recursive: true });
  const folder = mkdtempSync(join(build, `${cdk}-`));
  try {
    const outDir = join(dist, 'constructs', cdk);
    const module = stage(folder, cdk);
    configure(folder, outDir);
    const compilation = spawn(process.execPath, [compiler, '-p', folder], { cwd: root, stdio: 'inherit' });
    const [status] = await once(compilation, 'close');
    if (status !== 0) return false;
    writeFileSync(join(outDir, 'package.json'), `${JSON.stringify(module)}\n`);
    await bundleConstructs(folder, outDir);
    return true;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
