import { Fault, type Secret, type VaultTarget } from '../../domain/index.ts';
import { type CallSignal, encodedPath, fieldsOf, type RemoteCaller } from './caller.ts';
import type { SinkConnection, WrittenPlace } from './connections.ts';
import {
  reasonOfVault,
  secretFromFacts,
  secretFromValues,
  unversionedSecret,
  type VaultSecret,
} from './vault-secret.ts';

const MERGE = 'application/merge-patch+json';

/** One entry of one secret, and the way to it. */
export interface VaultPlace {
  readonly call: RemoteCaller;
  readonly connection: SinkConnection;
  /** Distinguishes the secret from the others of its server. */
  readonly name: string;
  readonly as: string;
  /** The path of the values of the secret. */
  readonly data: string;
  /** The path of the facts about it. */
  readonly metadata: string;
}

export function vaultPlace(
  { vault: { namespace = '', mount = 'secret', path, as } }: VaultTarget,
  call: RemoteCaller,
  connection: SinkConnection,
): VaultPlace {
  const at = (part: string): string => `/v1/${encodedPath(mount)}/${part}/${encodedPath(path)}`;
  return { call, connection, name: `${namespace} ${at('data')}`, as, data: at('data'), metadata: at('metadata') };
}

/** The times between two looks at a secret that does not show yet what this run wrote. */
const PAUSES_MS = [20, 50, 100, 200, 400, 800];

/**
 * Reads the secret as far as the token may. A standby of OpenBao answers reads by itself, some milliseconds behind: what this run
 * wrote is waited for, and if it does not appear, somebody else has changed it.
 */
export async function lookAt(place: VaultPlace, signal: CallSignal): Promise<VaultSecret> {
  let secret = await lookOnce(place, signal);
  for (const ms of PAUSES_MS) {
    if (shows(secret, place.connection.written.get(place.name))) break;
    await place.connection.pause(ms, signal);
    secret = await lookOnce(place, signal);
  }
  return secret;
}

function shows({ version, custom }: VaultSecret, written: WrittenPlace | undefined): boolean {
  if (written === undefined || version > written.version) return true;
  return (
    version === written.version &&
    Object.entries(written.facts).every(([name, text]) => (custom[name] ?? null) === text)
  );
}

function remember({ connection: { written }, name }: VaultPlace, news: Partial<WrittenPlace>): void {
  const before = written.get(name) ?? { version: 0, facts: {}, isOwn: false };
  written.set(name, { ...before, ...news, facts: { ...before.facts, ...news.facts } });
}

/** Has the secret nothing but what this run wrote? Then it has no entry of somebody else, even where values cannot be read. */
export function isAllOwn({ connection, name }: VaultPlace, { version }: VaultSecret): boolean {
  const written = connection.written.get(name);
  return written?.isOwn === true && written.version === version;
}

const hasField = (name: string) => (json: unknown) => fieldsOf(fieldsOf(json).get('data')).has(name);

async function lookOnce(place: VaultPlace, signal: CallSignal): Promise<VaultSecret> {
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

export type CustomFacts = Readonly<Record<string, string | null>>;

/** Another version is current, or there is none any more. */
const STALE = /check-and-set|^404/;

/** Vault takes 64 pairs in one request. */
const MOST_FACTS = 60;

/** Changes the custom metadata of the secret; null removes. Those of others stay. */
export async function annotate(place: VaultPlace, facts: CustomFacts, signal: CallSignal): Promise<void> {
  const all = Object.entries(facts);
  for (let from = 0; from < all.length; from += MOST_FACTS) {
    const some = Object.fromEntries(all.slice(from, from + MOST_FACTS));
    if (await sendFacts(place, some, { signal })) continue;
    await sendFacts(place, some, { version: await versionOfFacts(place, signal), signal });
  }
  remember(place, { facts });
}

/** OpenBao can require that a change of metadata names the version that it changes. */
const NEEDS_VERSION = /metadata check-and-set parameter required/;

/** Returns false where the store requires the version. */
async function sendFacts(
  { call, metadata: path }: VaultPlace,
  facts: CustomFacts,
  { version, signal }: { readonly version?: number; readonly signal: CallSignal },
): Promise<boolean> {
  const isFree = version === undefined;
  const to = { path, repeatable: isFree, handles: isFree ? NEEDS_VERSION : undefined, staleWhen: STALE, signal };
  const bodyOf = (pairs: CustomFacts): object => ({
    custom_metadata: pairs,
    ...(isFree ? {} : { metadata_cas: version }),
  });
  const patch = { ...to, method: 'PATCH', mediaType: MERGE, body: bodyOf(facts), expects: [200, 204, 404] } as const;
  const { status } = await call(patch);
  if (status !== 404) return status < 400;
  // There is nothing to patch.
  const kept = Object.fromEntries(Object.entries(facts).filter(([, text]) => text !== null));
  if (Object.keys(kept).length === 0) return true;
  const made = await call({ ...to, method: 'POST', body: bodyOf(kept), expects: [200, 204] });
  return made.status < 400;
}

async function versionOfFacts({ call, metadata: path }: VaultPlace, signal: CallSignal): Promise<number> {
  const { json } = await call({ method: 'GET', path, expects: [200, 404], signal });
  return Number(fieldsOf(fieldsOf(json).get('data')).get('current_metadata_version') ?? 0);
}

/**
 * Writes the value, or removes the entry for null, if nobody has written since. Returns the version that it made.
 *
 * @throws Fault `sink.stale`
 */
export async function writeValue(
  place: VaultPlace,
  before: VaultSecret,
  { secret, signal }: { readonly secret: Secret | null; readonly signal: CallSignal },
): Promise<number> {
  const { call, as, data: path } = place;
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
  const version = versionIn(json);
  remember(place, { version, isOwn: !before.isLive || isAllOwn(place, before) });
  return version;
}
