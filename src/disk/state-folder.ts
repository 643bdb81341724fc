import { createHash } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { access, lstat, stat } from 'node:fs/promises';
import { homedir, tmpdir, userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { type AccountRef, accountName, Fault, fileTrouble } from '../domain/index.ts';
import { makeFolder } from './make-folder.ts';

export type StateEnvironment = Readonly<Record<string, string | undefined>>;

/** A relative path would be another folder in every working folder, so it counts as unset. */
function stateHome(env: StateEnvironment): string {
  const named = env.XDG_STATE_HOME;
  if (named && isAbsolute(named)) return named;
  const home = env.HOME || homedir();
  if (!isAbsolute(home)) throw new Error('the home folder is a relative path');
  return join(home, '.local', 'state');
}

/** The folder in the system's folder for temporary files. A user of a container may have an ID and no name. */
const temporaryHome = (): string => join(tmpdir(), `keyplane-${process.getuid?.() ?? userInfo().username}`);

async function writable(...path: readonly string[]): Promise<string> {
  const folder = join(...path);
  await makeFolder(folder, 0o700);
  await access(folder, constants.W_OK);
  return folder;
}

/** Write permission of the group or of everybody. */
const OTHERS_WRITE = 0o022;

const isOurs = ({ uid }: Stats): boolean => process.getuid === undefined || uid === process.getuid();

/**
 * Everybody may write to the folder for temporary files, so somebody else may have made ours first, to remove our locks or to
 * read our files; a symbolic link would lead to a folder of their choice.
 */
async function rejectForeign(folder: string): Promise<void> {
  const found = await lstat(folder);
  if (found.isDirectory() && isOurs(found) && (process.getuid === undefined || (found.mode & OTHERS_WRITE) === 0))
    return;
  throw new Fault('file.unwritable', `${folder} belongs to another user, or others may write to it.`, {
    hint: 'Remove it, or set XDG_STATE_HOME to a folder that only you may write to.',
  });
}

async function temporaryFolder(...parts: readonly string[]): Promise<string> {
  const home = temporaryHome();
  try {
    await makeFolder(home, 0o700);
    await rejectForeign(home);
    return await writable(home, ...parts);
  } catch (cause) {
    if (cause instanceof Fault) throw cause;
    throw new Fault('file.unwritable', `${home} cannot be written: ${fileTrouble(cause)}.`, {
      cause,
      hint: 'Set XDG_STATE_HOME to a folder that you may write to.',
    });
  }
}

/**
 * Creates the folder for state that is neither configuration nor cache; in the system's folder for temporary files where
 * there is no home folder or it is not writable, as in many containers.
 *
 * @throws Fault `file.unwritable` if that is not writable either, or somebody else may write to it
 */
export async function stateFolder(env: StateEnvironment, ...parts: readonly string[]): Promise<string> {
  try {
    return await writable(stateHome(env), 'keyplane', ...parts);
  } catch {
    return await temporaryFolder(...parts);
  }
}

const isOwn = (folder: string): Promise<boolean> => stat(folder).then(isOurs, () => false);

/** Returns the existing folders that {@link stateFolder} may have used. Creates none. */
export async function stateFolders(env: StateEnvironment, ...parts: readonly string[]): Promise<readonly string[]> {
  const homes = [() => join(stateHome(env), 'keyplane'), temporaryHome].flatMap((home) => {
    try {
      return [join(home(), ...parts)];
    } catch {
      return [];
    }
  });
  const own = await Promise.all(homes.map(isOwn));
  return homes.filter((_, index) => own[index]);
}

/** Names an account in the names of files. */
export const accountHash = (account: AccountRef): string =>
  createHash('sha256').update(accountName(account)).digest('hex').slice(0, 32);
