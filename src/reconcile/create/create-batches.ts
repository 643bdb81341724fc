import { asFault, Fault, type ObservedKey } from '../../domain/index.ts';
import type { Run } from '../apply/run.ts';
import type { Create } from './create.ts';
import { CLOCKS_APART_SECONDS } from './create-journal.ts';
import { type NewKeys, settleTwins, twinsIn } from './settle-twins.ts';

/** The first batches, small: two runs that begin at the same time see each other after one key. */
const FIRST = [1, 9, 90];

/**
 * Splits creates into batches. Each later batch is as large as all before it, so that looking at the keys between batches
 * costs requests in proportion to the pages of the key list, and none for each create.
 */
export function batchesOf(creates: readonly Create[]): readonly (readonly Create[])[] {
  const batches: (readonly Create[])[] = [];
  for (let at = 0; at < creates.length; ) {
    const size = FIRST[batches.length] ?? at;
    batches.push(creates.slice(at, at + size));
    at += size;
  }
  return batches;
}

/** The keys that are newer than an ID: one request where the store can determine its newest keys, else a walk. */
async function newerThan(run: Run, id: number): Promise<readonly ObservedKey[]> {
  const newest = await run.store.newest();
  const keys = newest && newest.after <= id ? newest.keys : await run.store.walk();
  return keys.filter((key) => key.id > id);
}

/**
 * Looks for the keys with names of creates that had to wait. One look serves all creates that wait at the same time: none of
 * them is sent before it ends.
 */
export function lookAfterWaits(run: Run, { newestBefore }: NewKeys): () => Promise<ReadonlySet<string>> {
  let current: Promise<ReadonlySet<string>> | undefined;
  const look = async () => new Set((await newerThan(run, newestBefore)).map(({ name }) => name));
  return () => {
    current ??= look().finally(() => {
      current = undefined;
    });
    return current;
  };
}

/**
 * Looks at the new keys between two batches. A second key with a name that this run sent is deleted if nobody uses it.
 * Otherwise it ends the run: another one is creating other keys of the same names, and whatever follows would be doubled.
 *
 * @returns the names of all new keys
 */
export async function lookBetween(run: Run, sent: readonly Create[], look: NewKeys): Promise<ReadonlySet<string>> {
  try {
    const keys = await withoutTwins(run, await newerThan(run, look.newestBefore), { names: sent, look });
    const ids = new Map<string, number[]>();
    for (const { id, name } of keys) ids.set(name, [...(ids.get(name) ?? []), id]);
    const doubled = sent.find(({ name }) => (ids.get(name)?.length ?? 0) > 1);
    if (doubled) run.fatal ??= meeting(doubled.name, ids.get(doubled.name) ?? []);
    return new Set(ids.keys());
  } catch (thrown) {
    run.fatal ??= asFault(thrown);
    return new Set();
  }
}

/** Deletes the unused twins of the keys with these names, and returns the keys that remain. */
export async function withoutTwins(
  { store, plan, options }: Run,
  keys: readonly ObservedKey[],
  { names, look }: { readonly names: readonly Create[]; readonly look: NewKeys },
): Promise<readonly ObservedKey[]> {
  const twins = twinsIn(keys, new Map(names.map(({ name }) => [name, look.newestBefore])));
  const { maxLogPages, isAlone, ensureHeld } = options;
  if (twins.length > 0 && isAlone && !(await isAlone())) return keys;
  const disabled = new Set(names.filter(({ enabled }) => !enabled).map(({ name }) => name));
  const since = plan.at - CLOCKS_APART_SECONDS;
  // Where every run declares the same keys, the twins of a run that lost its lock are deleted too.
  const gone = await settleTwins(store, twins, {
    ...{ since, maxLogPages, disabled },
    ensureHeld: isAlone && ensureHeld,
  });
  for (const [first, ...others] of twins) {
    const removed = [first, ...others].flatMap((key) => (key && gone.has(key.id) ? [key.id] : []));
    if (first && removed.length > 0) {
      look.removed.set(first.name, [...(look.removed.get(first.name) ?? []), ...removed]);
    }
  }
  return keys.filter(({ id }) => !gone.has(id));
}

function meeting(name: string, ids: readonly number[]): Fault {
  const listed = [...ids].sort((a, b) => a - b);
  return new Fault('apply.duplicate', `More than one new key is named “${name}”: ${listed.join(', ')}.`, {
    hint: 'Another run creates keys of the same names, so this one stopped, and revealed none of their secrets. Let only one run write at a time, and remove the unused keys.',
    remedy: 'remove-duplicates',
    detail: { name, ids: listed },
  });
}
