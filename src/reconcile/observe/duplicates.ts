import { byText, type KeyId, type ObservedKey, type Quota, quota, type UnixSeconds } from '../../domain/index.ts';
import type { KeyStore } from '../ports.ts';
import { DEFAULT_LOG_PAGES } from '../usage/log-use.ts';

/** One of several keys with one name, with what is known of its use. */
export interface Twin {
  readonly key: ObservedKey;
  /** Undefined: neither the record nor the usage log shows it. */
  readonly isUsed: boolean | undefined;
  /** Undefined: never used, or unknown. */
  readonly used?: Quota;
  readonly lastUsed?: UnixSeconds;
}

/** Keys with one name, by ID. `remove` lists those that nobody uses; empty: a person must decide. */
export interface DuplicateKeys {
  readonly name: string;
  readonly twins: readonly Twin[];
  readonly remove: readonly KeyId[];
  /** The reason why nothing can be removed. */
  readonly undecided?: 'none-used' | 'several-used' | 'used-disabled' | 'unknown-use';
}

interface KeyUse {
  readonly units: number;
  readonly last: UnixSeconds;
}

interface LogUse {
  readonly byId: ReadonlyMap<KeyId, KeyUse>;
  /** Names of entries without a key ID: they may belong to any key of that name. */
  readonly names: ReadonlySet<string>;
  readonly isWhole: boolean;
}

interface LogRange {
  readonly maxPages: number;
  /** Older entries are not read: they cannot be about the keys. */
  readonly since?: UnixSeconds | undefined;
}

async function readLog(store: KeyStore, { maxPages, since = 0 }: LogRange): Promise<LogUse> {
  const byId = new Map<KeyId, KeyUse>();
  const names = new Set<string>();
  let pages = 0;
  for await (const page of store.usage()) {
    if (pages === maxPages) return { byId, names, isWhole: false };
    pages += 1;
    for (const { keyId, keyName, at, spent } of page) {
      if (keyId === undefined) names.add(keyName);
      else {
        const { units, last } = byId.get(keyId) ?? { units: 0, last: 0 };
        byId.set(keyId, { units: units + spent, last: Math.max(last, at) });
      }
    }
    if ((page.at(-1)?.at ?? since) < since) break;
  }
  return { byId, names, isWhole: true };
}

/** Has the gateway seen a request with the key since it was created? */
const accessedAt = ({ accessedAt: at, createdAt }: ObservedKey): UnixSeconds | undefined =>
  at !== undefined && createdAt !== undefined && at > createdAt ? at : undefined;

function twinOf(key: ObservedKey, log: LogUse | undefined): Twin {
  const entries = log?.byId.get(key.id);
  const last = [accessedAt(key), entries?.last].filter((at) => at !== undefined);
  const used = key.used ?? (entries && quota(entries.units));
  const isUsed = last.length > 0 || (used !== undefined && used > 0);
  const isKnown = key.used !== undefined || (log?.isWhole === true && !log.names.has(key.name));
  return {
    key,
    isUsed: isUsed || (isKnown ? false : undefined),
    ...(used === undefined ? {} : { used }),
    ...(last.length > 0 ? { lastUsed: Math.max(...last) } : {}),
  };
}

/** Finds the use of keys. Reads the usage log only where records do not report the use. */
export async function usesOf(
  store: KeyStore,
  keys: readonly ObservedKey[],
  { maxPages = DEFAULT_LOG_PAGES, since }: Partial<LogRange>,
): Promise<readonly Twin[]> {
  const isNeeded = keys.some(({ used }) => used === undefined);
  const log = isNeeded ? await readLog(store, { maxPages, since }) : undefined;
  return keys.map((key) => twinOf(key, log));
}

/** Never removes a key that is used or may be, and never all keys of a name. */
function judged(name: string, twins: readonly Twin[], { keep = [], adopted = [] }: DuplicateOptions): DuplicateKeys {
  if (twins.every(({ key }) => adopted.includes(key.id))) return { name, twins, remove: [] };
  const used = twins.filter(({ isUsed }) => isUsed === true);
  // A disabled key has no consumers any more: they may be about to use the other one.
  const isDisabled = used.some(({ key }) => key.status === 'disabled');
  const chosen = twins.filter(({ key }) => keep.includes(key.id) || adopted.includes(key.id));
  const kept = chosen.length > 0 ? chosen : used.length === 1 && !isDisabled ? used : [];
  const others = kept.length > 0 ? twins.filter((twin) => !kept.includes(twin)) : [];
  const remove = others.filter(({ isUsed }) => isUsed === false).map(({ key }) => key.id);
  if (remove.length > 0) return { name, twins, remove };
  if (twins.some(({ isUsed }) => isUsed === undefined)) return { name, twins, remove, undecided: 'unknown-use' };
  if (used.length === 0) return { name, twins, remove, undecided: 'none-used' };
  return { name, twins, remove, undecided: kept.length === 0 && isDisabled ? 'used-disabled' : 'several-used' };
}

export interface DuplicateOptions {
  /** IDs of keys to keep where the use does not decide. */
  readonly keep?: readonly KeyId[];
  /** IDs of keys that are declared by them. They are kept; where all keys of a name are, there is nothing to decide. */
  readonly adopted?: readonly KeyId[];
  /** Pages of the usage log that may be read. */
  readonly maxLogPages?: number;
}

/**
 * Finds the live keys that share a name, and those of them that nobody uses. Reads the usage log only where records do not
 * report the use.
 */
export async function findDuplicates(
  store: KeyStore,
  options: DuplicateOptions = {},
): Promise<readonly DuplicateKeys[]> {
  const byName = new Map<string, ObservedKey[]>();
  for (const key of await store.walk()) byName.set(key.name, [...(byName.get(key.name) ?? []), key]);
  const groups = [...byName].filter(([, keys]) => keys.length > 1);
  const keys = groups.flatMap(([, twins]) => twins);
  const uses = await usesOf(store, keys, { maxPages: options.maxLogPages ?? DEFAULT_LOG_PAGES });
  const byId = new Map(uses.map((twin) => [twin.key.id, twin]));
  return groups
    .sort(([a], [b]) => byText(a, b))
    .map(([name, keys]) => {
      const twins = keys.sort((a, b) => a.id - b.id).flatMap(({ id }) => byId.get(id) ?? []);
      return judged(name, twins, options);
    });
}
