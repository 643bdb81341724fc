import { Secret, type VaultTarget } from '../../domain/index.ts';
import type { SinkHolder, SinkMatch, SinkMetadata, SinkOperations } from '../../reconcile/index.ts';
import { fingerprintOf, matchesFingerprint, renderFingerprint, tryParseFingerprint } from '../fingerprint.ts';
import { afterWrite, type CallSignal, encodedPath, fieldsOf, type RemoteCaller } from './caller.ts';
import { type VaultPaths, verifyRights, verifyStore } from './vault-rights.ts';
import { customMetadataOf, MANAGED_BY, markName, type VaultSecret, vaultSecretFrom } from './vault-secret.ts';

const MERGE = 'application/merge-patch+json';

/** One entry of one secret, and the way to it. */
interface VaultPlace extends VaultPaths {
  readonly call: RemoteCaller;
  readonly as: string;
}

/**
 * One entry of a secret of Vault or OpenBao. Other entries stay as they are, and every write depends on the version that was
 * read. Where the token may read values, the value decides; else a fingerprint in the custom metadata, with the version that
 * it was made for, so that any later write of somebody else is noticed.
 */
export function vaultSink(target: VaultTarget, call: RemoteCaller): SinkOperations {
  const { mount = 'secret', path, as } = target.vault;
  const at = (part: string): string => `/v1/${encodedPath(mount)}/${part}/${encodedPath(path)}`;
  const place: VaultPlace = { call, as, data: at('data'), metadata: at('metadata') };
  return {
    async probe(signal) {
      const secret = await lookAt(place, signal);
      await verifyStore(call, target, signal);
      await verifyRights(call, { paths: place, secret }, signal);
      return holderOf(secret);
    },
    compare: async (secret, signal) => matchOf(await lookAt(place, signal), secret),
    write: (secret, metadata, signal) => writeEntry(place, { secret, metadata }, signal),
    async read(signal) {
      const { value } = await lookAt(place, signal);
      return value === undefined || value === '' ? undefined : new Secret(value);
    },
    remove: (signal) => removeEntry(place, signal),
  };
}

type Facts = Readonly<Record<string, string | null>>;

/** Changes the custom metadata of the secret; null removes. */
async function annotate(place: VaultPlace, secret: VaultSecret, facts: Facts, signal: CallSignal): Promise<void> {
  // Without metadata there is nothing to patch yet, nor to remove.
  const isNew = !secret.exists;
  const kept = Object.fromEntries(Object.entries(facts).filter(([, text]) => !isNew || text !== null));
  await place.call({
    method: isNew ? 'POST' : 'PATCH',
    path: place.metadata,
    ...(isNew ? {} : { mediaType: MERGE }),
    body: { custom_metadata: kept },
    repeatable: true,
    expects: [200, 204],
    signal,
  });
}

async function writeEntry(
  place: VaultPlace,
  { secret, metadata }: { readonly secret: Secret; readonly metadata: SinkMetadata },
  signal: CallSignal,
): Promise<void> {
  const { as } = place;
  const before = await lookAt(place, signal);
  if (matchOf(before, secret) === 'current') return;
  const claim = { ...customMetadataOf(as, metadata), [markName(as)]: before.mark ?? 'pending' };
  await annotate(place, before, claim, signal);
  const version = await writeValue(place, { before, secret }, signal);
  const fingerprint = renderFingerprint(fingerprintOf(secret));
  const facts = { ...movedMarks(before, version), [markName(as)]: `${fingerprint} ${version}` };
  await annotate(place, { ...before, exists: true }, facts, signal).catch(afterWrite);
}

async function removeEntry(place: VaultPlace, signal: CallSignal): Promise<void> {
  const { as, call, data: path } = place;
  const secret = await lookAt(place, signal);
  if (secret.mark === undefined) return;
  if (secret.isLive && (!secret.isReadable || secret.value !== undefined)) {
    const body = { options: { cas: secret.version }, data: { [as]: null } };
    await call({ method: 'PATCH', path, mediaType: MERGE, body, staleWhen: STALE, expects: [200], signal });
  }
  const own = Object.keys(secret.custom).filter((name) => `${name}/`.startsWith(`${markName(as)}/`));
  const isLast = !Object.keys(secret.custom).some((name) => name.startsWith('keyplane/') && !own.includes(name));
  const gone = [...own, ...(isLast ? [MANAGED_BY] : [])];
  await annotate(place, secret, Object.fromEntries(gone.map((name) => [name, null])), signal);
}

async function lookAt({ call, as, data, metadata }: VaultPlace, signal: CallSignal): Promise<VaultSecret> {
  const has = (name: string) => (json: unknown) => fieldsOf(fieldsOf(json).get('data')).has(name);
  const values = await call({ method: 'GET', path: data, expects: [200, 403, 404], isWhole: has('metadata'), signal });
  if (values.status !== 403) return vaultSecretFrom({ as, values: values.json, isReadable: true });
  const isWhole = has('current_version');
  const facts = await call({ method: 'GET', path: metadata, expects: [200, 404], isWhole, signal });
  return vaultSecretFrom({ as, facts: facts.json, isReadable: false, now: Date.parse(facts.headers.date ?? '') });
}

function holderOf({ manager, mark, isLive, isReadable, value }: VaultSecret): SinkHolder {
  if (manager !== undefined && manager !== 'keyplane') return 'foreign';
  if (!isLive || (isReadable && value === undefined)) return 'absent';
  return mark === undefined ? 'foreign' : 'ours';
}

function matchOf({ isLive, isReadable, value, mark, version }: VaultSecret, secret: Secret): SinkMatch {
  if (!isLive) return 'absent';
  if (isReadable) {
    if (value === undefined) return 'absent';
    return secret.is(value) ? 'current' : 'other';
  }
  if (mark === undefined) return 'unknown';
  const [fingerprint, of] = mark.split(' ');
  const known = tryParseFingerprint(fingerprint);
  return known && matchesFingerprint(secret, known) && of === String(version) ? 'current' : 'other';
}

/** Writes the value if nobody has written since, and returns the version that it made. */
async function writeValue(
  { call, as, data: path }: VaultPlace,
  { before, secret }: { readonly before: VaultSecret; readonly secret: Secret },
  signal: CallSignal,
): Promise<number> {
  const versionIn = (json: unknown): number => Number(fieldsOf(fieldsOf(json).get('data')).get('version'));
  const { json } = await call({
    method: before.isLive ? 'PATCH' : 'POST',
    path,
    ...(before.isLive ? { mediaType: MERGE } : {}),
    body: { options: { cas: before.version }, data: { [as]: secret.reveal() } },
    staleWhen: STALE,
    expects: [200],
    isWhole: (answer) => versionIn(answer) > 0,
    signal,
  });
  return versionIn(json);
}

/** Another version is current, or there is none any more. */
const STALE = /check-and-set|^404/;

/** Our marks of other entries, which were true for the version before, are true for the one that a patch made. */
const movedMarks = ({ custom, version }: VaultSecret, next: number): Facts =>
  Object.fromEntries(
    Object.entries(custom).flatMap(([name, text]) =>
      name.startsWith('keyplane/') && text.endsWith(` ${version}`)
        ? [[name, `${text.slice(0, -String(version).length)}${next}`] as const]
        : [],
    ),
  );
