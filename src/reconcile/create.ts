import { asFault, Fault, type KeyId, type ObservedKey, type Outcome, type Pending } from '../domain/index.ts';
import { holds, mayHaveHappened } from './execute.ts';
import type { KeyStore } from './ports.ts';

export type Create = Extract<Pending, { verb: 'create' }>;

/** A create that was sent. The gateway does not return the id, and its response may have been lost. */
export interface Sent {
  readonly state: 'sent';
  readonly change: Create;
  readonly lost?: Fault;
}

/** Sends one create, once. A lost response is not a failure yet: {@link settleCreates} looks it up. */
export async function sendCreate(change: Create, store: KeyStore): Promise<Sent | Outcome> {
  try {
    await store.create(change.settings);
    return { state: 'sent', change };
  } catch (thrown) {
    const fault = asFault(thrown);
    return mayHaveHappened(fault) ? { state: 'sent', change, lost: fault } : { state: 'failed', change, fault };
  }
}

/**
 * Finds created keys in a walk made after all of them: exact name, and newer than every key that was there before.
 * A create whose answer was lost and that is not to be found stays indeterminate: it is not sent again, because it may
 * still be on its way, and two keys are worse than one that the next run makes. Without a walk all are indeterminate.
 */
export function settleCreates(
  sent: readonly Sent[],
  walked: readonly ObservedKey[] | undefined,
  newestBefore: number,
): readonly Outcome[] {
  const found = new Map<string, ObservedKey[]>();
  for (const key of walked ?? []) {
    if (key.id > newestBefore) found.set(key.name, [...(found.get(key.name) ?? []), key]);
  }
  return sent.map(({ change, lost }): Outcome => {
    const named = found.get(change.name) ?? [];
    // What somebody else made at this moment is not what was sent, whatever its name is.
    const ids = (lost ? named.filter((key) => holds(key, change.settings)) : named).map((key) => key.id);
    const [id] = ids;
    if (!walked) return { state: 'indeterminate', change, fault: unseen(change) };
    if (ids.length > 1) return { state: 'failed', change, fault: duplicated(change, ids) };
    if (id === undefined) return { state: 'indeterminate', change, fault: notFound(change, lost) };
    return {
      state: 'applied',
      change,
      id,
      ...(lost && { remark: 'its answer was lost; the key was found by its name' }),
    };
  });
}

function duplicated(change: Create, ids: readonly KeyId[]): Fault {
  return new Fault('apply.duplicate', `More than one new key is named “${change.name}”: ${ids.join(', ')}.`, {
    hint: 'Something else made a key of this name at the same time. Delete the one that is not in use.',
    detail: { ids },
  });
}

function notFound(change: Create, lost: Fault | undefined): Fault {
  const why = lost ? `; the answer to its create was lost (${lost.code})` : ', though its create was accepted';
  return new Fault('gateway.indeterminate', `“${change.name}” is not in the list of keys${why}.`, {
    hint: 'Run the command again: it looks first, and creates the key only if it is still not there.',
    detail: lost ? { lost: lost.code } : {},
    cause: lost,
  });
}

const unseen = (change: Create): Fault =>
  new Fault('gateway.indeterminate', `Whether “${change.name}” was created could not be looked up.`, {
    hint: 'Run the command again: it looks first, and creates the key only if it is not there.',
  });
