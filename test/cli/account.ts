import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ReferenceOptions, type Seed, startReferenceGateway } from '../../src/reference/index.ts';
import { NOW, openTerminal } from './terminal.ts';

export const SEED: Seed = {
  accounts: [{ userId: 42, accessToken: 'token-for-tests', quota: 5_000_000 }],
  keys: [
    { id: 3, name: 'app-1', remain_quota: 500_000 },
    { id: 4, name: 'app-2', remain_quota: 500_000 },
  ],
};

/** A gateway in this process, a folder with a manifest, and terminals in front of it. */
export async function openAccount(
  manifest: string,
  seed: Seed = SEED,
  profile: 'contract' | 'deployed' = 'contract',
  more: Pick<ReferenceOptions, 'userHeader'> = {},
) {
  const folder = await mkdtemp(join(tmpdir(), 'keyplane-cli-'));
  const gateway = await startReferenceGateway({ seed, profile, control: true, now: () => NOW, ...more });
  await writeFile(join(folder, 'keyplane.yaml'), `version: 1\n${manifest}`);
  const env = {
    HOME: folder,
    KEYPLANE_URL: gateway.url,
    KEYPLANE_USER_ID: '42',
    KEYPLANE_ACCESS_TOKEN: 'token-for-tests',
    NO_COLOR: '1',
    // The tests of the lock choose the other one.
    KEYPLANE_LOCK: 'file',
  };
  return {
    folder,
    env,
    url: gateway.url,
    terminal: (terminal = true, more: Record<string, string> = {}) =>
      openTerminal({ terminal, env: { ...env, ...more }, cwd: folder }),
    /** Replaces the manifest. */
    write: (text: string) => writeFile(join(folder, 'keyplane.yaml'), `version: 1\n${text}`),
    async names(): Promise<string[]> {
      const state = (await (await fetch(`${gateway.url}/_reference/state`)).json()) as { keys: { name: string }[] };
      return state.keys.map(({ name }) => name).sort();
    },
    async close() {
      await gateway.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
