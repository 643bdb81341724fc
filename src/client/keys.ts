import {
  type ApplyReport,
  type BudgetInput,
  type Ceiling,
  Fault,
  type KeyId,
  keyId,
  keyName,
  matchesAnyGlob,
  type NameGlob,
  type ObservedKey,
  type ObservedState,
  type Secret,
  type StoredStatus,
} from '../domain/index.ts';
import { type KeyWriter, openKeyWriter } from '../engine/index.ts';
import type { CallLimits, Gateway } from '../gateway/index.ts';
import type { KeyStore, LateCreates } from '../reconcile/index.ts';
import { type CallScope, type ClientContext, inTurn, openCall } from './call.ts';
import { type GatewayKey, publicKey } from './gateway-key.ts';
import { ceilingOf, type KeyPatch, type KeyToCreate, parseNewKey, parsePatch } from './key-input.ts';
import { asPlanned, onlyKey, rememberReads } from './remembering-store.ts';

/** Selects keys; all conditions must hold. */
export interface KeyFilter {
  /** Exact names, or globs: `*` stands for any run of characters, `?` for one. */
  readonly name?: NameGlob | readonly NameGlob[];
  /** Only keys with this status. */
  readonly status?: StoredStatus;
  /** Only keys of this group. */
  readonly group?: string;
}

/** The keys of a list, each once. */
export interface KeyList extends AsyncIterable<GatewayKey> {
  /** Reads all keys. */
  toArray(): Promise<readonly GatewayKey[]>;
}

/**
 * The keys of the account. Every method verifies, once for each client, that the access token belongs to the configured user.
 *
 * Contract: “System API endpoints”.
 *
 * @throws Fault `gateway.…`, `credentials.…`; `gateway.interrupted` or `gateway.timeout` when the call was ended.
 */
export interface GatewayKeys {
  /**
   * Lists the keys, each once. All pages are read before the first key is returned: a list that changes meanwhile is read again,
   * so that no key is missing or repeated. Nothing is sent until the list is iterated.
   *
   * Costs one request for each 100 keys. @throws Fault `gateway.listing-moves` when it never stopped changing
   */
  list(filter?: KeyFilter, limits?: CallLimits): KeyList;
  /** Reads a key, in one request. @throws Fault `gateway.not-found` */
  get(id: number, limits?: CallLimits): Promise<GatewayKey>;
  /** Finds the only key with exactly this name. @throws Fault `gateway.not-found`, `plan.ambiguous` */
  find(name: string, limits?: CallLimits): Promise<GatewayKey>;
  /** The same, and undefined when there is none. @throws Fault `plan.ambiguous` */
  tryFind(name: string, limits?: CallLimits): Promise<GatewayKey | undefined>;
  /**
   * Creates a key, once: a create whose response is lost is looked for, and never sent again blindly. That can take two minutes.
   *
   * @throws Fault `request.invalid`; `plan.stale` when a key has the name already, `gateway.indeterminate` when it is unknown
   * whether the key exists: a later create of this client with the same name finds out first.
   */
  create(key: KeyToCreate, limits?: CallLimits): Promise<GatewayKey>;
  /**
   * Changes the given settings and no other. The key is read right before the write, because the gateway takes all settings or
   * none: what somebody else has changed meanwhile stays. What the key spends during the write is not given back to it.
   *
   * @throws Fault `request.invalid`, `gateway.not-found`; `plan.stale` when the new name is taken, or when somebody changes the
   * same settings at the same moment.
   */
  update(id: number, patch: KeyPatch, limits?: CallLimits): Promise<GatewayKey>;
  /** Enables a key; harmless when it is. @throws Fault `gateway.not-found` */
  enable(id: number, limits?: CallLimits): Promise<void>;
  /** Disables a key; harmless when it is. @throws Fault `gateway.not-found` */
  disable(id: number, limits?: CallLimits): Promise<void>;
  /** Deletes a key permanently; false when it did not exist. */
  delete(id: number, limits?: CallLimits): Promise<boolean>;
  /** Reads the secret of a key. @throws Fault `gateway.not-found` */
  reveal(id: number, limits?: CallLimits): Promise<Secret>;
  /** Reads the secrets of several keys, a hundred with each request. A key that does not exist is absent. */
  revealAll(ids: readonly number[], limits?: CallLimits): Promise<ReadonlyMap<number, Secret>>;
}

