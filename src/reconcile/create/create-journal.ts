import { hash } from 'node:crypto';
import {
  asFault,
  canonicalJson,
  Fault,
  type KeyId,
  type KeySettings,
  type ObservedKey,
  type UnixSeconds,
} from '../../domain/index.ts';
import { comparable, type Normalize, rememberSets } from '../plan/diff.ts';
import type { KeyStore } from '../ports.ts';
import type { Create } from './create.ts';
import { settleTwins, twinsIn } from './settle-twins.ts';

/** A create that an earlier run sent, and whose answer that run did not record. */
export interface UnansweredCreate {
  readonly name: string;
  /** The greatest ID of the account before it was sent. */
  readonly newestBefore: number;
  /** Seconds since it was sent. */
  readonly age: number;
  /** False: the key is disabled right after it was created. */
  readonly enabled: boolean;
  /** A run has reported what became of it. It stays recorded, because it can still take effect. */
  readonly isReported?: true;
}

export interface UnansweredCreates {
  readonly creates: readonly UnansweredCreate[];
  /** Keys that were created to be disabled, and whose disable did not succeed. Absent: none. */
  readonly leftEnabled?: readonly KeyId[];
  /** Seconds since something was written that cannot be read: any name may have been sent then. */
  readonly unreadableAge?: number;
}

/** A create as it is recorded before it is sent. */
export interface RecordedCreate {
  readonly name: string;
  /** Stands for the settings that are sent: {@link createDigest}. */
  readonly digest: string;
  /** False: the key is disabled right after it was created. */
  readonly enabled: boolean;
}

/**
 * The names of creates, recorded before they are sent: a create can take effect after its sender gave up or died. The next
 * run reads it. Has one account.
 */
export interface CreateJournal {
  load(): Promise<UnansweredCreates>;
  /** Records names durably. @throws Fault when it cannot; nothing may be sent then. */
  record(creates: readonly RecordedCreate[], newestBefore: number): Promise<void>;
  /** Removes names that this run recorded and that were answered, or never sent. */
  forget(names: readonly string[]): Promise<void>;
  /** Notes that the outcomes of unanswered creates were reported. Omitted: each run reports them, for as long as they are recorded. */
  reported?(names: readonly string[]): Promise<void>;
  /** Notes durably which created keys are to be disabled and are not: the next run finishes what this one began. */
  leftEnabled(keys: readonly CreatedKey[]): Promise<void>;
}

export interface CreatedKey {
  readonly name: string;
  readonly id: KeyId;
}

/** A create of a run that ended before the ID of its key was stored for sure. */
export interface LeftCreate extends RecordedCreate {
  /** The greatest ID of the account before it was sent. */
  readonly newestBefore: number;
  readonly at: UnixSeconds;
  /** Identifies the run that recorded it. */
  readonly run: string;
  /** The key that the run found; undefined: the run ended before it found one. */
  readonly id?: KeyId;
}

/**
 * A journal for a creator that somebody else stores the IDs of keys for, and that may be killed before they are stored. So an
 * answered create stays recorded until the run has ended properly, or the ID was seen where it is stored.
 */
export interface KeptJournal extends CreateJournal {
  /** Notes the ID of a created key. */
  answered(name: string, id: KeyId): void;
  /** The creates of runs that have ended without closing their journal, and whose IDs would be stored in the same place. */
  left(): Promise<readonly LeftCreate[]>;
  /** Removes creates of earlier runs whose keys are stored, or do not exist. */
  retire(creates: readonly LeftCreate[]): Promise<void>;
  /** Ends the run properly: whatever was answered is stored. */
  close(): Promise<void>;
}

/**
 * Returns a digest of what a create sends, which the key shows as long as nobody changes it.
 *
 * @param normal see {@link rememberSets}
 */
export const createDigest = (settings: KeySettings, normal?: Normalize): string =>
  `sha256:${hash('sha256', canonicalJson(comparable(settings, normal)))}`;

/** Longer than the time limits of usual proxies and of the gateway’s requests to its database. */
export const DEFAULT_SETTLE_SECONDS = 120;

/** The protection against creates that take effect late. */
export interface LateCreates {
  readonly journal: CreateJournal;
  /** The time after which a create that was sent and is not listed counts as lost, in seconds. */
  readonly settle: number;
  /** Resolves after the wait, or when the run is interrupted. */
  readonly wait: (waiting: Waiting) => Promise<void>;
  /** Called once for each create whose outcome is known and was unknown to earlier runs. */
  readonly onResolved?: (resolved: readonly ResolvedCreate[]) => void;
  /** Called when creates took effect after a later run had created the keys again, and their unused keys were deleted. */
  readonly onTwinsDeleted?: (twins: readonly CreatedKey[]) => void;
}

/** A create of an earlier run, and the key that it made; undefined: it took no effect. */
export interface ResolvedCreate {
  readonly name: string;
  readonly id: KeyId | undefined;
}

export interface LateOptions {
  readonly store: KeyStore;
  readonly late: LateCreates;
  readonly now: () => UnixSeconds;
  readonly signal?: AbortSignal | undefined;
  readonly maxLogPages?: number | undefined;
  /** Rejects once another run may have taken the lock of the account: nothing is deleted then. */
  readonly ensureHeld?: (() => Promise<void>) | undefined;
}

export interface Waiting {
  readonly seconds: number;
  /** Empty: the names are unknown. */
  readonly names: readonly string[];
}

export const CLOCKS_APART_SECONDS = 300;

/** Are there creates of earlier runs to settle? Sends nothing. */
export async function hasEarlierCreates({ journal }: LateCreates): Promise<boolean> {
  const { creates, unreadableAge } = await journal.load();
  return creates.length > 0 || unreadableAge !== undefined;
}

