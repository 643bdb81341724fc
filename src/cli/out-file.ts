import { stat, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Fault } from '../domain/index.ts';
import type { Context } from './command.ts';
import { has, type Option, text } from './option.ts';
import { unwritable } from './write-file.ts';

/** For commands whose `--out` takes what somebody may have edited, or can not make again. */
export const REPLACE: Option = { flag: 'yes', summary: 'replace the file of --out if it exists' };

/** @param otherwise what else can be done. */
export const isThere = (file: string, otherwise: string, cause?: unknown): Fault =>
  new Fault('usage.invalid', `${file} is there already; it was left as it is.`, { hint: otherwise, cause });

/**
 * To be called before anything is asked of the gateway.
 *
 * @throws Fault `usage.invalid` when `--out` names a plain file that exists and `--yes` is not given.
 */
export async function keepExisting({ given, io }: Context): Promise<void> {
  const file = text(given, 'out');
  if (file === undefined || has(given, 'yes')) return;
  const found = await stat(resolve(io.cwd, file)).catch(() => undefined);
  if (found?.isFile()) throw isThere(file, 'Name another file with --out, or give --yes to replace this one.');
}

/** @throws Fault `usage.invalid` when there is a file already; it is left as it is. */
export async function writeNew(path: string, content: string, otherwise = 'Move that one away.'): Promise<void> {
  await writeFile(path, content, { flag: 'wx' }).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'EEXIST') throw unwritable(path, cause);
    throw isThere(path, otherwise, cause);
  });
}
