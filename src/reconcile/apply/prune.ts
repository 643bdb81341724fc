import { asFault, Fault, type KeyId, type ObservedKey, type Outcome, type Pending } from '../../domain/index.ts';
import { mayHaveHappened, notMade, refuseMoved, wasNeverSent } from './execute.ts';
import { beginPhase, changesOf, halted, type Run, settle, skipAll } from './run.ts';
import { batchesIn, contextOf, readAgain, writeAllStatuses } from './write-batches.ts';

type Delete = Extract<Pending, { verb: 'delete' }>;
type Withheld = Pick<Extract<Outcome, { state: 'skipped' }>, 'reason' | 'remedy'>;

/**
 * The last phases of a run: what is no longer declared is disabled or deleted. A pruned key may be the one that a new or
 * a renamed or enabled key replaces, so both wait for the creates, the renames, the enables and the checks of the same
 * run.
 */

/** Returns the reason why nothing is pruned; undefined when it may be. */
export async function withheld(run: Run): Promise<Withheld | undefined> {
  const reason = (await halted(run)) ?? unproven(run);
  return reason === undefined ? unreplaced(run) : { reason };
}

const unproven = ({ checks }: Run): string | undefined =>
  checks?.results.some(({ verdict }) => verdict === 'failed')
    ? 'a check of a written key failed, so nothing is deleted or disabled'
    : undefined;

/** An enable counts too: the guard lets the last enabled key end when the plan enables another. */
const REPLACING: ReadonlySet<Pending['verb']> = new Set(['create', 'rename', 'enable']);

function unreplaced({ options, outcomes }: Run): Withheld | undefined {
  if (options.pruneAnyway) return undefined;
  const missing = outcomes.filter(({ state, change: { verb } }) => state !== 'applied' && REPLACING.has(verb));
  const [first, ...others] = missing;
  if (first === undefined) return undefined;
  const { verb, name } = first.change;
  const more = others.length === 0 ? '' : `, and ${others.length} more,`;
  return { reason: `held back, because the ${verb} of “${name}”${more} did not succeed`, remedy: 'prune-anyway' };
}

/** Disables the keys that are no longer declared. */
export async function disablePruned(run: Run): Promise<void> {
  const changes = changesOf(run, 'disable').filter(({ reason }) => reason === 'pruned');
  const held = await withheld(run);
  if (held) skipAll(run, changes, held);
  else await writeAllStatuses(run, changes);
}

/**
 * Deletes in batches. The gateway only counts what it deleted, so a walk afterwards shows which are gone:
 * {@link settleDeletes}.
 */
export async function deleteKeys(run: Run): Promise<ReadonlyMap<Delete, Fault | undefined>> {
  const changes = lastListedFirst(run, changesOf(run, 'delete'));
  const sent = new Map<Delete, Fault | undefined>();
  beginPhase(run, 'delete', changes.length);
  for (const batch of batchesIn(changes)) {
    const held = await withheld(run);
    if (held) skipAll(run, batch.toReversed(), held);
    else for (const [change, fault] of await deleteBatch(run, batch)) sent.set(change, fault);
  }
  return sent;
}

async function deleteBatch(
  run: Run,
  batch: readonly Delete[],
): Promise<readonly (readonly [Delete, Fault | undefined])[]> {
  const fresh = new Map<KeyId, Delete>((await readAgain(run, batch)).map(([change]) => [change.id, change]));
  if (fresh.size === 0) return [];
  const spared = new Set<Delete>();
  const recheck = (now: ObservedKey): boolean => {
    const change = fresh.get(now.id);
    if (change === undefined) return false;
    try {
      refuseMoved(change, now, contextOf(run, change));
      return true;
    } catch (thrown) {
      settle(run, notMade(change, asFault(thrown)));
      spared.add(change);
      return false;
    }
  };
  const fault = await run.store.delete([...fresh.keys()], recheck).then(() => undefined, asFault);
  return [...fresh.values()].filter((change) => !spared.has(change)).map((change) => [change, fault] as const);
}

/**
 * The keys that the account lists last come first: a delete moves what is listed after it to another page, where it would have
 * to be searched when its batch is read again.
 */
function lastListedFirst({ options }: Run, changes: readonly Delete[]): readonly Delete[] {
  const place = new Map(options.observed.keys.map(({ id }, index) => [id, index]));
  return [...changes].sort((a, b) => (place.get(b.id) ?? 0) - (place.get(a.id) ?? 0));
}

/** A key that is gone was deleted, whatever the answer was; one that is still there may be deleted later if the answer was lost. */
export function settleDeletes(
  run: Run,
  sent: ReadonlyMap<Delete, Fault | undefined>,
  walked: readonly ObservedKey[] | undefined,
): void {
  const there = walked && new Set(walked.map((key) => key.id));
  for (const change of changesOf(run, 'delete').filter((each) => sent.has(each))) {
    const fault = sent.get(change);
    if (there && !there.has(change.id)) settle(run, { state: 'applied', change, id: change.id });
    else if (there && fault && wasNeverSent(fault)) settle(run, notMade(change, fault));
    else if (there) {
      // A delete that timed out may take effect after the walk.
      const state = fault && mayHaveHappened(fault) ? 'indeterminate' : 'failed';
      settle(run, { state, change, fault: fault ?? stillThere(change) });
    } else settle(run, { state: 'indeterminate', change, fault: fault ?? unseen(change) });
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
