import type { Chance } from './chance.ts';

type Budget = 'unlimited' | { readonly quota: number; readonly per?: 'hour' | 'day' };

/** A declared key, in the words of a manifest. */
export interface DeclaredKey {
  readonly group: 'default' | 'vip';
  readonly models: readonly string[] | null;
  readonly enabled: boolean;
  readonly budget: Budget;
}

/** Declared keys by name. */
export type DeclaredKeys = Readonly<Record<string, DeclaredKey>>;

function anyKey(chance: Chance, enabled: boolean): DeclaredKey {
  const amount = { quota: 500 + chance.number(3000) };
  return {
    group: chance.pick(['default', 'vip']),
    models: chance.pick([null, ['alpha-chat-1']]),
    enabled,
    budget: chance.pick<Budget>(['unlimited', amount, { ...amount, per: 'day' }, { ...amount, per: 'hour' }]),
  };
}

/**
 * Changes some keys of a manifest, adds some and removes some. The names begin with the team. A key that is declared
 * disabled stays so, because no later manifest enables it.
 */
export function changed(keys: DeclaredKeys, team: string, chance: Chance): DeclaredKeys {
  const next: Record<string, DeclaredKey> = { ...keys };
  for (let n = 0; n < 1 + chance.number(4); n += 1) {
    const index = chance.number(12);
    const name = `${team}-${index}`;
    if (name in next && chance.happens(0.3)) delete next[name];
    else next[name] = anyKey(chance, index !== 7);
  }
  return next;
}

/** Returns the manifest of a team, in JSON, which is YAML. */
export const manifestOf = (team: string, url: string, keys: DeclaredKeys): string =>
  JSON.stringify({
    version: 1,
    gateway: { url, userId: 42 },
    ownership: { scope: `${team}-*`, prune: 'delete' },
    keys: Object.fromEntries(
      Object.entries(keys).map(([name, key]) => [
        name,
        { ...key, models: key.models ?? 'any', allowIps: 'anywhere', expires: 'never' },
      ]),
    ),
  });
