import {
  asFault,
  type DesiredKey,
  type Fault,
  inOneLine,
  type KeyId,
  type KeyName,
  type Pending,
  propagateOf,
} from '../../domain/index.ts';
import { observeSinks } from '../deliver/observe-sinks.ts';
import { match } from '../observe/match.ts';
import { currentOf, type Lineage } from '../rotate/lineage.ts';
import { changesOf, halted, type Run, settle } from './run.ts';
import { writeAllStatuses } from './write-batches.ts';

type Disable = Extract<Pending, { verb: 'disable' }>;

/** Names the keys whose old generations are to end: their successors are checked, also where nothing was written. */
export const endingKeys = (run: Run): readonly KeyName[] => ended(run).flatMap(({ of }) => of ?? []);

const ended = (run: Run): readonly Disable[] => changesOf(run, 'disable').filter(({ reason }) => reason === 'rotated');

/**
 * Disables old generations, whose successors are proven right before: by the checks of the key, and by a request with the secret of
 * the successor, once the readers of the sinks have it. Nothing is remembered between runs, so a run waits for and proves what it
 * ends.
 */
export async function endGenerations(run: Run): Promise<void> {
  const current = currentGenerations(run);
  const delivered = await unlessHeld(
    run,
    ended(run),
    (change) => unreadyBecause(run, change) ?? unreadBecause(run, change, current),
  );
  if (delivered.length === 0) return;
  const seconds = Math.max(...delivered.map((change) => propagationOf(current.get(change.of ?? change.name)?.of)));
  if (seconds > 0) await run.options.waitForReaders?.(seconds);
  const ids = delivered.flatMap((change) => idOf(current, change) ?? []);
  const proven = (await halted(run)) === undefined ? await proofsOf(run, [...new Set(ids)]) : new Map();
  const working = await unlessHeld(run, delivered, (change) =>
    isChecked(run, change) ? undefined : unprovenBecause(proven, idOf(current, change)),
  );
  const lost = await sinksWithout(run, working);
  await writeAllStatuses(run, await unlessHeld(run, working, ({ of }) => lost.get(of ?? '')));
}

/**
 * Looks at the sinks once more: since the plan was made, a person has thought about it and readers were waited for, and
 * somebody may have brought the old secret back meanwhile. Returns a reason for each key to keep its old generations.
 */
async function sinksWithout(run: Run, changes: readonly Disable[]): Promise<ReadonlyMap<string, string>> {
  const { desired, observed, sinks, concurrency, signal } = run.options;
  if (desired === undefined || sinks === undefined || changes.length === 0) return new Map();
  const keys = desired.keys.filter(({ name }) => changes.some(({ of }) => of === name));
  const seen = await observeSinks({ ...desired, keys }, observed.keys, run.store, { sinks, concurrency, signal });
  return new Map(
    seen.flatMap(({ action, name, sink }) =>
      action === 'current' ? [] : [[name, `“${sink}” no longer has the secret of its successor`] as const],
    ),
  );
}

type Lineages = ReadonlyMap<string, Lineage>;

const idOf = (current: Lineages, { of, name }: Disable): KeyId | undefined => {
  const lineage = current.get(of ?? name);
  return lineage && currentOf(lineage).live.id;
};

/** Skips the changes that something holds, and returns the others. */
async function unlessHeld(
  run: Run,
  changes: readonly Disable[],
  findReason: (change: Disable) => string | undefined,
): Promise<readonly Disable[]> {
  const stop = changes.length > 0 ? await halted(run) : undefined;
  return changes.filter((change) => {
    const reason = stop ?? findReason(change);
    if (reason !== undefined) settle(run, { state: 'skipped', change, reason });
    return reason === undefined;
  });
}

/** Longer than any run should wait. What takes longer to arrive has arrived when a later run finds nothing to deliver. */
const MOST_WAIT_SECONDS = 900;

/** The time that readers need: nothing is known of when the sinks got the secret, except that it was before this run. */
const propagationOf = (key: DesiredKey | undefined): number => Math.min(MOST_WAIT_SECONDS, propagateOf(key));

/** Returns the reason why a reader could still have the old secret after the wait of this run. */
function unreadBecause({ options }: Run, { of, name }: Disable, current: Lineages): string | undefined {
  const key = current.get(of ?? name)?.of;
  if ((key?.deliver ?? []).length > 0 && options.sinks === undefined) return 'nobody looked at the sinks of the key';
  return propagateOf(key) > 0 && options.waitForReaders === undefined
    ? 'the readers of its sinks need time, and this run does not wait'
    : undefined;
}

function currentGenerations({ options: { desired, observed } }: Run): Lineages {
  const { pairs } = desired ? match(desired, observed.keys) : { pairs: [] };
  return new Map(pairs.flatMap(({ lineage }) => (lineage ? [[lineage.of.name, lineage] as const] : [])));
}

async function proofsOf({ options }: Run, ids: readonly KeyId[]): Promise<ReadonlyMap<KeyId, Fault | undefined>> {
  const { proveSecrets } = options;
  if (proveSecrets === undefined) return new Map();
  return await proveSecrets(ids).catch((thrown) => new Map(ids.map((id) => [id, asFault(thrown)])));
}

function unprovenBecause(proven: ReadonlyMap<KeyId, Fault | undefined>, id: KeyId | undefined): string | undefined {
  if (id === undefined || !proven.has(id)) return 'nothing proved that the secret of its successor works';
  const fault = proven.get(id);
  return fault && `the secret of its successor could not be proven: ${inOneLine(fault.message)}`;
}

/** Did a check of the key pass, which sent requests with its secret? */
const isChecked = ({ checks }: Run, { of }: Disable): boolean =>
  checks?.results.some(({ key, verdict }) => key === of && verdict === 'passed') === true;

/**
 * Returns the change of the same key that did not succeed, the sink that did not have the secret of the successor when the run
 * began, or the check that failed.
 */
function unreadyBecause({ plan, outcomes, checks }: Run, { of }: Disable): string | undefined {
  const lacking = plan.deliveries?.find(({ name }) => name === of);
  if (lacking) return `“${lacking.sink}” did not have the secret of its successor when the run began`;
  const missing = outcomes.find(
    ({ state, change }) => state !== 'applied' && change.of === of && change.verb !== 'delete',
  );
  if (missing) return `the ${missing.change.verb} of “${missing.change.name}” did not succeed`;
  const isFailed = checks?.results.some(({ key, verdict }) => key === of && verdict === 'failed');
  return isFailed ? 'a check of its successor failed' : undefined;
}
