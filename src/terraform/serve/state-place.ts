import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { PluginEnvironment } from './handshake.ts';

/** The text of a file of core. Empty: core has not written it. */
const textOf = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '');

/** The type and settings of the backend. The rest of the file changes with every `init`. */
function backendOf(text: string): string {
  try {
    const { type, config } = JSON.parse(text).backend;
    return JSON.stringify([type, config]);
  } catch {
    return '';
  }
}

/**
 * Identifies the state that core stores: the folder, the workspace and the backend. The backend may hold credentials, so this
 * is a digest.
 *
 * @param folder the folder that core runs in
 */
export async function statePlace(env: PluginEnvironment, folder: string): Promise<string> {
  const data = resolve(folder, env.TF_DATA_DIR || '.terraform');
  const workspace = env.TF_WORKSPACE || (await textOf(join(data, 'environment'))).trim() || 'default';
  const backend = backendOf(await textOf(join(data, 'terraform.tfstate')));
  const parts = JSON.stringify([folder, workspace, backend]);
  return `sha256:${createHash('sha256').update(parts).digest('hex')}`;
}
