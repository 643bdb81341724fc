import {
  asFault,
  declaredName,
  Fault,
  isNameBefore,
  type KeyId,
  type ObservedKey,
  type Outcome,
  stemOf,
  tryParseQuarantine,
} from '../../domain/index.ts';
import { type Create, type Created, type Sent, sendCreate, settleCreates, withLimit } from '../create/create.ts';
import { batchesOf, lookAfterWaits, lookBetween, withoutTwins } from '../create/create-batches.ts';
import { recordFault } from '../create/create-journal.ts';
import type { NewKeys } from '../create/settle-twins.ts';
import { trySteadyWalk, tryWalk } from '../observe/walk.ts';
import { stemOfLive } from '../rotate/lineage.ts';
import { deliverableCreates } from './deliveries.ts';
import { endingKeys } from './end-generations.ts';
import { gone, mayHaveHappened } from './execute.ts';
import {
  beginPhase,
  changesOf,
  eachChange,
  failedIds,
  halted,
  type PhaseProgress,
  type Run,
  settle,
  skipAll,
} from './run.ts';
import { writeAllSettings, writeAllStatuses } from './write-batches.ts';

/**
 * Looks once more, sends all creates, then finds their ids in one walk. Returns that walk, without the twins that were
 * deleted, or undefined when nothing was sent.
 */
export async function createKeys(run: Run): Promise<readonly ObservedKey[] | undefined> {
  const creates = deliverableCreates(run);
  if (creates.length === 0) return undefined;
  // The plan may have waited long for a person's yes, and a listing that moved may have hidden a key from it.
  const before = await trySteadyWalk(run);
  const newestBefore = (before ?? []).reduce((most, key) => Math.max(most, key.id), 0);
  const look: NewKeys = { newestBefore, removed: new Map() };
  const free = untaken(run, creates, new Set(before?.map((key) => key.name)));
  const sent = await sendInBatches(run, notRenames(run, free, before ?? []), look);
  if (sent.length === 0) {
    await forgetAnswered(run, creates);
    return undefined;
  }
  const walked = await lookForLost(run, sent, look);
  const isShared = run.options.isAlone !== undefined;
  for (const outcome of settleCreates(sent, walked, { ...look, isShared })) {
    if (outcome.state === 'applied' && !outcome.change.enabled) await disableNew(run, outcome);
    else settle(run, outcome);
  }
  await forgetAnswered(run, creates);
  return walked;
}

/** Looks for the new keys; when one whose answer was lost is missing, waits until it can no longer appear, and looks again. */
async function lookForLost(
  run: Run,
  sent: readonly Sent[],
  look: NewKeys,
): Promise<readonly ObservedKey[] | undefined> {
  const walked = await tryLookAfter(run, sent, look);
  const { late } = run.options;
  if (!late || !walked || late.settle === 0 || (await halted(run))) return walked;
  const listed = new Set(walked.flatMap(({ id, name }) => (id > look.newestBefore ? [name] : [])));
  const missing = sent.filter(({ lost, change }) => lost && !listed.has(change.name)).map(({ change }) => change.name);
  if (missing.length === 0) return walked;
  await late.wait({ seconds: late.settle, names: missing });
  return tryLookAfter(run, sent, look);
}

/** Keeps only the names in the journal whose creates may still take effect, and those of keys that are left enabled. */
async function forgetAnswered({ outcomes, options }: Run, creates: readonly Create[]): Promise<void> {
  const journal = options.late?.journal;
  if (journal === undefined) return;
  const open = new Set(
    outcomes.flatMap(({ state, change }) =>
      state === 'indeterminate' || state === 'left-enabled' ? [change.name] : [],
    ),
  );
  const leftEnabled = outcomes.flatMap((outcome) =>
    outcome.state === 'left-enabled' && outcome.id !== undefined ? [{ name: outcome.change.name, id: outcome.id }] : [],
  );
  // A name that stays costs the next run a wait, and nothing else.
  if (leftEnabled.length > 0) await journal.leftEnabled(leftEnabled).catch(() => undefined);
  await journal.forget(creates.flatMap(({ name }) => (open.has(name) ? [] : [name]))).catch(() => undefined);
}

