import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');

export interface Compiled {
  /** A program that starts a gateway with the options in its first argument, as JSON, and prints its address. */
  readonly program: string;
  remove(): void;
}

const PROGRAM = `
import { startReferenceGateway } from './src/reference/index.js';
const gateway = await startReferenceGateway(JSON.parse(process.argv[2]));
process.stdout.write(JSON.stringify({ url: gateway.url, accounts: gateway.accounts }) + '\\n');
`;

/** The reference gateway as JavaScript, in a folder of its own, so that a plain Node.js can be started with it, and killed. */
export function compileGateway(): Compiled {
  const cache = join(ROOT, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'gateway-'));
  const config = join(folder, 'tsconfig.json');
  const include = ['reference', 'synthetic', 'media', 'wire', 'domain'].map((room) => join(ROOT, 'src', room));
  const compilerOptions = {
    noEmit: false,
    rootDir: ROOT,
    outDir: folder,
    typeRoots: [join(ROOT, 'node_modules/@types')],
  };
  writeFileSync(config, JSON.stringify({ extends: join(ROOT, 'tsconfig.json'), compilerOptions, include }));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  execFileSync(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', config], { stdio: 'pipe' });
  const program = join(folder, 'gateway.mjs');
  writeFileSync(program, PROGRAM);
  return { program, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
