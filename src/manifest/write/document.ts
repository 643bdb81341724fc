import type { CheckSpec, DesiredKey, KeyId, OwnerRule, Ownership, UnixSeconds } from '../../domain/index.ts';
import type { GatewaySection, Verbatim } from '../resolve/desired.ts';

/** Something that a language cannot express. The text has it as a comment. */
export interface Omission {
  /** The key; absent: all of them. */
  readonly key?: string;
  /** The name in a manifest. */
  readonly field: string;
  readonly why: string;
}

/** A key that a language cannot express at all. */
export interface OmittedKey {
  /** Set for live keys. */
  readonly id?: KeyId;
  readonly name: string;
  readonly reason: string;
}

/** One key of a document. */
export interface DocumentKey {
  /** Set for live keys. */
  readonly id?: KeyId;
  readonly desired: DesiredKey;
  /** The fields that cannot be expressed. */
  readonly omissions: readonly Pick<Omission, 'field' | 'why'>[];
  readonly verbatim: Verbatim;
  /** The checks that it selects: names of checks, modules, kinds, classes. */
  readonly checks: readonly string[];
  readonly isProtected: boolean;
}

/** A declaration of keys, independent of the language in which it is written. */
export interface Document {
  readonly gateway: GatewaySection;
  readonly ownership: Ownership;
  /** Absent: nobody owns keys by their names. */
  readonly owners?: readonly OwnerRule[];
  /** In the order of the text. */
  readonly keys: readonly DocumentKey[];
  readonly checks: readonly CheckSpec[];
  readonly omittedKeys: readonly OmittedKey[];
  /** Are the keys live ones for Terraform to adopt? */
  readonly adopts: boolean;
  /** Unix seconds; expired keys need other settings in some languages. */
  readonly now: UnixSeconds;
  /** The location of the JSON Schema of the manifest, for editors. */
  readonly schemaRef?: string;
}

export interface DocumentText {
  readonly text: string;
  readonly omissions: readonly Omission[];
  readonly omittedKeys: readonly OmittedKey[];
}

export const omissionText = ({ field, why }: Pick<Omission, 'field' | 'why'>): string => `${field} is omitted: ${why}`;

/** One omission, as reported. */
export interface LeftOut {
  /** The key; absent: the whole document. */
  readonly key?: string;
  readonly what: string;
}

export const toLeftOut = (omission: Omission): LeftOut => ({
  ...(omission.key === undefined ? {} : { key: omission.key }),
  what: omissionText(omission),
});

/** The ID by which a key is adopted or renamed; undefined when its name decides. */
export const adoptedId = ({ id, renamedFrom }: DesiredKey): KeyId | undefined =>
  id ?? (typeof renamedFrom === 'number' ? renamedFrom : undefined);

/** The ID with which Terraform imports a key: its own, or its name. */
export function importId(desired: DesiredKey): string {
  const id = adoptedId(desired);
  return id === undefined ? `name=${desired.name}` : String(id);
}

/** Identifies a key within a document: by its name, and by its ID where several keys have that name. */
export const identityOf = ({ id, name }: DesiredKey): string => (id === undefined ? name : `${name} ${id}`);

/** Collects the omissions of all keys. */
export const omissionsOf = (keys: readonly DocumentKey[]): readonly Omission[] =>
  keys.flatMap(({ desired, omissions }) => omissions.map((each) => ({ key: desired.name, ...each })));