const missing = (which: string): Fault => new Fault('gateway.not-found', `This account has no key ${which}.`);

function idOf(id: number): KeyId {
  if (Number.isSafeInteger(id) && id > 0) return keyId(id);
  throw new Fault('request.invalid', 'A key ID is a whole number above 0.', { detail: { field: 'id' } });
}

function matches({ name, status, group }: KeyFilter, key: ObservedKey): boolean {
  const globs = name === undefined ? ['*'] : [name].flat();
  return (
    matchesAnyGlob(globs, key.name) &&
    (status === undefined || key.status === status) &&
    (group === undefined || key.group === group)
  );
}

async function readKey({ store }: { readonly store: Pick<KeyStore, 'tryRead'> }, id: number): Promise<ObservedKey> {
  const key = await store.tryRead(idOf(id));
  if (key) return key;
  throw missing(String(id));
}

async function tryFindKey({ store }: Pick<Gateway, 'store'>, name: string): Promise<ObservedKey | undefined> {
  const [key, ...others] = (await store.walk()).filter((each) => each.name === name);
  if (others.length === 0) return key;
  const ids = [key, ...others].flatMap((each) => (each ? [each.id] : [])).sort((a, b) => a - b);
  throw new Fault('plan.ambiguous', `${ids.length} keys are named ${JSON.stringify(name)}: ids ${ids.join(', ')}.`, {
    hint: 'Use the ID of the key that you mean.',
    detail: { ids },
  });
}

/** The writer of one call. It takes no claim: a program that writes single keys must be able to while a run is under way. */
const writerOf = (call: CallScope, store: KeyStore, late?: LateCreates): KeyWriter =>
  openKeyWriter({ store, now: call.now, signal: call.signal, late });

/** Returns the key that was written. @throws Fault the reason why it was not, or may not have been */
function idOfOutcome({ outcomes: [outcome], fatal }: ApplyReport, call: CallScope): KeyId | undefined {
  if (outcome?.state === 'applied') return 'id' in outcome ? outcome.id : undefined;
  const wasUnsent = outcome?.state === 'skipped' && outcome.code === 'gateway.interrupted';
  if (wasUnsent || (call.signal?.aborted && outcome?.state !== 'indeterminate')) throw call.ended();
  if (outcome === undefined || outcome.state === 'skipped') {
    throw fatal ?? new Fault('plan.stale', outcome?.reason ?? 'The change was not made.');
  }
  throw outcome.fault;
}

/** Amounts of money need the rate of this moment; everything else only the one that messages would show. */
const stateOf = async (
  { gateway: { store }, rate }: CallScope,
  keys: readonly ObservedKey[],
  allowance: BudgetInput | undefined,
): Promise<ObservedState> => ({
  account: store.account,
  quotaPerUnit: await (allowance !== undefined && 'usd' in allowance ? store.quotaPerUnit() : rate()),
  keys,
  used: new Map(),
});

async function createKey(call: CallScope, key: KeyToCreate): Promise<GatewayKey> {
  const store = rememberReads(call.gateway.store);
  const { fields, allowance = {} } = parseNewKey(key);
  const seen = await stateOf(call, [], allowance);
  const desired = { name: keyName(key.name), ...(key.enabled === false ? { enabled: false } : {}), ...fields };
  const ceiling = ceilingOf(allowance, seen.quotaPerUnit);
  const id = idOfOutcome(await writerOf(call, store, call.late()).create({ desired, ceiling }, seen), call);
  return publicKey((id && store.last(id)) || (await readKey(call.gateway, Number(id))));
}

