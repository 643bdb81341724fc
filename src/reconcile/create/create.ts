import { asFault, Fault, type KeyId, type ObservedKey, type Outcome, type Pending } from '../../domain/index.ts';
import { isRefusal, mayHaveHappened, notMade, wasNeverSent } from '../apply/execute.ts';
import { comparable, holds } from '../plan/diff.ts';
import { USUAL_KEY_LIMIT } from '../plan/plan-notes.ts';
import type { KeyStore } from '../ports.ts';
import type { NewKeys } from './settle-twins.ts';

export type Create = Extract<Pending, { verb: 'create' }>;

/** A create that was sent. The gateway does not return the id, and its response may have been lost. */
export interface Sent {
  readonly state: 'sent';
  readonly change: Create;
  readonly lost?: Fault;
  /** The gateway refused it. That may be an error after it made the key. */
  readonly refused?: Fault;
}

/** A create whose key was found. */
export type Created = Extract<Outcome, { state: 'applied' }> & { readonly change: Create; readonly id: KeyId };

/**
 * Attempts of a create that the gateway did not accept. Before each of them the keys are read, which waits for as long as the
 * limit demands. The last one may wait itself: a limit may never let a read and a create pass together.
 */
const MOST_ATTEMPTS = 5;

/** The create was not accepted: a limit held it back, or it never left this machine. */
const wasHeldBack = ({ code, detail }: Fault): boolean =>
  code === 'gateway.rate-limited' || (code !== 'gateway.interrupted' && detail.sent === 'no');

/**
 * Sends one create. It is accepted at most once, and never sent on old knowledge: after a wait, the keys are looked at again.
 * A lost response is not a failure yet: {@link settleCreates} looks it up.
 *
 * @param lookAgain returns the outcome of a create that must no longer be sent
 */
export async function sendCreate(
  change: Create,
  store: KeyStore,
  lookAgain: (change: Create) => Promise<Outcome | undefined>,
): Promise<Sent | Outcome> {
  for (let attempt = 1; ; attempt += 1) {
    const isLast = attempt === MOST_ATTEMPTS;
    const sending = isLast ? undefined : 'once';
    let fault: Fault;
    try {
      await store.create(change.settings, sending);
      return { state: 'sent', change };
    } catch (thrown) {
      fault = asFault(thrown);
    }
    if (isRefusal(fault)) return { state: 'sent', change, refused: fault };
    if (wasNeverSent(fault)) return notMade(change, fault);
    if (mayHaveHappened(fault)) return { state: 'sent', change, lost: fault };
    if (isLast || !wasHeldBack(fault)) return { state: 'failed', change, fault };
    const outcome = await lookAgain(change);
    if (outcome) return outcome;
  }
}

/** Gives the refusal of a create its likely reason: the gateway words it in its own language. @param keys of the account */
export function withLimit(refused: Fault, keys: number): Fault {
  if (keys < USUAL_KEY_LIMIT) return refused;
  const message = `The account has ${keys} keys, and the gateway refused another: ${refused.message}`;
  return new Fault('gateway.key-limit', message, {
    hint: 'Delete keys that nobody needs, or ask the administrator of the gateway for a higher limit.',
    detail: { keys },
    cause: refused,
  });
}

interface Sharing {
  /** Other runs declare keys of their own in this account: a second new key of a name may be theirs. */
  readonly isShared?: boolean;
}

/**
 * Finds created keys in a walk made after all of them: exact name, and newer than every key that was there before.
 * A create whose answer was lost and that is not to be found stays indeterminate: it is not sent again, because it may
 * still be on its way, and two keys are worse than one that the next run makes. Without a walk all are indeterminate.
 */
