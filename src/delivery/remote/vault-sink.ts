import { asFault, Secret, type VaultTarget } from '../../domain/index.ts';
import type { SinkHolder, SinkMatch, SinkMetadata, SinkOperations } from '../../reconcile/index.ts';
import { fingerprintOf, matchesFingerprint, renderFingerprint, tryParseFingerprint } from '../fingerprint.ts';
import { afterWrite, type CallSignal, type RemoteCaller } from './caller.ts';
import type { SinkConnection } from './connections.ts';
import {
  annotate,
  type CustomFacts,
  isAllOwn,
  lookAt,
  type VaultPlace,
  vaultPlace,
  writeValue,
} from './vault-place.ts';
import { verifyName, verifyNamespace, verifyRights, verifyStore } from './vault-rights.ts';
import { customMetadataOf, MANAGED_BY, markName, type VaultSecret } from './vault-secret.ts';

/**
 * One entry of a secret of Vault or OpenBao. Other entries stay as they are, and every write depends on the version that was
 * read. Where the token may read values, the value decides; else a fingerprint in the custom metadata, with the version that
 * it was made for, so that any later write of somebody else is noticed.
 */
export function vaultSink(target: VaultTarget, call: RemoteCaller, connection: SinkConnection): SinkOperations {
  const place = vaultPlace(target, call, connection);
  // Several keys of a run may have entries in one secret: each write reads what the one before it wrote, and no look is in between.
  const inTurn = <T>(task: () => Promise<T>): Promise<T> => connection.inTurn(place.name, task);
  return {
    async probe(signal) {
      verifyName(target);
      await verifyNamespace(call, target, signal);
      await verifyStore(call, target, signal);
      const secret = await lookAt(place, signal);
      await verifyRights(place, secret, signal);
      return !secret.isReadable && secret.mark === undefined && isAllOwn(place, secret) ? 'absent' : holderOf(secret);
    },
    compare: (secret, signal) => inTurn(async () => matchOf(await lookAt(place, signal), secret)),
    write: (secret, metadata, signal) =>
      inTurn(() => changeEntry(place, signal, (before) => writeEntry(place, before, { secret, metadata }, signal))),
    async read(signal) {
      const { value } = await lookAt(place, signal);
      return value === undefined || value === '' ? undefined : new Secret(value);
    },
    remove: (signal) => inTurn(() => changeEntry(place, signal, (before) => removeEntry(place, before, signal))),
  };
}

/** The secret of a delivery, and the facts about its key. */
interface VaultDelivery {
  readonly secret: Secret;
  readonly metadata: SinkMetadata;
}

/** The most versions of other entries that a write gives way to. */
const MOST_STALE = 5;

/** Changes the entry, again where somebody else, such as another run, has written another entry of the secret meanwhile. */
async function changeEntry(
  place: VaultPlace,
  signal: CallSignal,
  change: (secret: VaultSecret) => Promise<void>,
): Promise<void> {
  let before = await lookAt(place, signal);
  for (let stale = 0; ; stale += 1) {
    try {
      return await change(before);
    } catch (thrown) {
      if (asFault(thrown).code !== 'sink.stale' || stale === MOST_STALE) throw thrown;
      const now = await lookAt(place, signal);
      if (!isSameEntry(before, now)) throw thrown;
      before = now;
    }
  }
}

/** Is the entry as it was, though the version is another one? Where values cannot be read, its mark has to be of that version. */
function isSameEntry(before: VaultSecret, now: VaultSecret): boolean {
  if (now.isReadable) return before.isReadable && before.value === now.value;
  const [fingerprint, version] = now.mark?.split(' ') ?? [];
  return version === String(now.version) && fingerprint === before.mark?.split(' ')[0];
}

async function writeEntry(
  place: VaultPlace,
  before: VaultSecret,
  { secret, metadata }: VaultDelivery,
  signal: CallSignal,
): Promise<void> {
  const { as } = place;
  if (matchOf(before, secret) === 'current') return;
  const claim = { ...customMetadataOf(as, metadata), [markName(as)]: before.mark ?? 'pending' };
  await annotate(place, claim, signal);
  const version = await writeValue(place, before, { secret, signal });
  const fingerprint = renderFingerprint(fingerprintOf(secret));
  const facts = { ...movedMarks(before, version), [markName(as)]: `${fingerprint} ${version}` };
  await annotate(place, facts, signal).catch(afterWrite);
}

async function removeEntry(place: VaultPlace, secret: VaultSecret, signal: CallSignal): Promise<void> {
  const { as } = place;
  if (secret.mark === undefined) return;
  const isHeld = secret.isLive && (!secret.isReadable || secret.value !== undefined);
  const moved = isHeld ? movedMarks(secret, await writeValue(place, secret, { secret: null, signal })) : {};
  const own = Object.keys(secret.custom).filter((name) => `${name}/`.startsWith(`${markName(as)}/`));
  const isLast = !Object.keys(secret.custom).some((name) => name.startsWith('keyplane/') && !own.includes(name));
  const gone = [...own, ...(isLast ? [MANAGED_BY] : [])];
  await annotate(place, { ...moved, ...Object.fromEntries(gone.map((name) => [name, null])) }, signal);
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

/** Our marks of other entries, which were true for the version before, are true for the one that a patch made. */
const movedMarks = ({ custom, version }: VaultSecret, next: number): CustomFacts =>
  Object.fromEntries(
    Object.entries(custom).flatMap(([name, text]) =>
      name.startsWith('keyplane/') && text.endsWith(` ${version}`)
        ? [[name, `${text.slice(0, -String(version).length)}${next}`] as const]
        : [],
    ),
  );
