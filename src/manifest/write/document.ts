import type { CheckSpec, DesiredKey, KeyId, Ownership, UnixSeconds } from '../../domain/index.ts';
import type { Unimplemented } from '../resolve/desired.ts';

/** Something that a language can not say. It stands there as a comment. */
export interface Remark {
  /** The key that it is about; absent: it is about all of them. */
  readonly key?: string;
  /** By the manifest's name. */
  readonly field: string;
  readonly why: string;
}

/** A key that a language can not say at all. */
export interface UnsaidKey {
  /** Where it is a live one. */
  readonly id?: KeyId;
  readonly name: string;
  readonly reason: string;
}

/** What a document says of one key. */
export interface DocumentKey {
  /** Where it is a live one. */
  readonly id?: KeyId;
  readonly desired: DesiredKey;
  /** What can not be said of it. */
  readonly unsaid: readonly Pick<Remark, 'field' | 'why'>[];
  readonly unimplemented: Unimplemented;
  /** What it selects: names of checks, modules, kinds, classes. */
  readonly checks: readonly string[];
  readonly isProtected: boolean;
}

/** A declaration of keys, before it is written in one language or another. */
export interface Document {
  readonly gateway: { readonly url?: string; readonly userId?: number; readonly accessTokenFile?: string };
  readonly ownership: Ownership;
  /** In the order in which they are written. */
  readonly keys: readonly DocumentKey[];
  readonly checks: readonly CheckSpec[];
  readonly unsaidKeys: readonly UnsaidKey[];
  /** Are the keys live ones that Terraform is to adopt? */
  readonly adopts: boolean;
  /** An expiry that is past by now is told apart. */
  readonly now: UnixSeconds;
  /** Where editors find the JSON Schema of the manifest. */
  readonly schemaRef?: string;
}

export interface Written {
  readonly text: string;
  readonly remarks: readonly Remark[];
  readonly unsaidKeys: readonly UnsaidKey[];
}

export const remarkText = ({ field, why }: Pick<Remark, 'field' | 'why'>): string => `${field} is left out: ${why}`;

/** One thing that a language can not say, as it is told. */
export interface LeftOut {
  /** The key that it is about; absent: it is about the whole. */
  readonly key?: string;
  readonly what: string;
}

export const leftOutOf = (remark: Remark): LeftOut => ({
  ...(remark.key === undefined ? {} : { key: remark.key }),
  what: remarkText(remark),
});

/** What is said of no key alone and of all of them. */
export const remarksOf = (keys: readonly DocumentKey[]): readonly Remark[] =>
  keys.flatMap(({ desired, unsaid }) => unsaid.map((each) => ({ key: desired.name, ...each })));
