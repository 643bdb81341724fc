import { asFault, type Fault, inOneLine, type KeyId, type KeyName, type Pending } from '../../domain/index.ts';
import { match } from '../observe/match.ts';
import { currentOf } from '../rotate/lineage.ts';
import { changesOf, halted, type Run, settle } from './run.ts';
import { writeAllStatuses } from './write-batches.ts';

type Disable = Extract<Pending, { verb: 'disable' }>;

/** Names the keys whose old generations are to end: their successors are checked, also where nothing was written. */
export const endingKeys = (run: Run): readonly KeyName[] => ended(run).flatMap(({ of }) => of ?? []);

const ended = (run: Run): readonly Disable[] => changesOf(run, 'disable').filter(({ reason }) => reason === 'rotated');

/**
 * Disables old generations, whose successors are proven right before: by the checks of the key, and by a request with the secret of
 * the successor. Nothing is remembered between runs, so a run proves what it ends.
 */
export async function endGenerations(run: Run): Promise<void> {
  const changes = ended(run);
  const held = changes.length > 0 ? await halted(run) : undefined;
  if (changes.length === 0) return;
  const successors = successorsOf(run);
  const proven =
    held === undefined ? await proofsOf(run, [...successors.values()]) : new Map<KeyId, Fault | undefined>();
  const ready = changes.filter((change) => {
    const id = successors.get(change.of ?? change.name);
    const reason =
      held ?? unreadyBecause(run, change) ?? (isChecked(run, change) ? undefined : unprovenBecause(proven, id));
    if (reason !== undefined) settle(run, { state: 'skipped', change, reason });
    return reason === undefined;
  });
  await writeAllStatuses(run, ready);
}

/** The current generation of each key, by its declared name. */
function successorsOf({ options: { desired, observed } }: Run): ReadonlyMap<string, KeyId> {
  const { pairs } = desired ? match(desired, observed.keys) : { pairs: [] };
  return new Map(
    pairs.flatMap(({ lineage }) => (lineage ? [[lineage.of.name, currentOf(lineage).live.id] as const] : [])),
  );
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
