import { lstat, stat, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { unwritable } from '../../../disk/index.ts';
import { Fault } from '../../../domain/index.ts';
import type { Context } from '../../program/command.ts';
import { has, text } from '../../program/option.ts';

/** @param otherwise what else can be done. */
export const isThere = (file: string, otherwise: string, cause?: unknown): Fault =>
  new Fault('usage.invalid', `${file} already exists; it was not changed.`, { hint: otherwise, cause });

/** A link to nothing is somebody's, too: it would be replaced, and what it was meant to reach would stay away. */
async function isKept(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found
    ? found.isFile()
    : await lstat(path).then(
        () => true,
        () => false,
      );
}

/**
 * To be called before anything is asked of the gateway.
 *
 * @throws Fault `usage.invalid` when `--out` names a plain file or a link that is there and `--yes` is not given.
 */
export async function keepExisting({ given, io }: Context): Promise<void> {
  const file = text(given, 'out');
  if (file === undefined || has(given, 'yes')) return;
  if (await isKept(resolve(io.cwd, file)))
    throw isThere(file, 'Choose another file with --out, or pass --yes to replace this one.');
}

/** @throws Fault `usage.invalid` when there is a file already; it is left unchanged. */
export async function writeNew(path: string, content: string, otherwise = 'Move the existing file.'): Promise<void> {
  await writeFile(path, content, { flag: 'wx' }).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'EEXIST') throw unwritable(path, cause);
    throw isThere(path, otherwise, cause);
  });
}
