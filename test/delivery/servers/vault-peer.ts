import { randomUUID } from 'node:crypto';
import { ADMINISTRATOR, type Right, startVault } from './vault-server.ts';

export interface VaultRights {
  readonly data: readonly Right[];
  readonly metadata: readonly Right[];
}

export interface VaultAnswer {
  readonly status: number;
  readonly json: unknown;
}

/** A secret of a server, an administrator, and a token with rights on that secret. */
export interface VaultPeer {
  readonly url: string;
  readonly path: string;
  readonly token: string;
  /** Sends a request with the token, or as the administrator. */
  readonly ask: (method: string, at: string, body?: unknown, as?: 'administrator') => Promise<VaultAnswer>;
  readonly close: () => Promise<void>;
}

const ALL: readonly Right[] = ['create', 'read', 'update', 'patch', 'delete'];
export const ALL_RIGHTS: VaultRights = { data: ALL, metadata: ALL };

const askAt =
  (url: string, tokens: Readonly<Record<'own' | 'administrator', string>>): VaultPeer['ask'] =>
  async (method, at, body, as) => {
    const response = await fetch(`${url}/v1/${at}`, {
      method,
      headers: {
        'x-vault-token': tokens[as ?? 'own'],
        'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, json: text === '' ? undefined : JSON.parse(text) };
  };

/** Opens the server of the tests. */
export async function openOwnPeer({ data, metadata }: VaultRights): Promise<VaultPeer> {
  const path = 'apps/checkout';
  const { url, token, close } = await startVault({ path, dataRights: data, metadataRights: metadata });
  return { url, path, token, ask: askAt(url, { own: token, administrator: ADMINISTRATOR }), close };
}

const { KEYPLANE_ACCEPTANCE_VAULT_URL: URL = '', KEYPLANE_ACCEPTANCE_VAULT_TOKEN: ROOT = '' } = process.env;

export const IS_VAULT_NAMED = URL !== '';

/** Opens the server that the environment names; CONTRIBUTING.md describes how. */
export async function openNamedPeer({ data, metadata }: VaultRights): Promise<VaultPeer> {
  const id = randomUUID();
  const path = `keyplane-tests/${id}`;
  const asRoot = askAt(URL, { own: ROOT, administrator: ROOT });
  const policy = [
    ['data', data],
    ['metadata', metadata],
  ].map(([part, rights]) => `path "secret/${part}/${path}" { capabilities = ${JSON.stringify(rights)} }`);
  await asRoot('PUT', `sys/policies/acl/keyplane-tests-${id}`, { policy: policy.join('\n') });
  const made = await asRoot('POST', 'auth/token/create', { policies: [`keyplane-tests-${id}`], ttl: '1h' });
  const token = (made.json as { auth: { client_token: string } }).auth.client_token;
  return {
    url: URL,
    path,
    token,
    ask: askAt(URL, { own: token, administrator: ROOT }),
    async close() {
      await asRoot('DELETE', `secret/metadata/${path}`);
      await asRoot('DELETE', `sys/policies/acl/keyplane-tests-${id}`);
      await asRoot('POST', 'auth/token/revoke', { token });
    },
  };
}
