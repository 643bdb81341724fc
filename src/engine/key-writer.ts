import {
  type ApplyReport,
  asFault,
  type Ceiling,
  type DesiredKey,
  type DesiredState,
  type Fault,
  type KeyId,
  type ObservedKey,
  type ObservedState,
  type Outcome,
  type Plan,
  pendingChanges,
  type UnixSeconds,
} from '../domain/index.ts';
import {
  type ApplyEvent,
  apply,
  type DuplicateOptions,
  findDuplicates,
  guard,
  type KeyEdit,
  type KeyStore,
  type LateCreates,
  type Limits,
  leavesNoRoom,
  type ProveSecrets,
  planCreate,
  planEdit,
  planNamed,
  settleTwins,
} from '../reconcile/index.ts';
import type { RunLocks } from './lock.ts';
import { refuse } from './review.ts';
import { refuseForeign } from './saved-plan.ts';
import type { SharedClaim } from './shared-claim.ts';

/** Notes what became of the creates of a process, so that a later one recognizes its keys. */
export interface CreateNotes {
  /** Notes the key that a create made. */
  made(name: string, id: KeyId): void;
  /** Forgets a create that made no key, and cannot make one any more. Never rejects. */
  forget(name: string): Promise<void>;
}

export interface KeyWriterOptions {
  readonly store: KeyStore;
  readonly now: () => UnixSeconds;
  /** Once aborted, no further change is begun; those that run are finished. */
  readonly signal?: AbortSignal | undefined;
  /** Keeps other runs from writing. Omitted: nothing does, so a second key of a name counts as that of another run. */
  readonly claim?: SharedClaim | undefined;
  /** The locks that a command holds already. */
  readonly locks?: Pick<RunLocks, 'ensureHeld'> | undefined;
  /** The keys of the account, however old: they show whether a claim finds room. Default: a walk. */
  readonly recentKeys?: () => Promise<readonly ObservedKey[]>;
  /** Protects from creates that take effect late. */
  readonly late?: LateCreates | undefined;
  readonly notes?: CreateNotes | undefined;
  readonly limits?: Pick<Limits, 'allowUnknownGroups' | 'allowUnknownModels'>;
  readonly maxLogPages?: number | undefined;
  readonly assumeLogComplete?: boolean;
  readonly proveSecrets?: ProveSecrets | undefined;
  readonly onEvent?: ((event: ApplyEvent) => void) | undefined;
}

/** The plan of declared keys, which somebody may have approved. */
export interface DeclaredWrite {
  readonly desired: DesiredState;
  readonly observed: ObservedState;
  readonly plan: Plan;
  /** The declaration that the guard judges, where the keys are written in other words than they were declared in. */
  readonly judged?: DesiredState;
}

type Seen = Omit<ObservedState, 'keys'>;

/**
 * Writes single keys of one account, for whoever has no manifest: a program, a command about one key, a resource of Terraform.
 *
 * Every verb verifies the account first, takes the claim before it writes, writes only on keys that are as they were planned, records
 * a create before it is sent, looks up lost answers, and reads back what it wrote. A partial failure is a report.
 */
export interface KeyWriter {
  /**
   * Makes live keys as they are declared.
   *
   * @throws Fault `guard.*`, `plan.foreign`, `credentials.other-account`, `apply.locked`; nothing is written then.
   */
  reconcile(write: DeclaredWrite): Promise<ApplyReport>;
  /** Makes one key, once. Waits for an earlier create of its name that was not answered. Throws as `reconcile` does. */
  create(key: { readonly desired: DesiredKey; readonly ceiling: Ceiling }, seen: Seen): Promise<ApplyReport>;
  /** Changes the given settings of one key and no other, or its name. Throws as `reconcile` does. */
  edit(edit: KeyEdit, seen: Seen): Promise<ApplyReport>;
  /** Makes one change to each of these keys. Throws as `reconcile` does. */
  changeEach(verb: 'enable' | 'disable' | 'delete', observed: ObservedState): Promise<ApplyReport>;
  /**
   * Deletes the unused twins of a new key. Returns the IDs that are gone.
   *
   * @throws Fault as `reconcile`; `apply.lock-lost`
   */
  settleTwins(twins: readonly ObservedKey[], key: { readonly isDisabled: boolean }): Promise<ReadonlySet<KeyId>>;
  /**
   * Deletes those of the chosen keys that still share their name with another key and are still unused.
   *
   * @throws Fault of the first delete, if the gateway rejected it; `apply.lock-lost` when the lock was lost before it
   */
  removeDuplicates(chosen: readonly KeyId[], options: DuplicateOptions): Promise<Removal>;
}

export interface Removal {
  /** The keys that are gone. */
  readonly removed: ReadonlySet<KeyId>;
  /** The fault that ended the removal before its end. */
  readonly fault?: Fault;
}

/** Opens the writer of single keys. */
export function openKeyWriter(options: KeyWriterOptions): KeyWriter {
  const { store, now } = options;
  return {
    async reconcile({ plan, observed, desired, judged = desired }) {
      // Whoever writes single keys has named them: those that end are all of its keys.
      const limits = { ...options.limits, allowLastKey: true, maxDeletes: observed.keys.length };
      refuse(guard(plan, { desired: judged, observed }, limits));
      return await write(options, plan, { observed, desired });
    },
    async create({ desired, ceiling }, seen) {
      const observed = { ...seen, keys: [] };
      const plan = planCreate(desired, ceiling, { observed, now: now() });
      if (options.late) await awaitEarlier(desired.name, options.late, store);
      return await write(options, plan, { observed });
    },
    async edit(edit, seen) {
      const observed = { ...seen, keys: [edit.key] };
      return await write(options, planEdit(edit, { observed, now: now() }), { observed });
    },
    changeEach: (verb, observed) => write(options, planNamed(verb, observed, now()), { observed }),
    async settleTwins(twins, { isDisabled }) {
      const [first] = twins;
      await store.verifyAccount();
      await options.claim?.take(options.signal);
      return await settleTwins(store, [twins], {
        since: Math.min(...twins.map(({ createdAt }) => createdAt ?? 0)),
        maxLogPages: options.maxLogPages,
        ensureHeld: ensureHeldOf(options),
        disabled: new Set(first && isDisabled ? [first.name] : []),
      });
    },
    removeDuplicates: (chosen, choice) => removeDuplicates(options, chosen, choice),
  };
}