/**
 * A walk, without the twins of created keys, before anything is revealed. A run that was paused and lost its lock takes back
 * what it doubled all the same: that needs no lock, because every run keeps the same key.
 */
async function tryLookAfter(
  run: Run,
  sent: readonly Sent[],
  look: NewKeys,
): Promise<readonly ObservedKey[] | undefined> {
  // A list that was cut off shows nothing. Read once more, it may locate the keys that exist by now.
  const walked = (await run.store.walk().catch(() => undefined)) ?? (await tryWalk(run));
  if (!walked) return undefined;
  const names = sent.map(({ change }) => change);
  try {
    return await withoutTwins(run, walked, { names, look });
  } catch (thrown) {
    // The twins stay, and are reported.
    run.fatal ??= asFault(thrown);
    return walked;
  }
}

/** Returns the creates whose names are free. The others fail: somebody else created keys with their names. */
function untaken(run: Run, creates: readonly Create[], taken: ReadonlySet<string>): readonly Create[] {
  for (const change of creates.filter(({ name }) => taken.has(name))) {
    settle(run, { state: 'failed', change, fault: appeared(change) });
  }
  return creates.filter(({ name }) => !taken.has(name));
}

/**
 * Returns the creates whose keys do not exist under an earlier name, nor as other generations. A listing that moved hid those from
 * the plan; what the plan knew of is another key.
 */
function notRenames(run: Run, creates: readonly Create[], walked: readonly ObservedKey[]): readonly Create[] {
  const { desired, observed } = run.options;
  const earlier = new Map<string, string | number | undefined>(
    desired?.keys.map(({ name, renamedFrom }) => [name, renamedFrom]),
  );
  const known = new Set(observed.keys.map(({ id }) => id));
  const hidden = walked.filter(({ id }) => !known.has(id));
  const byStem = new Map(desired ? hidden.map(({ id, name }) => [stemOfLive(name), id] as const) : []);
  const quarantined = hidden.flatMap(({ id, name }) => {
    const quarantine = tryParseQuarantine(name);
    return quarantine ? [{ id, quarantine }] : [];
  });
  const hiddenAs = (name: string | number | undefined): KeyId | undefined => {
    if (typeof name !== 'string') return hidden.find(({ id }) => id === name)?.id;
    return byStem.get(stemOf(name)) ?? quarantined.find(({ quarantine }) => isNameBefore(name, quarantine))?.id;
  };
  return creates.filter((change) => {
    const name = declaredName(change);
    const from = earlier.get(name);
    const id = hiddenAs(from) ?? hiddenAs(name);
    if (id !== undefined) settle(run, { state: 'failed', change, fault: overlooked(change, id) });
    return id === undefined;
  });
}

/** Sends the creates in batches, and looks at the new keys between them. */
async function sendInBatches(run: Run, creates: readonly Create[], look: NewKeys): Promise<readonly Sent[]> {
  const sent: Sent[] = [];
  const progress = beginPhase(run, 'create', creates.length);
  for (const batch of batchesOf(creates)) {
    const changes = sent.map(({ change }) => change);
    const arrived =
      sent.length === 0 || (await halted(run)) ? new Set<string>() : await lookBetween(run, changes, look);
    const free = untaken(run, batch, arrived);
    run.fatal ??= await recordFault(run.options.late, (await halted(run)) ? [] : free, look.newestBefore);
    await sendCreates(run, free, { progress, sent, look });
  }
  return sent;
}

async function sendCreates(
  run: Run,
  changes: readonly Create[],
  { progress, sent, look }: { readonly progress: PhaseProgress; readonly sent: Sent[]; readonly look: NewKeys },
): Promise<void> {
  const lookAfterWait = lookAfterWaits(run, look);
  const lookAgain = async (change: Create): Promise<Outcome | undefined> => {
    const arrived = await lookAfterWait();
    if (arrived.has(change.name)) return { state: 'failed', change, fault: appeared(change) };
    // The wait may have cost the run its lock.
    const reason = await halted(run);
    return reason === undefined ? undefined : { state: 'skipped', change, reason };
  };
  await eachChange(run, { changes, progress }, async (change) => {
    if (run.isFull) return settle(run, { state: 'skipped', change, reason: FULL });
    const result = await sendCreate(change, run.store, lookAgain);
    if (result.state !== 'sent') return settle(run, result);
    sent.push(result.refused ? { ...result, refused: refusedAt(run, result.refused, sent) } : result);
  });
}

