import pMap from 'p-map';
import {
  type Advice,
  asFault,
  type Delivery,
  type DeliveryOutcome,
  declaredName,
  FAULTS,
  Fault,
  type FaultCode,
  inOneLine,
  type KeyId,
  pendingDeliveries,
  type RemoveDelivery,
  type Secret,
  type WriteDelivery,
} from '../../domain/index.ts';
import type { Create } from '../create/create.ts';
import { deliverSecret } from '../deliver/deliver-secret.ts';
import type { SecretSink } from '../deliver/port.ts';
import { match } from '../observe/match.ts';
import { beginPhase, changesOf, halted, type PhaseProgress, type Run, skipAll } from './run.ts';

const isWrite = (delivery: Delivery): delivery is WriteDelivery => delivery.action === 'write';

function settleDelivery(run: Run, outcome: DeliveryOutcome, progress?: PhaseProgress): void {
  run.deliveries.push(outcome);
  if (progress === undefined) return;
  progress.done += 1;
  run.options.onEvent?.({ kind: 'step', phase: 'deliver', done: progress.done, total: progress.total });
}

/**
 * Returns the creates whose secrets can be delivered. The others are skipped: a key that nobody can receive would only be one
 * more secret.
 */
export function deliverableCreates(run: Run): readonly Create[] {
  const creates = changesOf(run, 'create');
  const obstacles = new Map(
    (run.plan.deliveries ?? []).flatMap((delivery) =>
      delivery.action === 'blocked' || delivery.action === 'withheld' ? [[delivery.name, delivery] as const] : [],
    ),
  );
  for (const change of creates) {
    const obstacle = obstacles.get(declaredName(change));
    if (obstacle === undefined) continue;
    skipAll(run, [change], { reason: `its secret cannot be delivered to “${obstacle.sink}”: ${obstacle.why}` });
  }
  return creates.filter((change) => !obstacles.has(declaredName(change)));
}

/** Delivers the secrets that the plan names: each sink by itself, so that the trouble of one does not stop the others. */
export async function deliverSecrets(run: Run): Promise<void> {
  settleObstacles(run);
  const writes = pendingDeliveries(run.plan).filter(isWrite);
  if (writes.length === 0) return;
  const progress = beginPhase(run, 'deliver', writes.length);
  const live = liveKeys(run);
  const ready = writes.filter((delivery) => {
    if (live.current.has(delivery.name) && !isUnborn(run, delivery)) return true;
    settleDelivery(run, { state: 'skipped', delivery, reason: 'the key was not created' }, progress);
    return false;
  });
  const stop = await halted(run);
  if (ready.length === 0 || stop !== undefined) {
    for (const delivery of ready) settleDelivery(run, { state: 'skipped', delivery, reason: stop ?? '' }, progress);
    return;
  }
  const wanted = ready.flatMap(({ name }) => [live.current.get(name) ?? [], live.older.get(name) ?? []].flat());
  const secrets = await run.store.reveal([...new Set(wanted)]).catch(asFault);
  const moved = await movedSince(run, [...new Set(ready.flatMap(({ name }) => live.current.get(name) ?? []))]);
  await pMap(
    ready,
    async (delivery) => {
      const { secret, known } = secretsOf(delivery, live, secrets);
      const id = live.current.get(delivery.name);
      const fault = moved instanceof Fault ? moved : id && moved.get(id);
      settleDelivery(run, await deliverOne(run, delivery, { secret: fault ?? secret, known }), progress);
    },
    { concurrency: run.options.concurrency },
  );
}

/** The current generation of each key by its declared name, and those that came before it. */
interface KeysOfSinks {
  readonly current: ReadonlyMap<string, KeyId>;
  readonly older: ReadonlyMap<string, readonly KeyId[]>;
}

function liveKeys({ options: { desired, observed }, outcomes }: Run): KeysOfSinks {
  const current = new Map<string, KeyId>();
  const older = new Map<string, readonly KeyId[]>();
  const add = (name: string, id: KeyId): void => {
    const before = current.get(name);
    if (before !== undefined) older.set(name, [...(older.get(name) ?? []), before]);
    current.set(name, id);
  };
  const pairs = desired ? match(desired, observed.keys).pairs : [];
  for (const { desired: key, live, lineage } of pairs) {
    if (lineage === undefined) add(declaredName(key), live.id);
    else if (lineage.members[0].live.id === live.id) {
      for (const member of lineage.members) add(lineage.of.name, member.live.id);
    }
  }
  for (const outcome of outcomes) {
    if (outcome.change.verb !== 'create' || !('id' in outcome) || outcome.id === undefined) continue;
    add(declaredName(outcome.change), outcome.id);
  }
  return { current, older };
}

/**
 * Reads keys again that were there before this run, and returns a fault for each that somebody renamed since: its secret would
 * arrive where that of another key belongs. The plan may have waited long for a person’s yes.
 */
async function movedSince(
  { store, options, outcomes }: Run,
  ids: readonly KeyId[],
): Promise<ReadonlyMap<KeyId, Fault> | Fault> {
  const names = new Map<KeyId, readonly string[]>(options.observed.keys.map(({ id, name }) => [id, [name]]));
  for (const { change } of outcomes) {
    if (change.verb === 'rename') names.set(change.id, [...(names.get(change.id) ?? []), change.name]);
  }
  const known = ids.filter((id) => names.has(id));
  if (known.length === 0) return new Map();
  const now = await store.readMany(known).catch(asFault);
  if (now instanceof Fault) return now;
  return new Map(
    [...now.values()].flatMap(({ id, name }) =>
      names.get(id)?.includes(name) ? [] : [[id, renamed(id, name)] as const],
    ),
  );
}

