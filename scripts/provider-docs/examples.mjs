import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { root } from '../generated-file.mjs';

const FOLDER = 'examples/provider';

const used = new Set();

/** The text of an example without its end of line, undefined when there is none. */
export function tryExample(...parts) {
  const file = resolve(root, FOLDER, ...parts);
  used.add(join(...parts));
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
}

/** @throws Error when there is none: whoever adds something to the provider shows how it is used */
export function example(...parts) {
  const text = tryExample(...parts);
  if (text !== undefined) return text;
  throw new Error(`there is no example ${join(FOLDER, ...parts)}`);
}

/** Examples that no page has shown, to be asked for after all pages are made. */
export const unusedExamples = () =>
  readdirSync(resolve(root, FOLDER), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(resolve(root, FOLDER), join(entry.parentPath, entry.name)))
    .filter((path) => !used.has(path))
    .map((path) => join(FOLDER, path));
