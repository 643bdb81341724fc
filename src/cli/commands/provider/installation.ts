import { chmod, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder, unwritable } from '../../../disk/index.ts';
import { Fault } from '../../../domain/index.ts';
import { type ProviderPackage, programName, tryReadFolder } from './package.ts';

/** A package and the folder that it belongs into. */
export interface ProviderInstallation {
  readonly folder: string;
  readonly version: string;
  readonly files: ProviderPackage;
}

export type InstallOutcome = 'written' | 'replaced' | 'unchanged';

const [PROGRAM, PLAIN] = [0o755, 0o644];

const same = (files: ProviderPackage, found: ProviderPackage): boolean =>
  files.size === found.size && [...files].every(([path, bytes]) => found.get(path)?.equals(bytes) === true);

/** The outcome of installing a package, without writing. */
export async function outcomeOf({ folder, files }: ProviderInstallation): Promise<InstallOutcome> {
  const found = await tryReadFolder(folder);
  if (found === undefined) return 'written';
  return same(files, found) ? 'unchanged' : 'replaced';
}

async function fill(folder: string, { files, version }: ProviderInstallation): Promise<void> {
  await chmod(folder, PROGRAM);
  for (const [path, bytes] of files) {
    const mode = path === programName(version) ? PROGRAM : PLAIN;
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), bytes, { mode });
  }
}

/** Puts a folder into the place of another, which goes aside; what goes wrong half way is undone. */
async function swap(fresh: string, folder: string, aside: string): Promise<void> {
  const wasThere = await rename(folder, aside).then(
    () => true,
    (cause: NodeJS.ErrnoException) => {
      if (cause.code === 'ENOENT') return false;
      throw cause;
    },
  );
  try {
    await rename(fresh, folder);
  } catch (cause) {
    if (wasThere) await rename(aside, folder);
    throw cause;
  }
}

/**
 * Installs the whole package, or leaves the folder unchanged: it is written to a new folder first, whose name does not
 * look like a platform.
 *
 * @throws Fault `file.unwritable`
 */
export async function installPackage(installation: ProviderInstallation): Promise<void> {
  const parent = dirname(installation.folder);
  let scratch: string | undefined;
  try {
    await makeFolder(parent);
    scratch = await mkdtemp(join(parent, '.new-'));
    const fresh = join(scratch, 'fresh');
    await mkdir(fresh);
    await fill(fresh, installation);
    await swap(fresh, installation.folder, join(scratch, 'old'));
  } catch (cause) {
    throw unwritable(installation.folder, cause);
  } finally {
    if (scratch !== undefined) await rm(scratch, { recursive: true, force: true });
  }
}

export const differs = (folder: string, version: string): Fault =>
  new Fault('usage.invalid', `${folder} contains another build of version ${version}; it was not changed.`, {
    hint: 'To replace it, pass --yes, and remove its entry from .terraform.lock.hcl, which has the checksum of the old build.',
  });

/** The other versions that are installed. */
export async function otherVersions({
  folder,
  version,
}: Pick<ProviderInstallation, 'folder' | 'version'>): Promise<string[]> {
  const found = await readdir(dirname(dirname(folder))).catch(() => []);
  return found.filter((name) => /^\d/.test(name) && name !== version && !name.endsWith('.zip')).sort();
}
