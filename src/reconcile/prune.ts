import { asFault, Fault, type ObservedKey, type Outcome, type Pending } from '../domain/index.ts';
import { executeInto } from './phases.ts';
import { changesOf, eachChange, halted, type Run, settle, skipAll } from './run.ts';

type Delete = Extract<Pending, { verb: 'delete' }>;
type Withheld = Pick<Extract<Outcome, { state: 'skipped' }>, 'reason' | 'remedy'>;

/**
 * The last phases of a run: what is no longer declared is disabled or deleted. A pruned key may be the one that a new or
 * a renamed key replaces, so both wait for the creates, the renames and the checks of the same run.
 */

/** Returns the reason why nothing is pruned; undefined when it may be. */
function withheld(run: Run): Withheld | undefined {
  const reason = halted(run) ?? unproven(run);
  return reason === undefined ? unreplaced(run) : { reason };
}

const unproven = ({ checks }: Run): string | undefined =>
  checks?.results.some(({ verdict }) => verdict === 'failed')
    ? 'a check of a written key failed, so nothing is deleted or disabled'
    : undefined;

function unreplaced({ options, outcomes }: Run): Withheld | undefined {
  if (options.pruneAnyway) return undefined;
  const missing = outcomes.filter(
    ({ state, change: { verb } }) => state !== 'applied' && (verb === 'create' || verb === 'rename'),
  );
  const [first, ...others] = missing;
  if (first === undefined) return undefined;
  const { verb, name } = first.change;
  const more = others.length === 0 ? '' : `, and ${others.length} more,`;
  return { reason: `held back, because the ${verb} of “${name}”${more} did not succeed`, remedy: 'prune-anyway' };
}

/** Disables the keys that are no longer declared. */
export async function disablePruned(run: Run): Promise<void> {
  const changes = changesOf(run, 'disable').filter(({ reason }) => reason === 'pruned');
  const held = withheld(run);
  if (held) skipAll(run, changes, held);
  else await eachChange(run, { phase: 'status', changes }, (change) => executeInto(run, change));
}

const DELETE_BATCH = 100;

/**
 * Deletes in batches. The gateway only counts what it deleted, so a walk afterwards shows which are gone:
 * {@link settleDeletes}.
 */
export async function deleteKeys(run: Run): Promise<ReadonlyMap<Delete, Fault | undefined>> {
  const changes = changesOf(run, 'delete');
  const sent = new Map<Delete, Fault | undefined>();
  if (changes.length === 0) return sent;
  run.options.onEvent?.({ kind: 'phase', phase: 'delete', total: changes.length });
  for (let at = 0; at < changes.length; at += DELETE_BATCH) {
    const batch = changes.slice(at, at + DELETE_BATCH);
    const held = withheld(run);
    if (held) skipAll(run, batch, held);
    else {
      const fault = await run.store.delete(batch.map((change) => change.id)).then(() => undefined, asFault);
      for (const change of batch) sent.set(change, fault);
    }
  }
  return sent;
}

/** A key that is gone was deleted, whatever the answer was; one that is still there was not. */
export function settleDeletes(
  run: Run,
  sent: ReadonlyMap<Delete, Fault | undefined>,
  walked: readonly ObservedKey[] | undefined,
): void {
  const there = walked && new Set(walked.map((key) => key.id));
  for (const [change, fault] of sent) {
    if (there && !there.has(change.id)) settle(run, { state: 'applied', change, id: change.id });
    else if (there) settle(run, { state: 'failed', change, fault: fault ?? stillThere(change) });
    else settle(run, { state: 'indeterminate', change, fault: fault ?? unseen(change) });
  }
}

const stillThere = (change: Delete): Fault =>
  new Fault('gateway.refused', `Key ${change.id} (“${change.name}”) still exists after it was deleted.`);

const unseen = (change: Delete): Fault =>
  new Fault(
    'gateway.indeterminate',
    `It is unknown whether key ${change.id} (“${change.name}”) was deleted: the lookup failed.`,
    {
      hint: 'Run the command again: it looks for the key first.',
    },
  );
