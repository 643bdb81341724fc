import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../architecture/repository.ts';
import { scriptWords } from '../script-words.ts';

const run = promisify(execFile);

const PARTS = [
  'src',
  'constructs',
  'scripts',
  'schema',
  'package.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'LICENSE',
];

/** A copy of the repository in which a table can get another row. */
export interface RepositoryCopy {
  readonly folder: string;
  /** Replaces a text that must occur in the file. */
  edit(path: string, before: string, after: string): void;
  /** Generates what the constructs need, and builds: types, program, constructs, provider. */
  build(): Promise<void>;
  remove(): void;
}

/** Copies the source below this repository, so that the program and its tests find the same packages. */
export function copyRepository(): RepositoryCopy {
  mkdirSync(join(ROOT, '.build'), { recursive: true });
  const folder = mkdtempSync(join(ROOT, '.build/field-row-'));
  for (const part of PARTS) cpSync(join(ROOT, part), join(folder, part), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const runScript = async (path: string, ...words: readonly string[]): Promise<void> => {
    const [flag = '', loader = ''] = scriptWords(path);
    const options = { cwd: folder, maxBuffer: 1 << 26 };
    await run(process.execPath, [flag, loader, join(folder, path), ...words], options).catch((error: Error) => {
      throw new Error(`${error.message}\n${(error as Error & { stdout: string }).stdout}`);
    });
  };
  return {
    folder,
    edit(path, before, after) {
      const text = readFileSync(join(folder, path), 'utf8');
      if (!text.includes(before)) throw new Error(`${path} does not contain ${before}`);
      writeFileSync(join(folder, path), text.replace(before, after));
    },
    async build() {
      await runScript('scripts/generate.ts', 'manifest', 'key-fields', 'constructs');
      await runScript('scripts/build.ts');
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
