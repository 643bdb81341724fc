import { realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { isMissing } from './files.ts';

/** A path that leads out of the folder that it is confined to. The message ends a sentence. */
export class OutsideFolder extends Error {
  override readonly name = 'OutsideFolder';
}

/** Is this path a folder, or below it? Both are absolute. */
export const isWithin = (folder: string, path: string): boolean => {
  const rest = relative(folder, path);
  return rest !== '..' && !rest.startsWith(`..${sep}`) && !isAbsolute(rest);
};

/** Programs keep credentials in hidden files; `..data` is how volumes of Kubernetes name their versions. */
const isHidden = (folder: string, path: string): boolean =>
  relative(folder, path)
    .split(sep)
    .some((name) => /^\.[^.]/.test(name));

/**
 * Returns the absolute path of something that a manifest names, relative to its folder. Neither `..` nor a link may lead out of
 * that folder; a path that does not exist is judged as it is written.
 *
 * @throws OutsideFolder; an error of the file system other than for a missing file
 */
export function confinedPath(folder: string, path: string): string {
  const named = resolve(folder, path);
  if (!isWithin(folder, named)) throw new OutsideFolder('it is outside the folder of the manifest');
  try {
    const [real, top] = [realpathSync(named), realpathSync(folder)];
    if (!isWithin(top, real)) throw new OutsideFolder('a link leads out of the folder of the manifest');
  } catch (thrown) {
    if (!isMissing(thrown)) throw thrown;
  }
  return named;
}

/**
 * The same for a file whose content is shown or sent: it is a regular file, and not a hidden one.
 *
 * @throws OutsideFolder; any error of the file system
 */
export function confinedFile(folder: string, path: string): string {
  const file = confinedPath(folder, path);
  if (isHidden(folder, file) || isHidden(realpathSync(folder), realpathSync(file)))
    throw new OutsideFolder('hidden files may hold credentials');
  if (!statSync(file).isFile()) throw new Error('it is not a regular file');
  return file;
}

/**
 * Refuses a path below a trusted folder on which a link leads out of the folder that holds the link.
 *
 * @throws OutsideFolder; any error of the file system
 */
export function refuseStrayLinks(trusted: string, path: string): void {
  let at = trusted;
  for (const name of relative(trusted, path).split(sep)) {
    at = join(at, name);
    if (isWithin(realpathSync(dirname(at)), realpathSync(at))) continue;
    throw new OutsideFolder('a link on its path leads out of the folder that holds the link');
  }
}