const DELETE_BATCH = 100;

/** One may have been used while a person was asked: the keys are judged again. */
async function removeDuplicates(
  { store, claim, locks, signal }: KeyWriterOptions,
  chosen: readonly KeyId[],
  choice: DuplicateOptions,
): Promise<Removal> {
  await store.verifyAccount();
  await claim?.take(signal);
  const still = new Set((await findDuplicates(store, choice)).flatMap(({ remove }) => remove));
  const ids = chosen.filter((id) => still.has(id));
  let fault: Fault | undefined;
  for (let at = 0; at < ids.length; at += DELETE_BATCH) {
    fault = await ensureHeldOf({ claim, locks })().then(() => undefined, asFault);
    if (fault && at === 0) throw fault;
    if (fault) break;
    fault = await store.delete(ids.slice(at, at + DELETE_BATCH)).then(() => undefined, asFault);
    // Nothing was deleted yet, and nothing is in doubt. Later, the keys that are gone must be reported.
    if (fault && at === 0 && fault.retry !== 'look') throw fault;
    if (fault) break;
  }
  const left = new Set((await store.walk()).map(({ id }) => id));
  const removed = new Set(ids.filter((id) => !left.has(id)));
  // The walk shows what became of a delete whose answer was lost.
  return { removed, ...(fault && removed.size < ids.length && { fault }) };
}

const ensureHeldOf =
  ({ claim, locks }: Pick<KeyWriterOptions, 'claim' | 'locks'>) =>
  async (): Promise<void> => {
    await claim?.ensureHeld();
    await locks?.ensureHeld();
  };

/** Waits for an earlier create of the same name whose response was lost, unless its key is listed: the create then finds it. */
async function awaitEarlier(name: string, { journal, settle, wait }: LateCreates, store: KeyStore): Promise<void> {
  const { creates } = await journal.load();
  const [earlier, ...more] = creates.filter((create) => create.name === name);
  if (earlier === undefined) return;
  const keys = await store.walk();
  if (keys.some((key) => key.name === name && key.id > earlier.newestBefore)) return;
  const seconds = settle - Math.min(...[earlier, ...more].map(({ age }) => Math.max(0, age)));
  if (seconds > 0) await wait({ seconds, names: [name] });
}

interface Basis {
  readonly observed: ObservedState;
  readonly desired?: DesiredState;
}

async function write(options: KeyWriterOptions, plan: Plan, basis: Basis): Promise<ApplyReport> {
  const { store, now, signal, claim, late, proveSecrets, maxLogPages, onEvent, assumeLogComplete = false } = options;
  await store.verifyAccount();
  refuseForeign(plan, store.account);
  if (pendingChanges(plan).length > 0) await takeClaim(options, plan);
  const report = await apply(plan, store, {
    ...basis,
    now,
    concurrency: 1,
    assumeLogComplete,
    // As long as the claim keeps others out, a second key is a request that was delivered twice.
    isAlone: async () => (await claim?.isHeld()) ?? false,
    ...(signal && { signal }),
    ...(late && { late }),
    ensureHeld: ensureHeldOf(options),
    ...(proveSecrets && { proveSecrets }),
    ...(maxLogPages !== undefined && { maxLogPages }),
    ...(onEvent && { onEvent }),
  });
  await noteCreates(report, options);
  // Without an interruption, the run has waited for it.
  if (signal?.aborted && report.outcomes.some(({ state }) => state === 'indeterminate')) claim?.leaveAtEnd();
  return report;
}

/** Takes the claim. Whatever another run wrote meanwhile is found by the reads before each write. */
async function takeClaim({ claim, store, signal, recentKeys }: KeyWriterOptions, { changes }: Plan): Promise<void> {
  if (claim === undefined) return;
  const keys = recentKeys ?? (() => store.walk());
  const creates = changes.some(({ verb }) => verb === 'create');
  if (creates && leavesNoRoom(changes, { keys: await keys() })) await claim.forgo();
  else await claim.take(signal);
}

/** A create of a key that another run made too: nobody can recognize which is whose. */
const isMadeTwice = (outcome: Outcome): boolean => 'fault' in outcome && outcome.fault.code === 'apply.duplicate';

/** One whose answer was lost stays recorded: a later run waits for it. */
const mayExist = (outcome: Outcome): boolean =>
  (outcome.state === 'indeterminate' || outcome.state === 'left-enabled') && !isMadeTwice(outcome);

async function noteCreates({ plan, outcomes }: ApplyReport, { notes }: KeyWriterOptions): Promise<void> {
  if (notes === undefined) return;
  const creates = pendingChanges(plan).filter(({ verb }) => verb === 'create');
  for (const { name } of creates) {
    const outcome = outcomes.find(({ change }) => change.verb === 'create' && change.name === name);
    if (outcome && 'id' in outcome && outcome.id !== undefined) notes.made(name, outcome.id);
    else if (outcome === undefined || !mayExist(outcome)) await notes.forget(name);
  }
}