/** May a create that this run or an earlier one sent still take effect? Sends nothing. */
export async function mayArriveLate({ journal, settle }: LateCreates): Promise<boolean> {
  const { creates, unreadableAge } = await journal.load();
  const ages = [...creates.map(({ age }) => age), unreadableAge ?? Number.POSITIVE_INFINITY];
  return waitOf(Math.max(settle, DEFAULT_SETTLE_SECONDS), ages) > 0;
}

/**
 * Settles the creates that earlier runs left unanswered, before anything is planned: looks for their names, waits for those
 * that may still appear, and deletes the unused twins of those that appeared after a later run had created them again.
 *
 * Costs nothing when there are none, else one walk, and another after a wait; never a search for each name.
 */
export async function settleEarlierCreates(options: LateOptions): Promise<void> {
  const { store, late, now, signal, maxLogPages, ensureHeld } = options;
  const { creates, unreadableAge } = await late.journal.load();
  let keys = creates.length > 0 ? await store.walk() : [];
  const missing = resolve(creates, keys).filter(({ id }) => id === undefined);
  const seconds = waitOf(late.settle, [...missing.map(({ age }) => age), unreadableAge ?? Number.POSITIVE_INFINITY]);
  if (seconds > 0) {
    await late.wait({ seconds, names: missing.map(({ name }) => name) });
    if (signal?.aborted) throw new Fault('gateway.interrupted', 'Interrupted while waiting for earlier creates.');
    keys = creates.length > 0 ? await store.walk() : [];
  }
  await reportResolved(late, creates, keys);
  const newestBefore = new Map<string, number>();
  for (const { name, newestBefore: id } of creates) newestBefore.set(name, Math.min(id, newestBefore.get(name) ?? id));
  const oldest = Math.max(0, ...creates.map(({ age }) => age));
  const since = now() - oldest - CLOCKS_APART_SECONDS;
  const disabled = new Set(creates.filter(({ enabled }) => !enabled).map(({ name }) => name));
  const gone = await settleTwins(store, twinsIn(keys, newestBefore), { since, maxLogPages, disabled, ensureHeld });
  if (gone.size > 0) {
    late.onTwinsDeleted?.(keys.flatMap(({ name, id }) => (gone.has(id) ? [{ name, id }] : [])));
  }
}

/** Finds for each create the key that it made: the oldest of its name that is newer than the account was. */
function resolve<C extends UnansweredCreate>(
  creates: readonly C[],
  keys: readonly ObservedKey[],
): readonly (C & ResolvedCreate)[] {
  const ids = new Map<string, KeyId[]>();
  for (const { name, id } of [...keys].sort((a, b) => a.id - b.id)) {
    const of = ids.get(name);
    if (of) of.push(id);
    else ids.set(name, [id]);
  }
  const idOf = ({ name, newestBefore }: C): KeyId | undefined => ids.get(name)?.find((id) => id > newestBefore);
  return creates.map((create) => ({ ...create, id: idOf(create) }));
}

/** Reports outcomes that no run has reported: creates stay recorded for longer than they are news. */
async function reportResolved(
  { journal, onResolved }: LateCreates,
  creates: readonly UnansweredCreate[],
  keys: readonly ObservedKey[],
): Promise<void> {
  const unreported = creates.filter(({ isReported }) => !isReported);
  if (unreported.length === 0) return;
  const resolved = resolve(unreported, keys).map(({ name, id }) => ({ name, id }));
  const byName = new Map(resolved.map((each) => [each.name, each]));
  onResolved?.([...byName.values()]);
  await journal.reported?.([...byName.keys()]).catch(() => undefined);
}

/**
 * Finds the keys that a run of the last day created to be disabled, and that nobody has used. To disable them ends no key of
 * anybody: it finishes that run. Without a readable journal there are none.
 */
export async function findUnfinished(
  { journal }: LateCreates,
  keys: readonly ObservedKey[],
): Promise<ReadonlySet<KeyId>> {
  const { creates, leftEnabled = [] } = await journal.load().catch((): UnansweredCreates => ({ creates: [] }));
  const known = new Set(leftEnabled);
  const made = creates
    .filter(({ enabled }) => !enabled)
    .map(({ name, newestBefore }) => keys.filter((key) => key.name === name && key.id > newestBefore));
  // Of several, somebody else may have made one.
  const alone = new Set(made.flatMap(([key, ...others]) => (key && others.length === 0 ? [key.id] : [])));
  const unused = keys.filter(({ id, used = 0 }) => (known.has(id) || alone.has(id)) && used === 0);
  return new Set(unused.map(({ id }) => id));
}

/** A clock that was set back makes no age negative. */
const waitOf = (settle: number, ages: readonly number[]): number =>
  Math.max(0, ...ages.map((age) => settle - Math.max(0, age)));

/** Seconds until creates of ended runs that no key answers for can no longer take effect. */
export const createRemainder = (
  left: readonly LeftCreate[],
  { settle, now }: { readonly settle: number; readonly now: UnixSeconds },
): number =>
  waitOf(
    settle,
    left.flatMap(({ id, at }) => (id === undefined ? [now - at] : [])),
  );

/** Records creates before they are sent. Returns the fault that forbids sending them. */
export function recordFault(
  late: LateCreates | undefined,
  creates: readonly Create[],
  newestBefore: number,
): Promise<Fault | undefined> {
  if (late === undefined || creates.length === 0) return Promise.resolve(undefined);
  const normal = rememberSets();
  const recorded = creates.map(({ name, settings, enabled }) => ({
    name,
    digest: createDigest(settings, normal),
    enabled,
  }));
  return late.journal.record(recorded, newestBefore).then(() => undefined, asFault);
}
