import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Fault, fileTrouble } from '../../../domain/index.ts';

/** The built provider, next to the folder of the bundle that this file is part of. */
const FOLDER = fileURLToPath(new URL('../provider/', import.meta.url));

/** To be run by Node.js: alone it is the provider, with the word `schema` it prints what that can. */
export const PROVIDER_PROGRAM = join(FOLDER, 'provider.cjs');

/** Starts the program. As it is executable, it gets the name that Terraform looks for. */
const LAUNCHER = 'launch.sh';

/** Relative paths with the bytes that belong there: all of a package of the provider, as Terraform wants it. */
export type ProviderPackage = ReadonlyMap<string, Buffer>;

export const programName = (version: string): string => `terraform-provider-keyplane_v${version}`;

/** Every file below a folder, by its relative path; undefined when there is no such folder. */
export async function tryReadFolder(folder: string): Promise<ProviderPackage | undefined> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => undefined);
  if (entries === undefined) return undefined;
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const files = paths.sort().map(async (path) => [relative(folder, path), await readFile(path)] as const);
  return new Map(await Promise.all(files));
}

/** @throws Fault `file.unwritable` when this installation has no provider */
export async function readProviderPackage(version: string): Promise<ProviderPackage> {
  const built = await tryReadFolder(FOLDER).catch((cause: unknown) => {
    throw new Fault('file.unwritable', `${FOLDER} cannot be read: ${fileTrouble(cause)}.`, { cause });
  });
  if (!built?.has(LAUNCHER)) {
    throw new Fault('file.unwritable', `There is no provider in ${FOLDER}.`, {
      hint: 'Install Keyplane again or, in a clone, run `npm run build`.',
    });
  }
  const named = [...built].map(([path, bytes]) => [path === LAUNCHER ? programName(version) : path, bytes] as const);
  return new Map(named);
}
