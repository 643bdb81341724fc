import { execFile } from 'node:child_process';
import { cpSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ROOT } from '../../architecture/repository.ts';

/** The parts of the package that the command line and the library consist of. */
const PARTS = ['dist/cli', 'dist/chunks', 'dist/packages', 'dist/src', 'package.json'];

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface StartOptions {
  /** `undefined` removes a variable. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The user who runs it. Only root can choose one. */
  readonly uid?: number;
}

/** A copy of the built package in a project of its own, where none of the packages of this repository is found. */
export interface Installation {
  /** The project. */
  readonly folder: string;
  /** The folder of the package. */
  readonly home: string;
  keyplane(words: readonly string[], options?: StartOptions): Promise<Ended>;
  /** Runs a module that may import `keyplane`. */
  script(text: string, options?: StartOptions): Promise<Ended>;
  write(name: string, text: string): Promise<void>;
  remove(): Promise<void>;
}

/** @param packages installed next to it; @param version instead of its own. */
export async function installAlone({
  packages = [],
  version,
}: {
  readonly packages?: readonly string[];
  readonly version?: string;
} = {}): Promise<Installation> {
  const folder = await mkdtemp(join(tmpdir(), 'keyplane-alone-'));
  const home = join(folder, 'node_modules/keyplane');
  // A copy with promises takes twice the time.
  for (const part of PARTS) cpSync(join(ROOT, part), join(home, part), { recursive: true });
  if (version !== undefined) {
    const text = await readFile(join(home, 'package.json'), 'utf8');
    await writeFile(join(home, 'package.json'), text.replace(/"version": "[^"]+"/, `"version": "${version}"`));
  }
  for (const name of packages) {
    const path = join(folder, 'node_modules', name);
    await mkdir(dirname(path), { recursive: true });
    await symlink(join(ROOT, 'node_modules', name), path);
  }
  const start = (words: readonly string[], { env = {}, uid }: StartOptions = {}): Promise<Ended> =>
    new Promise((done) => {
      const options = { cwd: folder, env: { HOME: folder, NO_COLOR: '1', ...env }, ...(uid ? { uid, gid: uid } : {}) };
      execFile(process.execPath, words, options, (error, stdout, stderr) =>
        done({ code: Number(error?.code ?? 0), stdout, stderr }),
      );
    });
  const write = (name: string, text: string): Promise<void> => writeFile(join(folder, name), text);
  return {
    folder,
    home,
    keyplane: (words, options) => start([join(home, 'dist/cli/main.js'), ...words], options),
    async script(text, options) {
      await write('script.mjs', text);
      return start(['script.mjs'], options);
    },
    write,
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