export function settleCreates(
  sent: readonly Sent[],
  walked: readonly ObservedKey[] | undefined,
  { newestBefore, removed, isShared = false }: NewKeys & Sharing,
): readonly (Created | Exclude<Outcome, { state: 'applied' }>)[] {
  const found = new Map<string, ObservedKey[]>();
  for (const key of walked ?? []) {
    if (key.id > newestBefore) found.set(key.name, [...(found.get(key.name) ?? []), key]);
  }
  return sent.map(({ change, lost, refused }) => {
    const named = found.get(change.name) ?? [];
    // What somebody else made at this moment is not what was sent, whatever its name is.
    const likely = lost || refused ? named.filter((key) => holds(key, change.settings)) : named;
    const ids = (isShared ? withoutOthers(likely, change) : likely).map((key) => key.id);
    const [id] = ids;
    if (!walked) return unlocated(change, lost ?? refused);
    if (refused && id === undefined) return { state: 'failed', change, fault: refused };
    if (ids.length > 1) {
      return { state: change.enabled ? 'failed' : 'left-enabled', change, fault: duplicated(change, ids) };
    }
    if (id === undefined) return { state: 'indeterminate', change, fault: notFound(change, lost) };
    const twins = removed.get(change.name);
    const others = isShared ? named.flatMap((key) => (key.id === id ? [] : [key.id])) : [];
    const unsure = lost ? 'its response was lost' : refused && 'the gateway reported an error';
    const byName = unsure && `${unsure}; the key was found by its name`;
    const remark = twins ? meetingRemark(twins) : others.length > 0 ? othersRemark(others) : byName;
    return { state: 'applied', change, id, ...(remark && { remark }) };
  });
}

/** Returns, of several keys with one name, the one that has exactly what was sent. If none or several have, nothing is decided. */
function withoutOthers(named: readonly ObservedKey[], { settings }: Create): readonly ObservedKey[] {
  const own = named.filter((key) => holds(key, settings) && comparable(key).remain === comparable(settings).remain);
  return own.length === 0 ? named : own;
}

const othersRemark = (others: readonly KeyId[]): string =>
  others.length > 1
    ? `other keys have the same name (IDs ${others.join(', ')}); this key was found by its settings`
    : `another key has the same name (ID ${others[0]}); this key was found by its settings`;

const meetingRemark = (twins: readonly KeyId[]): string =>
  `another run created it as well; the unused ${twins.length > 1 ? 'twins' : 'twin'} ${twins.join(', ')} ${twins.length > 1 ? 'were' : 'was'} deleted`;

function duplicated(change: Create, ids: readonly KeyId[]): Fault {
  return new Fault('apply.duplicate', `More than one new key is named “${change.name}”: ${ids.join(', ')}.`, {
    hint: 'Something else created a key with this name at the same time. This run revealed none of their secrets. Delete the one that is not in use.',
    remedy: 'remove-duplicates',
    detail: { ids },
  });
}

function notFound(change: Create, lost: Fault | undefined): Fault {
  const why = lost
    ? `, and the response to its create was lost (${lost.code})`
    : ', although the gateway accepted its create';
  return new Fault('gateway.indeterminate', `“${change.name}” is not in the key list${why}.`, {
    hint: hintFor(change),
    detail: lost ? { lost: lost.code } : {},
    cause: lost,
  });
}

const AGAIN = 'Run the command again: it looks for the key first, and creates it only if it does not exist.';

const hintFor = ({ enabled }: Create): string =>
  enabled ? AGAIN : `If the key exists, it is enabled until it is disabled. ${AGAIN}`;

/** A key that the gateway accepted exists, and nothing has disabled it. */
function unlocated(change: Create, lost: Fault | undefined): Exclude<Outcome, { state: 'applied' }> {
  const { name } = change;
  if (!change.enabled && !lost) {
    const fault = new Fault('gateway.indeterminate', `“${name}” was created and is still enabled: the lookup failed.`, {
      hint: AGAIN,
      remedy: 'disable-keys',
    });
    return { state: 'left-enabled', change, fault };
  }
  const message = `It is unknown whether “${name}” was created: the lookup failed.`;
  return {
    state: 'indeterminate',
    change,
    fault: new Fault('gateway.indeterminate', message, { hint: hintFor(change) }),
  };
}
