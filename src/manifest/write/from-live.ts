import {
  type Decimal,
  declarableEnabled,
  declarableFields,
  isNameBefore,
  isShortened,
  type KeyName,
  looksLikeCredential,
  nameFold,
  nameProblem,
  type ObservedKey,
  tryParseGeneration,
  tryParseQuarantine,
  type UnixSeconds,
} from '../../domain/index.ts';
import type { Document, DocumentKey, OmittedKey } from './document.ts';

export interface LiveKeys {
  readonly gateway: { readonly url: string; readonly userId: number };
  readonly keys: readonly ObservedKey[];
  /** Quota units for one dollar, at the current rate. */
  readonly quotaPerUnit: Decimal;
  readonly now: UnixSeconds;
}

function keyOf(key: ObservedKey, isAdoptedById: boolean, { quotaPerUnit, now }: LiveKeys): DocumentKey {
  const fields = Object.entries(declarableFields(key, quotaPerUnit));
  const settings = fields.flatMap(([field, declarable]) => ('value' in declarable ? [[field, declarable.value]] : []));
  const omissions = fields.flatMap(([field, declarable]) =>
    'value' in declarable ? [] : [{ field, why: declarable.unrepresentable }],
  );
  const enabled = declarableEnabled(key, now);
  return {
    id: key.id,
    desired: {
      ...(isAdoptedById ? { id: key.id } : {}),
      ...Object.fromEntries(settings),
      name: key.name as KeyName,
      enabled,
    },
    omissions,
    verbatim: {},
    checks: [],
    isProtected: false,
  };
}

/** Explains why a key cannot be declared; undefined when it can. */
function undeclarable({ name, status }: ObservedKey): string | undefined {
  if (/\p{Surrogate}/u.test(name)) return 'its name cannot be declared: it is not well-formed Unicode';
  if (tryParseQuarantine(name)) {
    return status === 'disabled'
      ? 'it is in quarantine: it was disabled because no manifest declares it any more'
      : 'its name has the form of a key in quarantine, but the key is not disabled: rename it to declare it';
  }
  return looksLikeCredential(name) ? 'its name looks like a credential' : undefined;
}

/**
 * Returns the key in quarantine that a declaration by name would find too: it is newer, and had that name. The plan would refuse to
 * choose, so the key is declared by its ID.
 */
function quarantinedTwin({ id, name }: ObservedKey, keys: readonly ObservedKey[]): ObservedKey | undefined {
  return keys.find((key) => {
    const quarantine = key.id > id ? tryParseQuarantine(key.name) : undefined;
    return quarantine !== undefined && isNameBefore(name, quarantine);
  });
}

/** A generation has no declaration by its ID. */
const ambiguousWith = ({ id }: ObservedKey): string =>
  `a declaration would also find key ${id}, which is in quarantine: rename or delete one of the two`;

/**
 * Splits live keys: the current generation of a key has the declared name, and other generations are left out. So are all of a
 * key whose declared name is too long to be part of theirs.
 */
function withoutGenerations(keys: readonly ObservedKey[]) {
  const newest = new Map<string, { readonly key: ObservedKey; readonly born: UnixSeconds }>();
  const left = new Map<number, ObservedKey>();
  for (const key of keys) {
    const { stem, born } = tryParseGeneration(key.name) ?? {};
    if (stem === undefined || born === undefined) continue;
    left.set(key.id, key);
    if (!isShortened(stem) && born > (newest.get(stem)?.born ?? -1)) newest.set(stem, { key, born });
  }
  for (const key of keys) if (newest.has(key.name)) left.set(key.id, key);
  for (const { key } of newest.values()) left.delete(key.id);
  const names = new Map([...newest].map(([stem, { key }]) => [key.id, stem]));
  const current = keys
    .filter(({ id }) => !left.has(id))
    .map((key) => {
      const name = names.get(key.id);
      return name === undefined ? key : { ...key, name };
    });
  return { current, left: [...left.values()], generations: new Set(names.keys()) };
}

/** Former generations belong to the declared key, so an apply ends them. The key of a shortened name is unknown, and not declared. */
const asGeneration = (name: string): string =>
  isShortened(tryParseGeneration(name)?.stem ?? name)
    ? 'it is a generation of a key that rotates, whose whole name is unknown'
    : 'it is a former generation of a declared key: an apply ends it once its overlap is over and nobody uses it';

/**
 * Converts live keys to a document that declares every field it can, so that later changes at the gateway show as drift.
 * A key whose name does not identify it, or could not be given to a new key, is declared by its ID. Holds no secret and no
 * masked key.
 */
export function documentOfLive(live: LiveKeys): Document {
  const { current, left, generations } = withoutGenerations(live.keys);
  const waiting = live.keys.filter(({ name }) => tryParseQuarantine(name));
  const counts = new Map<string, number>();
  for (const { name } of current) counts.set(nameFold(name), (counts.get(nameFold(name)) ?? 0) + 1);
  const omittedKeys: OmittedKey[] = [];
  const keys: DocumentKey[] = [];
  for (const { id, name } of left) omittedKeys.push({ id, name, reason: asGeneration(name) });
  for (const key of [...current].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.id - b.id))) {
    const quarantined = quarantinedTwin(key, waiting);
    const isGeneration = generations.has(key.id);
    const reason = undeclarable(key) ?? (quarantined && isGeneration ? ambiguousWith(quarantined) : undefined);
    const isTwin = quarantined !== undefined || (counts.get(nameFold(key.name)) ?? 0) > 1;
    if (reason) omittedKeys.push({ id: key.id, name: looksLikeCredential(key.name) ? '‹secret›' : key.name, reason });
    else keys.push(keyOf(key, isTwin || nameProblem(key.name) !== undefined, live));
  }
  const ownership = { prune: 'never', protect: [] } as const;
  return { gateway: live.gateway, ownership, keys, checks: [], omittedKeys, adopts: true, now: live.now };
}
