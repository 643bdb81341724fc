import {
  asFault,
  evidenceOf,
  Fault,
  type ObservedKey,
  type Outcome,
  type Pending,
  tryParseQuarantine,
  tryQuarantineName,
} from '../../domain/index.ts';
import { snapshotOf } from '../plan/diff.ts';
import { execute, gone, needsReadBack, notMade, readBack, type SettingsChange, writeSettings } from './execute.ts';
import { withheld } from './prune.ts';
import { beginPhase, changesOf, eachChange, type Run, settle, skipAll } from './run.ts';
import { batchesIn, contextOf, readAgain } from './write-batches.ts';

type Begin = Extract<Pending, { verb: 'disable' }>;

/**
 * Puts keys that are no longer declared into quarantine: disables them, and then states it in their names, with the day and the counters
 * of that moment. A run that is killed in between leaves a disabled key, whose quarantine the next one begins.
 */
export async function beginQuarantines(run: Run): Promise<void> {
  const changes = changesOf(run, 'disable').filter(({ reason }) => reason === 'quarantined');
  const held = await withheld(run);
  if (held) return skipAll(run, changes, held);
  const progress = beginPhase(run, 'status', changes.length);
  for (const batch of batchesIn(changes)) {
    const fresh = new Map<Begin, ObservedKey>(await readAgain(run, batch));
    progress.done += batch.length - fresh.size;
    await eachChange(run, { changes: [...fresh.keys()], progress }, async (change) => {
      const isOff = fresh.get(change)?.status === 'disabled';
      const { outcome } = isOff ? ALREADY(change) : await execute(change, run.store, contextOf(run, change));
      settle(run, outcome.state === 'applied' ? await mark(run, change, !isOff) : outcome);
    });
  }
}

const ALREADY = (change: Begin): { readonly outcome: Outcome } => ({
  outcome: { state: 'applied', change, id: change.id },
});

/** Gives a disabled key the name that states its quarantine. */
async function mark(run: Run, change: Begin, isByQuarantine: boolean): Promise<Outcome> {
  const live = await run.store.tryRead(change.id).catch(asFault);
  if (live === undefined) return { state: 'failed', change, fault: unmarked(change, gone(change)) };
  if (live instanceof Fault) return { state: 'failed', change, fault: unmarked(change, live) };
  if (live.name !== change.before.name) return movedBy(change, live);
  if (live.status !== 'disabled') return stale(change, 'its quarantine did not begin: somebody enabled it');
  const { now, machineNow } = run.options;
  const at = Math.max(now(), machineNow?.() ?? 0);
  const name = tryQuarantineName(live.name, live, { at, isByQuarantine });
  if (name === undefined) return stale(change, 'its quarantine did not begin: no valid name states it');
  const { id } = change;
  const before = snapshotOf(live);
  const edits = [{ field: 'name', before: live.name, after: name }] as const;
  const rename: SettingsChange = { verb: 'rename', name, from: live.name, id, edits, before };
  const ended = await written(run, rename, change);
  if (!isByQuarantine || ended.state !== 'skipped' || ended.code !== 'gateway.interrupted') return ended;
  // Skipped would mean that the key is as it was.
  return { state: 'failed', change, fault: unmarked(change, new Fault(ended.code, ended.reason)) };
}

async function written(run: Run, rename: SettingsChange, change: Begin): Promise<Outcome> {
  const sent = await writeSettings(rename, run.store, { ...contextOf(run, rename), isDisabled: true });
  if (sent.state !== 'written') return outcomeOf(sent, change);
  const after = needsReadBack(sent) ? await run.store.tryRead(change.id).catch(() => null) : null;
  const { outcome } = await readBack(sent, after, run.store);
  const ended = outcomeOf(outcome, change);
  return ended.state === 'applied' ? { remark: `its name is now “${rename.name}”`, ...ended } : ended;
}

/** The outcome of a mark is that of the change that it completes. */
function outcomeOf(outcome: Outcome, change: Begin): Outcome {
  if (outcome.state === 'failed' || outcome.state === 'indeterminate') {
    return { ...outcome, change, fault: unmarked(change, outcome.fault) };
  }
  return outcome.state === 'left-enabled' ? outcome : { ...outcome, change };
}

const stale = (change: Begin, why: string): Outcome => notMade(change, new Fault('plan.stale', why));

/** Another run may have put the key into quarantine already. */
function movedBy(change: Begin, live: ObservedKey): Outcome {
  const stated = tryParseQuarantine(live.name);
  const isDone = stated !== undefined && live.status === 'disabled' && evidenceOf(stated, live) === 'unused';
  if (!isDone) return stale(change, `its quarantine did not begin: its name is now “${live.name}”`);
  return { state: 'applied', change, id: change.id, remark: 'another run had already put it into quarantine' };
}

/** The key is disabled, and a report of a failed disable would hide that. */
const unmarked = ({ id, name }: Begin, fault: Fault): Fault =>
  new Fault(fault.code, `“${name}” (ID ${id}) is disabled, and its quarantine has not begun: ${fault.message}`, {
    hint: 'Run the command again: it begins the quarantine.',
    detail: { ...fault.detail, id },
    cause: fault,
  });
