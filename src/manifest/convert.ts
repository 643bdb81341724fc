import type { UnixSeconds } from '../domain/index.ts';
import { type Declared, documentOfManifest } from './write/declared.ts';
import { type Remark, remarkText, type UnsaidKey } from './write/document.ts';
import { type Language, type WritingOptions, writeDocument } from './write/language.ts';

export interface ConvertInput extends WritingOptions {
  readonly manifest: Declared;
  readonly language: Language;
  readonly now: UnixSeconds;
}

/** One thing that the other language can not say. */
export interface LeftOut {
  /** The key that it is about; absent: it is about the whole. */
  readonly key?: string;
  readonly what: string;
}

export interface Converted {
  readonly text: string;
  /** Each of them stands in the text as a comment as well. */
  readonly leftOut: readonly LeftOut[];
}

const ofRemark = (remark: Remark): LeftOut => ({
  ...(remark.key === undefined ? {} : { key: remark.key }),
  what: remarkText(remark),
});

const ofKey = ({ name, reason }: UnsaidKey): LeftOut => ({ key: name, what: `the key is left out: ${reason}` });

/** Writes what a manifest says in one of the languages. Values that came from elsewhere are written as they are now. */
export function convertManifest({ manifest, language, now, ...options }: ConvertInput): Converted {
  const { text, remarks, unsaidKeys } = writeDocument(documentOfManifest(manifest, now), language, options);
  return { text, leftOut: [...remarks.map(ofRemark), ...unsaidKeys.map(ofKey)] };
}
