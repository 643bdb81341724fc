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

/** Does core run `test`? Its command is the first word after the program that is not an option. */
const isTest = ([, ...words]: readonly string[]): boolean => words.find((word) => !word.startsWith('-')) === 'test';

/** A run of core. */
export interface CoreRun {
  /** The folder that it runs in. */
  readonly folder: string;
  /** The words of its command line; empty where nothing shows them. */
  readonly words: readonly string[];
}

/**
 * Identifies the state that core stores: the folder, the workspace and the backend. The backend may hold credentials, so this
 * is a digest. The states of a test are others: it ends every key in them, and does not refresh those of the folder.
 */
export async function statePlace(env: PluginEnvironment, { folder, words }: CoreRun): Promise<string> {
  const data = resolve(folder, env.TF_DATA_DIR || '.terraform');
  const workspace = env.TF_WORKSPACE || (await textOf(join(data, 'environment'))).trim() || 'default';
  const backend = backendOf(await textOf(join(data, 'terraform.tfstate')));
  const parts = JSON.stringify([folder, workspace, backend, ...(isTest(words) ? ['test'] : [])]);
  return `sha256:${createHash('sha256').update(parts).digest('hex')}`;
}
