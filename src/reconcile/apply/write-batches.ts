import pMap from 'p-map';
import { asFault, type KeyId, type ObservedKey, type Pending } from '../../domain/index.ts';
import type { KeyChange } from '../plan/moved.ts';
import {
  type ChangeContext,
  type Executed,
  execute,
  gone,
  type KeySwitch,
  needsReadBack,
  notMade,
  readBack,
  refuseMoved,
  type SentSettings,
  type SettingsChange,
  writeSettings,
} from './execute.ts';
import { beginPhase, eachChange, type Phase, type Run, settle } from './run.ts';

/**
 * Writes to keys that exist, in batches: a plan may have waited for a person, and a run takes long. The keys of a batch are
 * read again right before it, so that what somebody else changed meanwhile is neither overwritten nor deleted.
 */

const BATCH = 100;

export function batchesIn<C>(changes: readonly C[]): readonly (readonly C[])[] {
  return Array.from({ length: Math.ceil(changes.length / BATCH) }, (_, n) => changes.slice(n * BATCH, (n + 1) * BATCH));
}

/** The facts about a change that the run knows. */
export const contextOf = ({ options, disabled, enabled }: Run, { id }: KeyChange): ChangeContext => ({
  rate: options.observed.quotaPerUnit,
  isDisabled: disabled.has(id),
  isEnabled: enabled.has(id),
});

/** Is the key limited once the change is made? Only then does its remainder mean anything. */
export function isLimited(change: Pending): boolean {
  if (change.verb !== 'update' && change.verb !== 'rename') return false;
  const edit = change.edits.find(({ field }) => field === 'unlimited');
  return edit ? edit.after === false : !change.before.unlimited;
}

function settleExecuted(run: Run, { outcome, correction, step, isUnverified }: Executed): void {
  const { change } = outcome;
  if (isUnverified && isLimited(change)) run.unverified.add(change.name);
  if (correction) run.corrections.push(correction);
  if (step !== undefined && 'id' in change && isLimited(change)) {
    run.suspects.push({ id: change.id, name: change.name, step });
  }
  settle(run, outcome);
}

/** Writes settings: each key is read right before its write, and those of a batch are read back together. */
export async function writeAllSettings(run: Run, phase: Phase, changes: readonly SettingsChange[]): Promise<void> {
  const progress = beginPhase(run, phase, changes.length);
  for (const batch of batchesIn(changes)) {
    const written: SentSettings[] = [];
    await eachChange(run, { changes: batch, progress }, async (change) => {
      const result = await writeSettings(change, run.store, contextOf(run, change));
      if (result.state === 'written') written.push(result);
      else settle(run, result);
    });
    await readAllBack(run, written);
  }
}

async function readAllBack(run: Run, written: readonly SentSettings[]): Promise<void> {
  const ids = written.filter(needsReadBack).map(({ change }) => change.id);
  const keys = ids.length === 0 ? new Map<KeyId, ObservedKey>() : await run.store.readMany(ids).catch(() => null);
  const { concurrency } = run.options;
  await pMap(
    written,
    async (each) =>
      settleExecuted(run, await readBack(each, keys === null ? null : keys.get(each.change.id), run.store)),
    { concurrency },
  );
}

/** Changes statuses, of keys that are as they were planned. */
export async function writeAllStatuses(run: Run, changes: readonly KeySwitch[]): Promise<void> {
  const progress = beginPhase(run, 'status', changes.length);
  for (const batch of batchesIn(changes)) {
    const fresh = new Map<KeySwitch, ObservedKey>(await readAgain(run, batch));
    progress.done += batch.length - fresh.size;
    await eachChange(run, { changes: [...fresh.keys()], progress }, async (change) => {
      if (fresh.get(change)?.status === `${change.verb}d`) {
        settle(run, {
          state: 'applied',
          change,
          id: change.id,
          remark: `somebody else had already ${change.verb}d it`,
        });
      } else settleExecuted(run, await execute(change, run.store, contextOf(run, change)));
    });
  }
}

/** Reads the keys of a batch again, and settles the changes of those that moved or are gone. Returns the others. */
export async function readAgain<C extends KeyChange>(
  run: Run,
  changes: readonly C[],
): Promise<readonly (readonly [C, ObservedKey])[]> {
  const keys = await run.store.readMany(changes.map(({ id }) => id)).catch(asFault);
  return changes.flatMap((change) => {
    try {
      if (!(keys instanceof Map)) throw keys;
      const now = keys.get(change.id);
      if (now === undefined) throw gone(change);
      refuseMoved(change, now, contextOf(run, change));
      return [[change, now] as const];
    } catch (thrown) {
      const fault = asFault(thrown);
      const isDeleted = change.verb === 'delete' && fault.code === 'gateway.not-found';
      settle(
        run,
        isDeleted ? { state: 'applied', change, id: change.id, remark: ALREADY_DELETED } : notMade(change, fault),
      );
      return [];
    }
  });
}

const ALREADY_DELETED = 'somebody else had already deleted it';
