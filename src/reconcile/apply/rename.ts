import { byText, declaredName, type KeyId, type ObservedKey, stemOf } from '../../domain/index.ts';
import { tryWalk } from '../observe/walk.ts';
import { isRestore } from '../plan/quarantine.ts';
import { stemOfLive } from '../rotate/lineage.ts';
import type { LiveChange } from './execute.ts';
import { changesOf, failedIds, type Run, settle, skipAll } from './run.ts';
import { writeAllSettings } from './write-batches.ts';

type Rename = Extract<LiveChange, { verb: 'rename' }>;

/**
 * Reads the keys again, then renames in waves: a name must be free before another key takes it, or two keys would share
 * it and could not be distinguished. The rename that frees it may have failed, or may be outside a narrowed plan.
 */
export async function renameKeys(run: Run): Promise<void> {
  await renameAll(
    run,
    changesOf(run, 'rename').filter((change) => !isRestore(change)),
  );
}

/** Gives keys that leave their quarantine their names back, once they are enabled: until then, the name is what permits that. */
export async function restoreNames(run: Run): Promise<void> {
  const changes = changesOf(run, 'rename').filter(isRestore);
  const failed = failedIds(run);
  const unready = changes.filter(({ id }) => failed.has(id));
  skipAll(run, unready, { reason: 'the key was not updated and enabled first' });
  await renameAll(
    run,
    changes.filter(({ id }) => !failed.has(id)),
  );
}

async function renameAll(run: Run, changes: readonly Rename[]): Promise<void> {
  let waiting = changes;
  const before = waiting.length > 0 ? await tryWalk(run) : undefined;
  while (waiting.length > 0) {
    const ready = readyOf(waiting);
    if (ready.length === 0) return skipAll(run, waiting, { reason: 'the renames form a cycle' });
    const whyNot = obstaclesOf(run, before ?? []);
    const free = ready.filter((change) => whyNot(change) === undefined);
    for (const change of ready) {
      const reason = whyNot(change);
      if (reason !== undefined) settle(run, { state: 'skipped', change, reason });
    }
    await writeAllSettings(run, 'rename', free);
    waiting = waiting.filter((change) => !ready.includes(change));
  }
}

/**
 * The renames that wait for no other one: their names are free, also for the generations of the keys that had them, and every older
 * generation of their keys is renamed. So a run that ends halfway leaves the current generation under its former name, by which
 * the next run finds the others.
 */
function readyOf(waiting: readonly Rename[]): readonly Rename[] {
  const sources = new Set(waiting.map(({ from }) => from));
  const holders = new Map(waiting.map((change) => [stemOfLive(change.from), declaredName(change)]));
  const oldest = new Map<string, string>();
  for (const change of waiting) {
    const [key, name] = [declaredName(change), change.name];
    const other = oldest.get(key);
    if (other === undefined || byText(name, other) < 0) oldest.set(key, name);
  }
  return waiting.filter((change) => {
    const key = declaredName(change);
    const isFree = !sources.has(change.name) && (holders.get(stemOf(key)) ?? key) === key;
    return isFree && oldest.get(key) === change.name;
  });
}

/** Returns the reason why a rename cannot be made: another key has the name, or an older generation could not be renamed. */
function obstaclesOf(run: Run, before: readonly ObservedKey[]) {
  const holders = holdersOf(run, before);
  const failed = new Map(
    run.outcomes.flatMap(({ state, change }) =>
      change.verb === 'rename' && state !== 'applied' ? [[declaredName(change), change.from] as const] : [],
    ),
  );
  const owners = new Map(
    run.plan.changes.flatMap((change) => ('id' in change ? [[change.id, declaredName(change)] as const] : [])),
  );
  const byStem = new Map<string, KeyId[]>();
  for (const [name, id] of holders) byStem.set(stemOfLive(name), [...(byStem.get(stemOfLive(name)) ?? []), id]);
  return (change: Rename): string | undefined => {
    const key = declaredName(change);
    const former = failed.get(key);
    if (former !== undefined) return `“${former}”, an older generation, was not renamed first`;
    const exact = holders.get(change.name) ?? change.id;
    const other = exact === change.id ? byStem.get(stemOf(key))?.find((id) => owners.get(id) !== key) : exact;
    return other === undefined ? undefined : `key ${other} already has the name “${change.name}”`;
  };
}

/** The current name of each key, after the renames of this run. A key whose rename is uncertain counts by its old name. */
function holdersOf(run: Run, before: readonly ObservedKey[]): ReadonlyMap<string, KeyId> {
  const renamed = new Map(
    run.outcomes.flatMap(({ state, change }) =>
      change.verb === 'rename' && state === 'applied' ? [[change.id, change.name] as const] : [],
    ),
  );
  return new Map(before.map((key) => [renamed.get(key.id) ?? key.name, key.id]));
}
