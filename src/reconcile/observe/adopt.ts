import { type DesiredKey, Fault, type KeyId, type ObservedKey } from '../../domain/index.ts';

/**
 * Pairs the declarations that name a live key by its ID: those that adopt it under exactly its name, and those that
 * rename it. A name that another live key holds is not taken from it; then the name of the declaration decides.
 *
 * @throws Fault `plan.stale-adoption` when an adopted key has another name than declared.
 */
export function matchIds(
  declared: readonly DesiredKey[],
  keys: readonly ObservedKey[],
): ReadonlyMap<DesiredKey, ObservedKey> {
  const matched = new Map<DesiredKey, ObservedKey>();
  if (!declared.some(({ id, renamedFrom }) => id !== undefined || typeof renamedFrom === 'number')) return matched;
  const free = new Map(keys.map((key) => [key.id, key]));
  const holders = new Map<string, number>();
  for (const { name } of keys) holders.set(name, (holders.get(name) ?? 0) + 1);
  const stale: Stale[] = [];
  const take = (key: DesiredKey, live: ObservedKey): void => {
    matched.set(key, live);
    free.delete(live.id);
    holders.set(live.name, (holders.get(live.name) ?? 1) - 1);
  };
  for (const key of declared) {
    const live = key.id === undefined ? undefined : free.get(key.id);
    if (live && live.name !== key.name) stale.push({ id: live.id, name: live.name, declared: key.name });
    else if (live) take(key, live);
  }
  if (stale.length > 0) throw staleFault(stale);
  // A rename may free the name for the next, so this repeats until nothing changes.
  for (let moved = true; moved; ) {
    moved = false;
    for (const key of declared) {
      const live = typeof key.renamedFrom === 'number' ? free.get(key.renamedFrom) : undefined;
      if (!live || (live.name !== key.name && (holders.get(key.name) ?? 0) > 0)) continue;
      take(key, live);
      moved = true;
    }
  }
  return matched;
}

interface Stale {
  readonly id: KeyId;
  readonly name: string;
  readonly declared: string;
}

function staleFault(stale: readonly Stale[]): Fault {
  const lines = stale.map(({ id, name, declared }) => `key ${id} is named “${name}”, not “${declared}”`);
  return new Fault('plan.stale-adoption', `An adopted key has another name: ${lines.join('; ')}.`, {
    hint: 'If it is the same key, write its current name in `name`. If not, remove its declaration.',
    detail: { stale },
  });
}

/** @throws Fault `plan.stale-adoption` when one of these declarations, for which there is no live key, adopts one. */
export function refuseGone(missing: readonly DesiredKey[]): void {
  const gone = missing.flatMap(({ id, name }) => (id === undefined ? [] : [{ id, name }]));
  if (gone.length === 0) return;
  const lines = gone.map(({ id, name }) => `key ${id} (“${name}”)`);
  throw new Fault('plan.stale-adoption', `An adopted key no longer exists: ${lines.join('; ')}.`, {
    hint: 'Remove its declaration. To create a key instead, declare it by its name alone.',
    detail: { gone },
  });
}
