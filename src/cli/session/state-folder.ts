import { mkdir } from 'node:fs/promises';
import { homedir, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import type { Environment } from './io.ts';
import { variable } from './settings.ts';

/**
 * Creates the folder for state that is neither configuration nor cache; in the system's folder for temporary files where
 * the home folder is not writable, as in many containers.
 */
export async function stateFolder(env: Environment, ...parts: readonly string[]): Promise<string> {
  const home = variable(env, 'XDG_STATE_HOME') ?? join(env.HOME || homedir(), '.local', 'state');
  const folder = join(home, 'keyplane', ...parts);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return folder;
  } catch {
    const other = join(tmpdir(), `keyplane-${userInfo().uid}`, ...parts);
    await mkdir(other, { recursive: true, mode: 0o700 });
    return other;
  }
}
