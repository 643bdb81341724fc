import sodium from 'libsodium-wrappers';
import { type ApiAnswer, openApiServer } from './api-server.ts';

interface StoredSecret {
  readonly sealed: string;
  readonly value: string;
  readonly updated_at: string;
}

export interface GithubOptions {
  readonly token?: string;
  /** Scopes of a classic token. */
  readonly scopes?: string;
  /** Without it, requests for variables are rejected. */
  readonly mayUseVariables?: boolean;
}

const PLACES = ['/repos/acme/shop/actions', '/repos/acme/shop/environments/production%20eu'];
const missing: ApiAnswer = { status: 404, json: { message: 'Not Found' } };
const FIRST_MS = Date.parse('2026-11-25T12:00:00Z');

/** Secrets and variables of GitHub Actions as the documentation of its REST API describes them. Listed in decision 38. */
export async function startGithub(options: GithubOptions = {}) {
  const { token = 'ghp_forTestsOnlyForTestsOnlyForTestsOnly12', scopes = '', mayUseVariables = true } = options;
  await sodium.ready;
  const pair = sodium.crypto_box_keypair();
  const keyOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
  const keys = { id: '3380204578043523366', publicKey: keyOf(pair.publicKey), privateKey: keyOf(pair.privateKey) };
  const secrets = new Map<string, StoredSecret>();
  const variables = new Map<string, { value: string; updated_at: string }>();
  let seconds = 0;
  /** Times of GitHub have whole seconds. */
  const now = (): string => {
    seconds += 1;
    return new Date(FIRST_MS + seconds * 1000).toISOString().replace('.000Z', 'Z');
  };
  const storeSecret = (path: string, sealed: string): void => {
    const opened = sodium.crypto_box_seal_open(Buffer.from(sealed, 'base64'), pair.publicKey, pair.privateKey);
    secrets.set(path, { sealed, value: Buffer.from(opened).toString(), updated_at: now() });
  };
  const secret = (method: string, path: string, body: Record<string, unknown>): ApiAnswer => {
    const known = secrets.get(path);
    if (method === 'GET') {
      return known ? { status: 200, json: { name: path.split('/').at(-1), updated_at: known.updated_at } } : missing;
    }
    if (method === 'DELETE') return secrets.delete(path) ? { status: 204 } : missing;
    if (body.key_id !== keys.id) return { status: 422, json: { message: 'The key_id does not match the public key' } };
    storeSecret(path, String(body.encrypted_value));
    return { status: known ? 204 : 201, ...(known ? {} : { json: {} }) };
  };
  const variable = (method: string, path: string, body: Record<string, unknown>): ApiAnswer => {
    if (!mayUseVariables) return { status: 403, json: { message: 'Resource not accessible by personal access token' } };
    if (method === 'POST') {
      const made = `${path}/${body.name}`;
      if (variables.has(made)) return { status: 409, json: { message: 'Variable already exists' } };
      variables.set(made, { value: String(body.value), updated_at: now() });
      return { status: 201, json: {} };
    }
    const known = variables.get(path);
    if (!known) return missing;
    if (method === 'GET') return { status: 200, json: { name: path.split('/').at(-1), ...known } };
    if (method === 'DELETE') variables.delete(path);
    else variables.set(path, { value: String(body.value), updated_at: now() });
    return { status: 204 };
  };
  const server = await openApiServer((request) => {
    const { path, method, headers } = request;
    if (headers.authorization !== `Bearer ${token}`) return { status: 401, json: { message: 'Bad credentials' } };
    if (headers['user-agent'] === undefined) return { status: 403, json: { message: 'User-Agent is required' } };
    if (!PLACES.some((place) => path.startsWith(`${place}/`))) return missing;
    const body = Object(request.body) as Record<string, unknown>;
    if (path.endsWith('/secrets/public-key')) {
      return { status: 200, json: { key_id: keys.id, key: keys.publicKey }, headers: { 'x-oauth-scopes': scopes } };
    }
    return path.includes('/secrets/') ? secret(method, path, body) : variable(method, path, body);
  });
  return Object.assign(server, {
    token,
    keys,
    secrets,
    variables,
    /** Writes as somebody else, who encrypts for the same key. */
    put: (path: string, value: string) => storeSecret(path, keyOf(sodium.crypto_box_seal(value, pair.publicKey))),
  });
}
