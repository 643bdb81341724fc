import {
  type ApplyReport,
  asFault,
  exposedFirst,
  Fault,
  type ObservedKey,
  type Plan,
  pendingChanges,
} from '../../domain/index.ts';
import { tryWalk } from '../observe/walk.ts';
import type { KeyStore } from '../ports.ts';
import { rememberRaises } from '../usage/memory.ts';
import { readStart, type Start, takeBackByLog } from '../usage/take-back-by-log.ts';
import { deliverSecrets, removeSecrets } from './deliveries.ts';
import { endGenerations } from './end-generations.ts';
import type { SettingsChange } from './execute.ts';
import { createKeys, disableDeclared, enableKeys, proveKeys, updateKeys } from './phases.ts';
import { deleteKeys, disablePruned, settleDeletes } from './prune.ts';
import { beginQuarantines } from './quarantine.ts';
import { renameKeys, restoreNames } from './rename.ts';
import {
  type ApplyOptions,
  beginPhase,
  beginRun,
  hasLostLock,
  interrupted,
  isIdle,
  noteFault,
  type Run,
} from './run.ts';
import { doubtMissing, planAgain } from './verify.ts';
import { isLimited } from './write-batches.ts';

/**
 * Applies a plan and reports the outcome. Never throws: the report contains the fault that ended the run early.
 *
 * Order: disable what is declared disabled, rename, create, update, enable, deliver, check, end old generations, prune. One failed change does not stop the
 * others; what depends on it is skipped with the reason, and nothing is pruned after a create or a rename that failed. After the writes the plan is made again. Whatever happens here, at any point,
 * planning and applying again converges: no duplicate, no orphan.
 */
export async function apply(plan: Plan, store: KeyStore, options: ApplyOptions): Promise<ApplyReport> {
  const run = beginRun(plan, store, options);
  if (isIdle(run)) {
    // The obstacles of sinks are reported also where there is nothing to write.
    await deliverSecrets(run);
    return reportOf(run, options.destroyAgain ? await lookAgain(run) : plan);
  }
  await disableDeclared(run);
  const start = await startOf(run);
  await rememberPlanned(run);
  await renameKeys(run);
  const located = await createKeys(run);
  await updateKeys(run);
  const quiet = await correctSpending(run, start);
  await enableKeys(run);
  await restoreNames(run);
  await deliverSecrets(run);
  await proveKeys(run);
  await endGenerations(run);
  await disablePruned(run);
  await beginQuarantines(run);
  const deletes = await deleteKeys(run);
  beginPhase(run, 'verify', 1);
  // A check of a key spends of its budget: what was known before is old.
  const proved = run.checks !== undefined;
  const walked = ownKeys(run, (!proved && onlyCreates(plan) && located) || (await tryWalk(run)));
  settleDeletes(run, deletes, walked);
  if (walked) doubtMissing(run, walked);
  await removeSecrets(run);
  return reportOf(run, walked && (await planAgain(run, { keys: walked, quiet: quiet && !proved })));
}

/** Leaves out keys that another run made with the names of those that this run has located. */
function ownKeys(
  { outcomes, options }: Run,
  walked: readonly ObservedKey[] | undefined,
): readonly ObservedKey[] | undefined {
  if (options.isAlone === undefined) return walked;
  const made = new Map<string, number>(
    outcomes.flatMap((outcome) =>
      outcome.state === 'applied' && outcome.change.verb === 'create' && 'id' in outcome
        ? [[outcome.change.name, outcome.id] as const]
        : [],
    ),
  );
  return walked?.filter(({ name, id }) => (made.get(name) ?? id) === id);
}

async function lookAgain(run: Run): Promise<Plan | undefined> {
  const keys = await tryWalk(run);
  return keys && (await planAgain(run, { keys, quiet: false }));
}

/** The walk that located the new keys saw everything when nothing was written after it. */
const onlyCreates = (plan: Plan): boolean =>
  pendingChanges(plan).every((change) => change.verb === 'create' && change.enabled);

/** Reads the keys whose record does not report their use, before they are updated; undefined when there are none. */
async function startOf({ plan, store }: Run): Promise<Start | undefined> {
  const blind = pendingChanges(plan).flatMap((change) =>
    (change.verb === 'update' || change.verb === 'rename') && change.before.used === undefined && isLimited(change)
      ? [change]
      : [],
  );
  if (blind.length === 0) return undefined;
  const byName = new Map(blind.flatMap((change) => namesOf(change).map((name) => [name, change.id] as const)));
  // Without the log a correction is impossible, but the update itself is not: its budget is then reported as unverified.
  return readStart(
    store,
    blind.map(({ id }) => id),
    byName,
  ).catch(() => undefined);
}

/** Records what the keys will hold whose record does not report their use. Without it, later runs only prove less. */
async function rememberPlanned({ plan, options: { usageCache } }: Run): Promise<void> {
  const raises = pendingChanges(plan).flatMap((change) => {
    const edit = 'edits' in change ? change.edits.find(({ field }) => field === 'remain') : undefined;
    return edit?.field === 'remain' && 'id' in change ? [{ id: change.id, units: edit.after - edit.before }] : [];
  });
  if (usageCache) await rememberRaises(usageCache, raises);
}

const namesOf = (change: SettingsChange): readonly string[] =>
  change.verb === 'rename' ? [change.name, change.from] : [change.name];

/** Takes back what updates gave back, as far as the log shows it. True: nothing was spent since the log was read. */
async function correctSpending(run: Run, start: Start | undefined): Promise<boolean> {
  const { store, suspects } = run;
  if (suspects.length === 0) return false;
  const mayWrite = async (): Promise<boolean> => !(await hasLostLock(run));
  const read =
    start && (await mayWrite()) ? await takeBackByLog(store, suspects, { start, mayWrite }).catch(asFault) : undefined;
  if (read instanceof Fault) noteFault(run, read);
  if (!start || !read || read instanceof Fault) {
    for (const { name } of suspects) run.unverified.add(name);
    return false;
  }
  run.corrections.push(...read.corrections);
  if (!read.isWhole) for (const { name } of suspects) run.unverified.add(name);
  const { logHead } = run.options.observed;
  return read.quiet && [...start.mark].every((identity) => logHead?.has(identity) ?? true);
}

function reportOf(run: Run, after: Plan | undefined): ApplyReport {
  const { plan, outcomes, deliveries, corrections, unverified, checks, fatal } = run;
  return {
    plan,
    outcomes: exposedFirst(outcomes),
    ...(deliveries.length > 0 && { deliveries }),
    corrections,
    ...(unverified.size > 0 && { unverified: [...unverified] }),
    interrupted: interrupted(run),
    ...(checks && { checks }),
    ...(after && { after }),
    ...(fatal && { fatal }),
  };
}