const renamed = (id: KeyId, name: string): Fault =>
  new Fault('plan.stale', `Key ${id} was renamed to “${inOneLine(name)}” since the plan was made.`, {
    hint: 'Plan again: its secret belongs to another place.',
  });

/** Was the secret to be that of a key that this run did not create? Its predecessor keeps its place in the sink. */
const isUnborn = ({ outcomes }: Run, { name, reason }: WriteDelivery): boolean =>
  reason === 'rotated' &&
  !outcomes.some(
    ({ state, change }) => change.verb === 'create' && state === 'applied' && declaredName(change) === name,
  );

interface Secrets {
  readonly secret: Secret | Fault | undefined;
  /** Those of older generations. */
  readonly known: readonly Secret[];
}

function secretsOf(
  { name }: Delivery,
  { current, older }: KeysOfSinks,
  revealed: ReadonlyMap<KeyId, Secret> | Fault,
): Secrets {
  if (revealed instanceof Fault) return { secret: revealed, known: [] };
  const id = current.get(name);
  const known = (older.get(name) ?? []).flatMap((each) => revealed.get(each) ?? []);
  return { secret: id && revealed.get(id), known };
}

/** A plan keeps the reasons of obstacles, and not what to do about them. */
function adviceFor(code: FaultCode, { kind }: Delivery): Advice {
  if (code === 'sink.foreign') return { hint: 'If nobody needs that value, set `adopt: true` for this sink.' };
  return code === 'sink.not-allowed' ? { remedy: kind === 'exec' ? 'allow-exec' : 'allow-sink' } : {};
}

/** Reports the sinks that were found unusable before anything was written. */
function settleObstacles(run: Run): void {
  for (const delivery of run.plan.deliveries ?? []) {
    if (delivery.action === 'blocked') {
      const { code, why, name: key, sink } = delivery;
      const fault = new Fault(code, why, { ...adviceFor(code, delivery), detail: { key, sink } });
      settleDelivery(run, { state: 'failed', delivery, fault });
    }
    if (delivery.action === 'withheld') settleDelivery(run, { state: 'skipped', delivery, reason: delivery.why });
  }
}

function sinkOf({ options }: Run, { name, sink }: Delivery): SecretSink | undefined {
  return options.sinks?.of(name).find(({ id }) => id === sink);
}

async function deliverOne(run: Run, delivery: WriteDelivery, { secret, known }: Secrets): Promise<DeliveryOutcome> {
  const stop = await halted(run);
  if (stop !== undefined) return { state: 'skipped', delivery, reason: stop };
  const { sinks, signal } = run.options;
  const sink = sinkOf(run, delivery);
  if (!sinks || !sink)
    return { state: 'skipped', delivery, reason: 'the sink is part of the manifest, which was not given' };
  try {
    if (secret instanceof Fault) throw secret;
    if (secret === undefined) {
      throw new Fault('gateway.not-found', `The gateway returned no secret for “${delivery.name}”.`);
    }
    const metadata = sinks.metadataOf(delivery.name);
    const { verified, value, exposure: remark } = await deliverSecret(sink, secret, { metadata, known, signal });
    run.delivered.set(delivery.name, value ?? run.delivered.get(delivery.name) ?? secret);
    return { state: 'delivered', delivery, verified, ...(remark === undefined ? {} : { remark }) };
  } catch (thrown) {
    const fault = asFault(thrown);
    return { state: FAULTS[fault.code].retry === 'look' ? 'indeterminate' : 'failed', delivery, fault };
  }
}

/** Removes the secrets of keys that were deleted from the sinks that are declared to lose them. */
export async function removeSecrets(run: Run): Promise<void> {
  const removals = pendingDeliveries(run.plan).filter((delivery): delivery is RemoveDelivery => !isWrite(delivery));
  if (removals.length === 0) return;
  const gone = new Map<string, boolean>();
  for (const { state, change } of run.outcomes) {
    if (change.verb !== 'delete') continue;
    // A key that rotates has several generations, and its sinks hold the secret of one of them.
    const name = declaredName(change);
    gone.set(name, state === 'applied' && gone.get(name) !== false);
  }
  const progress = beginPhase(run, 'deliver', removals.length);
  for (const delivery of removals) {
    const stop = gone.get(delivery.name) ? await halted(run) : 'the key was not deleted';
    settleDelivery(run, await removeOne(run, delivery, stop), progress);
  }
}

async function removeOne(run: Run, delivery: RemoveDelivery, stop: string | undefined): Promise<DeliveryOutcome> {
  if (stop !== undefined) return { state: 'skipped', delivery, reason: stop };
  const sink = sinkOf(run, delivery);
  try {
    // Somebody may have taken the entry over since it was planned.
    if ((await sink?.probe(run.options.signal)) === 'ours') await sink?.remove(run.options.signal);
    return { state: 'removed', delivery };
  } catch (thrown) {
    return { state: 'failed', delivery, fault: asFault(thrown) };
  }
}
