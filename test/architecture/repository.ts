import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import type { Tree } from './import-rules.ts';

export const ROOT = resolve(import.meta.dirname, '../..');

const OMITTED = new Set(['node_modules', 'dist', '.git']);

/** The files below some folders of this repository whose names end in one of `endings`; a missing folder counts as empty. */
export function readTree(folders: readonly string[], endings: readonly string[]): Tree {
  const tree = new Map<string, string>();
  const addFiles = (folder: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && !OMITTED.has(entry.name)) addFiles(path);
      if (entry.isFile() && endings.some((ending) => entry.name.endsWith(ending)))
        tree.set(relative(ROOT, path).split(sep).join('/'), readFileSync(path, 'utf8'));
    }
  };
  for (const folder of folders) {
    try {
      addFiles(join(ROOT, folder));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  return tree;
}

export const readRoot = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