async function updateKey(call: CallScope, id: number, patch: KeyPatch): Promise<GatewayKey> {
  const store = rememberReads(call.gateway.store);
  const { fields, allowance } = parsePatch(patch);
  const key = await readKey({ store }, id);
  const observed = await stateOf(call, [key], allowance);
  const ceiling: Ceiling | undefined = allowance && ceilingOf(allowance, observed.quotaPerUnit);
  const name = patch.name === undefined ? key.name : keyName(patch.name);
  const writer = writerOf(call, name === key.name ? onlyKey(store, key.id) : store);
  const report = await writer.edit({ key, name, fields, ceiling }, observed);
  if (report.plan.changes.length === 0) return publicKey(key);
  idOfOutcome(report, call);
  return publicKey(store.last(key.id) ?? (await readKey({ store }, id)));
}

async function switchKey(call: CallScope, id: number, verb: 'enable' | 'disable'): Promise<void> {
  const store = rememberReads(call.gateway.store);
  const key = await readKey({ store }, id);
  if (key.status === `${verb}d`) return;
  const observed = await stateOf(call, [key], undefined);
  idOfOutcome(await writerOf(call, asPlanned(store, key.id)).changeEach(verb, observed), call);
}

/** Deletes a key, and looks up a lost answer: false when there was none. */
async function deleteKey(call: CallScope, id: number): Promise<boolean> {
  const store = rememberReads(call.gateway.store);
  const key = await store.tryRead(idOf(id));
  if (key === undefined) return false;
  const observed = await stateOf(call, [key], undefined);
  const report = await writerOf(call, asPlanned(store, key.id)).changeEach('delete', observed);
  const [outcome] = report.outcomes;
  // Somebody else deleted it first.
  if (outcome?.state === 'failed' && outcome.fault.code === 'gateway.not-found') return false;
  idOfOutcome(report, call);
  return true;
}

const listKeys = (context: ClientContext, filter: KeyFilter, limits: CallLimits | undefined): KeyList => {
  const toArray = async (): Promise<readonly GatewayKey[]> => {
    const keys = await openCall(context, limits).gateway.store.walk();
    return keys.filter((key) => matches(filter, key)).map(publicKey);
  };
  return {
    toArray,
    async *[Symbol.asyncIterator]() {
      yield* await toArray();
    },
  };
};

export function createKeys(context: ClientContext): GatewayKeys {
  const call = (limits: CallLimits | undefined): CallScope => openCall(context, limits);
  return {
    list: (filter = {}, limits) => listKeys(context, filter, limits),
    get: async (id, limits) => publicKey(await readKey(call(limits).gateway, id)),
    async find(name, limits) {
      const key = await tryFindKey(call(limits).gateway, name);
      if (key) return publicKey(key);
      throw missing(JSON.stringify(name));
    },
    async tryFind(name, limits) {
      const key = await tryFindKey(call(limits).gateway, name);
      return key && publicKey(key);
    },
    async create(key, limits) {
      const scope = call(limits);
      return inTurn({ context, call: scope, name: key?.name }, () => createKey(scope, key));
    },
    async update(id, patch, limits) {
      const scope = call(limits);
      const update = () => updateKey(scope, id, patch);
      return patch?.name === undefined ? update() : inTurn({ context, call: scope, name: patch.name }, update);
    },
    enable: async (id, limits) => switchKey(call(limits), id, 'enable'),
    disable: async (id, limits) => switchKey(call(limits), id, 'disable'),
    delete: async (id, limits) => deleteKey(call(limits), id),
    async reveal(id, limits) {
      const secret = (await call(limits).gateway.store.reveal([idOf(id)])).get(idOf(id));
      if (secret) return secret;
      throw missing(String(id));
    },
    revealAll: async (ids, limits) => call(limits).gateway.store.reveal(ids.map(idOf)),
  };
}
