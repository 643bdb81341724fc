import { Fault, type VaultTarget } from '../../domain/index.ts';
import { encodedPath, fieldsOf, type RemoteCaller } from './caller.ts';
import type { VaultPlace } from './vault-place.ts';
import type { VaultSecret } from './vault-secret.ts';

/** A store of version 1 would take the same requests for something else. Not every token may ask. */
export async function verifyStore(
  call: RemoteCaller,
  target: VaultTarget,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { mount = 'secret', path } = target.vault;
  const at = `/v1/sys/internal/ui/mounts/${encodedPath(mount)}/${encodedPath(path)}`;
  const { status, json } = await call({ method: 'GET', path: at, expects: [200, 400, 403, 404], signal });
  if (status !== 200) return;
  const version = fieldsOf(fieldsOf(fieldsOf(json).get('data')).get('options')).get('version');
  if (String(version) === '2') return;
  throw new Fault('sink.refused', `The mount “${mount}” is not a key-value store of version 2.`, {
    hint: 'Only version 2 has versions and metadata. Choose another mount, or upgrade it with `vault kv enable-versioning`.',
  });
}

/** Vault takes 128 bytes for the name of custom metadata, which has 16 more than that of the entry. */
const LONGEST_NAME = 112;

export function verifyName({ vault: { as } }: VaultTarget): void {
  if (as.length <= LONGEST_NAME) return;
  throw new Fault('sink.refused', `The name of the entry has more than ${LONGEST_NAME} characters.`, {
    hint: 'Vault cannot hold the facts about it. Choose a shorter `as`.',
  });
}

/**
 * Vault without Enterprise ignores the namespace of a request: the secret would be where others read it. Not every server shows its
 * edition within a namespace.
 */
export async function verifyNamespace(
  call: RemoteCaller,
  { vault: { namespace } }: VaultTarget,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (namespace === undefined) return;
  const expects = [200, 400, 403, 404, 429, 472, 473, 501, 503];
  const { json } = await call({ method: 'GET', path: '/v1/sys/health?standbyok=true', expects, signal });
  if (fieldsOf(json).get('enterprise') !== false) return;
  throw new Fault('sink.refused', `This Vault has no namespaces, and would ignore “${namespace}”.`, {
    hint: 'Namespaces need Vault Enterprise or OpenBao. Omit `namespace` if the secret may be in the store without one.',
  });
}

/** Finds out before a key is created whether the token may write, where Vault shows its rights. */
export async function verifyRights(
  { call, ...paths }: VaultPlace,
  { exists, isLive }: VaultSecret,
  signal: AbortSignal | undefined,
): Promise<void> {
  const [data, metadata] = [paths.data, paths.metadata].map((path) => decodeURIComponent(path.slice('/v1/'.length)));
  const { status, json } = await call({
    method: 'POST',
    path: '/v1/sys/capabilities-self',
    body: { paths: [data, metadata] },
    effect: 'reads',
    expects: [200, 400, 403, 404],
    signal,
  });
  if (status !== 200) return;
  const rights = fieldsOf(fieldsOf(json).get('data'));
  const needed = [
    ...(isLive ? [] : [[data, exists ? 'update' : 'create'] as const]),
    // The next write needs it at the latest.
    [data, 'patch'],
    ...(exists ? [] : [[metadata, 'create'] as const]),
    [metadata, 'patch'],
  ] as const;
  for (const [path = '', right] of needed) {
    const has = rights.get(path);
    if (!Array.isArray(has) || has.includes('root') || has.includes(right)) continue;
    throw new Fault('sink.unauthorized', `The token of Vault lacks the capability “${right}” on ${path}.`, {
      hint: VAULT_PERMISSIONS,
    });
  }
}

export const VAULT_PERMISSIONS =
  'The policy of the token needs create, update and patch on the paths data/… and metadata/… of the secret, and read on at least the second one.';
