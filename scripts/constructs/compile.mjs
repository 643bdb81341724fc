// Compiles the constructs once for each CDK. They are written for cdktf; for cdktn they are the same, word for word, but for the
// name of the package and the generated classes beside them. The output is CommonJS, as both CDKs are: ECMAScript modules can
// import it by name, and a class is never there twice, so that `instanceof` tells the truth.

import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');
const compiler = join(root, 'node_modules/typescript/bin/tsc');
export const CDKS = ['cdktf', 'cdktn'];

const asFor = (cdk, text) => text.replace(/(?<=from '|\/gen\/)cdktf(?=['/])/g, cdk);

/** The sources as they are for one CDK, in the same folders as here. */
function stage(folder, cdk) {
  const sources = readdirSync(join(root, 'constructs/cdk'), { recursive: true, encoding: 'utf8' });
  for (const path of sources.filter((each) => each.endsWith('.ts'))) {
    const target = join(folder, 'constructs/cdk', path);
    mkdirSync(resolve(target, '..'), { recursive: true });
    writeFileSync(target, asFor(cdk, readFileSync(join(root, 'constructs/cdk', path), 'utf8')));
  }
  cpSync(join(root, 'constructs/gen', cdk), join(folder, 'constructs/gen', cdk), { recursive: true });
  cpSync(join(root, 'src/domain'), join(folder, 'src/domain'), { recursive: true });
  const module = { type: 'commonjs' };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(module)}\n`);
  return module;
}

function configure(folder, outDir) {
  const compilerOptions = {
    noEmit: false,
    declaration: true,
    // The modules that are emitted are not those that are written.
    verbatimModuleSyntax: false,
    rootDir: '.',
    outDir,
  };
  const config = { extends: join(root, 'tsconfig.json'), compilerOptions, include: ['constructs'] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
}

/** @returns whether it compiled; what is wrong is printed */
export function compileConstructs(dist, cdk) {
  const build = join(root, '.build');
  mkdirSync(build, { recursive: true });
  const folder = mkdtempSync(join(build, `${cdk}-`));
  try {
    const outDir = join(dist, 'constructs', cdk);
    const module = stage(folder, cdk);
    configure(folder, outDir);
    const { status } = spawnSync(process.execPath, [compiler, '-p', folder], { cwd: root, stdio: 'inherit' });
    if (status === 0) writeFileSync(join(outDir, 'package.json'), `${JSON.stringify(module)}\n`);
    return status === 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
