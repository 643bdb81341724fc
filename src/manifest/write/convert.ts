import type { UnixSeconds } from '../../domain/index.ts';
import { type Declared, documentOfManifest } from './declared.ts';
import { type LeftOut, leftOutOf, type UnsaidKey } from './document.ts';
import { type Language, type WritingOptions, writeDocument } from './language.ts';

export interface ConvertInput extends WritingOptions {
  readonly manifest: Declared;
  readonly language: Language;
  readonly now: UnixSeconds;
}

export interface Converted {
  readonly text: string;
  /** Each of them stands in the text as a comment as well. */
  readonly leftOut: readonly LeftOut[];
}

const ofKey = ({ name, reason }: UnsaidKey): LeftOut => ({ key: name, what: `the key is left out: ${reason}` });

/** Writes what a manifest says in one of the languages. Values that came from elsewhere are written as they are now. */
export function convertManifest({ manifest, language, now, ...options }: ConvertInput): Converted {
  const { text, remarks, unsaidKeys } = writeDocument(documentOfManifest(manifest, now), language, options);
  return { text, leftOut: [...remarks.map(leftOutOf), ...unsaidKeys.map(ofKey)] };
}
