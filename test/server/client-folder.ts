import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Ended, environment, type Hours, runHere, spawnProgram } from '../acceptance/place.ts';
import type { Owner } from './peer.ts';

/** A folder in which commands run for one account of a server. */
export interface ClientFolder {
  readonly path: string;
  /** Runs a command in this process. */
  run(...words: readonly string[]): Promise<Ended>;
  /** Starts the built program. */
  start(...words: readonly string[]): ReturnType<typeof spawnProgram>;
  /** Writes the manifest. @param more what follows the keys */
  declare(keys: string, more?: string): Promise<void>;
  close(): Promise<void>;
}

interface FolderOptions {
  readonly url: string;
  readonly owner: Owner;
  /** Time passes without waiting. Omitted: as it does. */
  readonly hours?: Hours | undefined;
  readonly env?: Readonly<Record<string, string>>;
}

export async function openClientFolder({ url, owner, hours, env: more = {} }: FolderOptions): Promise<ClientFolder> {
  const path = await mkdtemp(join(tmpdir(), 'keyplane-server-'));
  const env = {
    ...environment(path),
    KEYPLANE_URL: url,
    KEYPLANE_USER_ID: String(owner.userId),
    KEYPLANE_ACCESS_TOKEN: owner.accessToken,
    ...more,
  };
  return {
    path,
    run: (...words) => runHere(words, path, env, hours),
    start: (...words) => spawnProgram(words, path, env),
    declare: (keys, rest = '') => writeFile(join(path, 'keyplane.yaml'), `version: 1\nkeys:\n${keys}${rest}`),
    close: () => rm(path, { recursive: true, force: true }),
  };
}
