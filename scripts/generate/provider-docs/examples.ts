import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { ROOT } from '../generated-files.ts';

const FOLDER = 'examples/provider';

/** The examples of the provider's documentation, which remember which of them a page has shown. */
export interface Examples {
  /** @throws Error when there is none: every part of the provider needs an example */
  read(...parts: readonly string[]): string;
  tryRead(...parts: readonly string[]): string | undefined;
  /** Returns the examples that no page has shown so far. */
  findUnused(): readonly string[];
}

export function openExamples(): Examples {
  const used = new Set<string>();
  const tryRead = (...parts: readonly string[]): string | undefined => {
    const file = resolve(ROOT, FOLDER, ...parts);
    used.add(join(...parts));
    return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
  };
  return {
    tryRead,
    read(...parts) {
      const text = tryRead(...parts);
      if (text !== undefined) return text;
      throw new Error(`there is no example ${join(FOLDER, ...parts)}`);
    },
    findUnused: () =>
      readdirSync(resolve(ROOT, FOLDER), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => relative(resolve(ROOT, FOLDER), join(entry.parentPath, entry.name)))
        .filter((path) => !used.has(path))
        .map((path) => join(FOLDER, path)),
  };
}
