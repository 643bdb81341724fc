/** Delivers the secrets of keys to a vault of one’s own, and only when it does not hold them already. */
import { createKeyplane, type Manifest, openGateway, Secret } from 'keyplane';
import type { SecretSink } from 'keyplane/store';

/** A vault, as its client offers it. */
export interface Vault {
  get(path: string): Promise<string | undefined>;
  put(path: string, value: string): Promise<void>;
  remove(path: string): Promise<void>;
}

const vaultSink = (vault: Vault, path: string): SecretSink => ({
  id: `vault ${path}`,
  kind: 'file',
  adopt: true,
  propagateSeconds: 0,
  onDestroy: 'remove',
  probe: async () => ((await vault.get(path)) === undefined ? 'absent' : 'ours'),
  async compare(secret) {
    const held = await vault.get(path);
    if (held === undefined) return 'absent';
    return held === secret.reveal() ? 'current' : 'other';
  },
  write: (secret) => vault.put(path, secret.reveal()),
  read: async () => ((held) => (held === undefined ? undefined : new Secret(held)))(await vault.get(path)),
  remove: () => vault.remove(path),
});

/** Applies a manifest, and delivers the secret of each of its keys to `keys/NAME`. */
export async function applyTo(vault: Vault, manifest: Manifest, options: Parameters<typeof openGateway>[0]) {
  await using gateway = await openGateway(options);
  const of = (name: string) => [vaultSink(vault, `keys/${name}`)];
  return await createKeyplane({ gateway, sinks: { of, metadataOf: (key) => ({ key }) } }).apply(manifest);
}
