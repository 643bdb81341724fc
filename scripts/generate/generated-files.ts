import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

export const ROOT = resolve(import.meta.dirname, '../..');

/** The generated files of the repository. Paths start at its top. */
export interface GeneratedFiles {
  readonly checking: boolean;
  /** Writes the file when its text differs; when checking, reports the difference instead. */
  settle(path: string, text: string): void;
  /** Removes a file that is no longer generated; when checking, reports it instead. */
  remove(path: string): void;
  /** Reports a mistake that generating again does not fix. */
  fail(message: string): void;
  readonly hasFailed: boolean;
}

function tryRead(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** @param checking compares only, and fails on a difference */
export function openGeneratedFiles(checking: boolean): GeneratedFiles {
  let hasFailed = false;
  const fail = (message: string): void => {
    print(message);
    hasFailed = true;
  };
  return {
    checking,
    settle(path, text) {
      const file = resolve(ROOT, path);
      if (tryRead(file) === text) return;
      if (checking) {
        fail(`${path} is not up to date: run \`npm run generate\``);
        return;
      }
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      print(`wrote ${path}`);
    },
    remove(path) {
      if (checking) {
        fail(`${path} is no longer generated: run \`npm run generate\``);
        return;
      }
      rmSync(resolve(ROOT, path));
      print(`removed ${path}`);
    },
    fail,
    get hasFailed() {
      return hasFailed;
    },
  };
}
