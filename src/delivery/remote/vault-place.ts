import { Fault, type Secret, type VaultTarget } from '../../domain/index.ts';
import { type CallSignal, encodedPath, fieldsOf, type RemoteCaller } from './caller.ts';
import { reasonOfVault } from './vault-rights.ts';
import { secretFromFacts, secretFromValues, unversionedSecret, type VaultSecret } from './vault-secret.ts';

const MERGE = 'application/merge-patch+json';

/** One entry of one secret, and the way to it. */
export interface VaultPlace {
  readonly call: RemoteCaller;
  readonly as: string;
  /** The path of the values of the secret. */
  readonly data: string;
  /** The path of the facts about it. */
  readonly metadata: string;
}

export function vaultPlace({ vault: { mount = 'secret', path, as } }: VaultTarget, call: RemoteCaller): VaultPlace {
  const at = (part: string): string => `/v1/${encodedPath(mount)}/${part}/${encodedPath(path)}`;
  return { call, as, data: at('data'), metadata: at('metadata') };
}

const hasField = (name: string) => (json: unknown) => fieldsOf(fieldsOf(json).get('data')).has(name);

/** Reads the secret as far as the token may. */
export async function lookAt(place: VaultPlace, signal: CallSignal): Promise<VaultSecret> {
  const { call, as, data: path } = place;
  const isWhole = hasField('metadata');
  const { status, json } = await call({ method: 'GET', path, expects: [200, 403, 404], isWhole, signal });
  if (status === 403) return await lookAtFacts(place, signal);
  refuseOtherMissing(status, json);
  if (fieldsOf(json).has('data')) return secretFromValues(as, json);
  const facts = await call({ method: 'GET', path: place.metadata, expects: [200, 403, 404], signal });
  return unversionedSecret(as, facts.json);
}

async function lookAtFacts({ call, as, metadata: path }: VaultPlace, signal: CallSignal): Promise<VaultSecret> {
  const isWhole = hasField('current_version');
  const { status, json, headers } = await call({ method: 'GET', path, expects: [200, 404], isWhole, signal });
  refuseOtherMissing(status, json);
  return secretFromFacts(as, json, Date.parse(headers.date ?? ''));
}

/** A missing secret has no reason. A store or a namespace that is missing has one, and nothing can be written there. */
function refuseOtherMissing(status: number, json: unknown): void {
  const reason = status === 404 ? (reasonOfVault(json) ?? '') : '';
  if (reason === '') return;
  throw new Fault('sink.refused', 'Vault has no such store, or no such namespace (404).', {
    hint: 'Check `mount` and `namespace` in the manifest.',
  });
}

export type Facts = Readonly<Record<string, string | null>>;

/** Changes the custom metadata of the secret; null removes. Those of others stay. */
export async function annotate({ call, metadata: path }: VaultPlace, facts: Facts, signal: CallSignal): Promise<void> {
  const patch = { method: 'PATCH', path, mediaType: MERGE, repeatable: true, signal } as const;
  const { status } = await call({ ...patch, body: { custom_metadata: facts }, expects: [200, 204, 404] });
  if (status !== 404) return;
  // There is nothing to patch. OpenBao rejects a write that others were faster than, and Vault ignores this.
  const kept = Object.fromEntries(Object.entries(facts).filter(([, text]) => text !== null));
  if (Object.keys(kept).length === 0) return;
  const body = { custom_metadata: kept, metadata_cas: 0 };
  await call({ method: 'POST', path, body, repeatable: true, expects: [200, 204], signal });
}

/** Another version is current, or there is none any more. */
const STALE = /check-and-set|^404/;

/**
 * Writes the value, or removes the entry for null, if nobody has written since. Returns the version that it made.
 *
 * @throws Fault `sink.stale`
 */
export async function writeValue(
  { call, as, data: path }: VaultPlace,
  before: VaultSecret,
  { secret, signal }: { readonly secret: Secret | null; readonly signal: CallSignal },
): Promise<number> {
  const versionIn = (json: unknown): number => Number(fieldsOf(fieldsOf(json).get('data')).get('version'));
  const { json } = await call({
    method: before.isLive ? 'PATCH' : 'POST',
    path,
    ...(before.isLive ? { mediaType: MERGE } : {}),
    body: { options: { cas: before.version }, data: { [as]: secret?.reveal() ?? null } },
    staleWhen: STALE,
    expects: [200],
    isWhole: (answer) => versionIn(answer) > 0,
    signal,
  });
  return versionIn(json);
}
