import { readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { fileTrouble } from '../domain/index.ts';
import type { Report } from './problem.ts';

/** One file of a manifest, as text. */
export interface SourceFile {
  /** As places name it: relative to the working folder when it lies in it, else absolute. */
  readonly name: string;
  readonly folder: string;
  /** Without a byte order mark. */
  readonly text: string;
}

const EXTENSIONS = /\.(ya?ml|json)$/i;
const SIZE_LIMIT = 32 * 1024 * 1024;

function displayName(path: string, cwd: string): string {
  const name = relative(cwd, path);
  return name === '' || name.startsWith('..') || resolve(name) === name ? path : name;
}

interface Looking {
  readonly cwd: string;
  readonly report: Report;
}

function unreadable(path: string, error: unknown, { cwd, report }: Looking): void {
  const isMissing = (error as { code?: unknown }).code === 'ENOENT';
  report.problem({
    code: 'manifest.unreadable',
    at: { file: displayName(path, cwd), line: 1, column: 1 },
    message: `${displayName(path, cwd)} can not be read.`,
    found: fileTrouble(error),
    expected: 'a readable file of UTF-8 text, or a folder',
    hint: isMissing ? 'Is the path right? `keyplane init` writes a first manifest.' : `The path is ${path}.`,
  });
}

async function filesIn(folder: string, looking: Looking): Promise<readonly string[]> {
  const entries = await readdir(folder);
  const names = entries.filter((name) => EXTENSIONS.test(name) && !name.startsWith('.')).sort();
  if (names.length === 0) {
    looking.report.problem({
      code: 'manifest.no-files',
      at: { file: displayName(folder, looking.cwd), line: 1, column: 1 },
      message: `${displayName(folder, looking.cwd)} holds no manifest file.`,
      found: entries.length === 0 ? 'an empty folder' : `${entries.length} entries, none of them a manifest file`,
      expected: 'files named *.yaml, *.yml or *.json',
      hint: 'Folders are not searched deeper, and files whose names begin with a dot are left out.',
    });
  }
  return names.map((name) => join(folder, name));
}

async function expand(path: string, looking: Looking): Promise<readonly string[]> {
  try {
    return (await stat(path)).isDirectory() ? await filesIn(path, looking) : [path];
  } catch (error) {
    unreadable(path, error, looking);
    return [];
  }
}

async function readText(path: string, looking: Looking): Promise<SourceFile | undefined> {
  try {
    const bytes = await readFile(path);
    if (bytes.length > SIZE_LIMIT) throw new Error('it is larger than 32 MiB');
    // The decoder takes a byte order mark away.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { name: displayName(path, looking.cwd), folder: dirname(path), text };
  } catch (error) {
    unreadable(path, error, looking);
    return undefined;
  }
}

/**
 * The texts of files and folders, in the order given; in a folder `*.yaml`, `*.yml` and `*.json`, by name, not deeper.
 * A file that is named twice is read once. What can not be read is reported.
 */
export async function readSources(paths: readonly string[], looking: Looking): Promise<readonly SourceFile[]> {
  const found = new Set<string>();
  for (const path of paths) {
    for (const file of await expand(resolve(looking.cwd, path), looking)) found.add(file);
  }
  const texts = await Promise.all([...found].map((file) => readText(file, looking)));
  return texts.filter((text) => text !== undefined);
}
