import { Buffer } from 'node:buffer';
import type { SinkMetadata } from '../../reconcile/index.ts';
import { fieldsOf, textOf } from './caller.ts';

/** A secret of Vault, as far as the token may read it. */
export interface VaultSecret {
  /** It has metadata, if perhaps no version yet. */
  readonly exists: boolean;
  /** The current version; 0: there is none. */
  readonly version: number;
  /** The current version is neither deleted nor destroyed. */
  readonly isLive: boolean;
  /** May the token read values? */
  readonly isReadable: boolean;
  /** The value of the entry, where it can be read. */
  readonly value?: string;
  readonly custom: Readonly<Record<string, string>>;
  readonly manager?: string;
  /** Our mark for the entry: fingerprint and version. */
  readonly mark?: string;
}

export const MANAGED_BY = 'managed-by';
export const markName = (as: string): string => `keyplane/${as}`;

/** Vault takes no longer values there. */
const LONGEST = 512;

/** Vault rejects a value with any other character, such as a no-break space or the joiner of an emoji. */
const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]+$/u;

const isAccepted = (text: string): boolean => Buffer.byteLength(text) <= LONGEST && PRINTABLE.test(text);

/** The facts about the key, next to its secret. */
export function customMetadataOf(as: string, { key, owner, labels = {} }: SinkMetadata): Record<string, string | null> {
  const facts = { key, owner, labels: Object.keys(labels).length === 0 ? undefined : JSON.stringify(labels) };
  const kept = Object.entries(facts).map(([name, text]): [string, string | null] => [
    `${markName(as)}/${name}`,
    text !== undefined && isAccepted(text) ? text : null,
  ]);
  return { [MANAGED_BY]: 'keyplane', ...Object.fromEntries(kept) };
}

/**
 * A version may have a time of deletion that is still to come. Where that is unknown, it is alive: a write that merges is rejected if
 * it is not, and one that replaces a living version would remove the entries of others.
 */
const isAlive = (version: ReadonlyMap<string, unknown>, now: number): boolean =>
  version.get('destroyed') !== true && !(Date.parse(textOf(version.get('deletion_time')) ?? '') <= now);

/** The value as a reader gets it. An entry that is not a text is one all the same, and is not ours. */
function entryOf(values: unknown, as: string): string | undefined {
  const entry = fieldsOf(values).get(as) ?? undefined;
  return entry === undefined || typeof entry === 'string' ? entry : JSON.stringify(entry);
}

/** Reads the answer about values: of a living version, or of one that is deleted. */
export function secretFromValues(as: string, json: unknown): VaultSecret {
  const data = fieldsOf(fieldsOf(json).get('data'));
  const held = fieldsOf(data.get('metadata'));
  const isLive = data.get('data') instanceof Object;
  const value = isLive ? entryOf(data.get('data'), as) : undefined;
  return {
    exists: true,
    version: Number(held.get('version') ?? 0),
    isLive,
    isReadable: true,
    ...customFrom(held, as),
    ...(value === undefined ? {} : { value }),
  };
}

/**
 * Reads the answer about metadata, where the token may not read values. An answer without data is a secret that does not exist.
 *
 * @param now The time of the server, in milliseconds; NaN: unknown.
 */
export function secretFromFacts(as: string, json: unknown, now: number): VaultSecret {
  const held = fieldsOf(fieldsOf(json).get('data'));
  const version = Number(held.get('current_version') ?? 0);
  const current = fieldsOf(fieldsOf(held.get('versions')).get(String(version)));
  const isLive = version > 0 && isAlive(current, now);
  return { exists: held.size > 0, version, isLive, isReadable: false, ...customFrom(held, as) };
}

/** A secret without a version, which can have metadata all the same. A version that somebody has made since makes a write stale. */
export function unversionedSecret(as: string, facts: unknown): VaultSecret {
  return { ...secretFromFacts(as, facts, Number.NaN), version: 0, isLive: false, isReadable: true };
}

function customFrom(held: ReadonlyMap<string, unknown>, as: string): Pick<VaultSecret, 'custom' | 'manager' | 'mark'> {
  const custom = Object.fromEntries(
    [...fieldsOf(held.get('custom_metadata'))].flatMap(([name, text]) =>
      typeof text === 'string' ? [[name, text] as const] : [],
    ),
  );
  const manager = custom[MANAGED_BY];
  const mark = custom[markName(as)];
  return { custom, ...(manager === undefined ? {} : { manager }), ...(mark === undefined ? {} : { mark }) };
}

/** The errors that Vault lists. */
export function reasonOfVault(json: unknown): string | undefined {
  const errors = fieldsOf(json).get('errors');
  return Array.isArray(errors) ? errors.filter((each) => typeof each === 'string').join('; ') : undefined;
}
