import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { homedir, tmpdir, userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { Environment } from '../io.ts';
import { variable } from '../settings.ts';
import { makeFolder } from './make-folder.ts';

/** A relative path would be another folder in every working folder, so it counts as unset. */
function stateHome(env: Environment): string {
  const named = variable(env, 'XDG_STATE_HOME');
  if (named !== undefined && isAbsolute(named)) return named;
  const home = env.HOME || homedir();
  if (!isAbsolute(home)) throw new Error('the home folder is a relative path');
  return join(home, '.local', 'state');
}

async function writable(...path: readonly string[]): Promise<string> {
  const folder = join(...path);
  await makeFolder(folder, 0o700);
  await access(folder, constants.W_OK);
  return folder;
}

/**
 * Creates the folder for state that is neither configuration nor cache; in the system's folder for temporary files where
 * there is no home folder or it is not writable, as in many containers.
 */
export async function stateFolder(env: Environment, ...parts: readonly string[]): Promise<string> {
  try {
    return await writable(stateHome(env), 'keyplane', ...parts);
  } catch {
    // A user of a container may have an ID and no name.
    return await writable(tmpdir(), `keyplane-${process.getuid?.() ?? userInfo().username}`, ...parts);
  }
}