/** Explains a refusal by the number of keys, which may be the most that the gateway allows: then no other create is sent. */
function refusedAt(run: Run, refusal: Fault, sent: readonly Sent[]): Fault {
  const made = sent.filter(({ refused }) => !refused).length;
  const refused = withLimit(refusal, run.options.observed.keys.length + made);
  run.isFull ||= refused.code === 'gateway.key-limit';
  return refused;
}

const FULL = 'the account has as many keys as the gateway allows';

const overlooked = ({ name }: Create, id: KeyId): Fault =>
  new Fault('plan.stale', `Key ${id}, which is to become “${name}”, was not in the key list when the plan was made.`, {
    hint: 'Plan again: the key is then renamed, and none is created.',
    detail: { id },
  });

const appeared = ({ name }: Create): Fault =>
  new Fault('plan.stale', `A key named “${name}” was created since the plan was made.`, {
    hint: 'Plan again to compare the new key with the declared one.',
  });

/** Disables a created key that is declared disabled. */
async function disableNew(run: Run, outcome: Created): Promise<void> {
  const { change, id } = outcome;
  const fault = await run.store.setEnabled(id, false).then(() => undefined, asFault);
  if (!fault) return settle(run, outcome);
  const now = await run.store.tryRead(id).catch(() => null);
  if (now?.status === 'disabled') settle(run, outcome);
  else if (now === undefined) settle(run, { state: 'failed', change, fault: gone({ id, name: change.name }) });
  else settle(run, { state: 'left-enabled', change, id, fault: leftEnabled({ change, id }, now, fault) });
}

/** The key exists, and a report of a failed create would hide that it works. */
function leftEnabled({ change, id }: { change: Create; id: KeyId }, now: ObservedKey | null, fault: Fault): Fault {
  const found = now || !mayHaveHappened(fault) ? 'is still enabled' : 'may still be enabled';
  return new Fault(fault.code, `“${change.name}” was created (ID ${id}) and ${found}: ${fault.message}`, {
    hint: 'Run the command again, or disable the key at the gateway: until then it works.',
    remedy: 'disable-keys',
    detail: { ...fault.detail, id },
    cause: fault,
  });
}

export async function updateKeys(run: Run): Promise<void> {
  await writeAllSettings(run, 'update', changesOf(run, 'update'));
}

/** Disables the keys that are declared disabled: a leak waits for nothing, not even for the settings of the same key. */
export async function disableDeclared(run: Run): Promise<void> {
  const changes = changesOf(run, 'disable').filter(({ reason }) => reason === 'declared');
  await writeAllStatuses(run, changes);
}

/** Keys are enabled after their settings are written; without those they are skipped. */
export async function enableKeys(run: Run): Promise<void> {
  const failed = failedIds(run);
  const changes = changesOf(run, 'enable');
  const unready = changes.filter(({ id }) => failed.has(id));
  skipAll(run, unready, { reason: 'the update of its settings did not succeed' });
  await writeAllStatuses(
    run,
    changes.filter(({ id }) => !failed.has(id)),
  );
}

/** Checks the written keys, and the successors of those that end, before anything that they may replace ends. */
export async function proveKeys(run: Run): Promise<void> {
  const { prove } = run.options;
  const written = run.outcomes.flatMap(({ state, change }) =>
    state === 'applied' && change.verb !== 'disable' ? [declaredName(change)] : [],
  );
  const names = new Set([...written, ...run.delivered.keys(), ...endingKeys(run)]);
  if (prove === undefined || names.size === 0 || (await halted(run))) return;
  try {
    run.checks = await prove([...names], run.delivered);
  } catch (thrown) {
    run.fatal ??= asFault(thrown);
  }
}
