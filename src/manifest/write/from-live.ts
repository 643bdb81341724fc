import {
  type Decimal,
  declarableEnabled,
  declarableFields,
  type KeyName,
  looksLikeCredential,
  nameFold,
  nameProblem,
  type ObservedKey,
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
    unimplemented: {},
    checks: [],
    isProtected: false,
  };
}

/** Explains why a key cannot be declared; undefined when it can. */
function undeclarable({ name }: ObservedKey): string | undefined {
  if (/\p{Surrogate}/u.test(name)) return 'its name cannot be declared: it is not well-formed Unicode';
  return looksLikeCredential(name) ? 'its name looks like a credential' : undefined;
}

/**
 * Converts live keys to a document that declares every field it can, so that later changes at the gateway show as drift.
 * A key whose name does not identify it, or could not be given to a new key, is declared by its ID. Holds no secret and no
 * masked key.
 */
export function documentOfLive(live: LiveKeys): Document {
  const counts = new Map<string, number>();
  for (const { name } of live.keys) counts.set(nameFold(name), (counts.get(nameFold(name)) ?? 0) + 1);
  const omittedKeys: OmittedKey[] = [];
  const keys: DocumentKey[] = [];
  for (const key of [...live.keys].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.id - b.id))) {
    const reason = undeclarable(key);
    const isTwin = (counts.get(nameFold(key.name)) ?? 0) > 1;
    if (reason) omittedKeys.push({ id: key.id, name: looksLikeCredential(key.name) ? '‹secret›' : key.name, reason });
    else keys.push(keyOf(key, isTwin || nameProblem(key.name) !== undefined, live));
  }
  const ownership = { prune: 'never', protect: [] } as const;
  return { gateway: live.gateway, ownership, keys, checks: [], omittedKeys, adopts: true, now: live.now };
}
