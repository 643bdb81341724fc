import type { UnixSeconds } from '../../domain/index.ts';
import { type LeftOut, type OmittedKey, toLeftOut } from './document.ts';
import { type DeclaredManifest, documentOfManifest } from './from-manifest.ts';
import { type Language, type WritingOptions, writeDocument } from './language.ts';

export interface ConvertInput extends WritingOptions {
  readonly manifest: DeclaredManifest;
  readonly language: Language;
  readonly now: UnixSeconds;
}

export interface Converted {
  readonly text: string;
  /** The text has a comment for each. */
  readonly leftOut: readonly LeftOut[];
}

const ofKey = ({ name, reason }: OmittedKey): LeftOut => ({ key: name, what: `the key is omitted: ${reason}` });

/** Writes a manifest in one of the languages. Values from the environment are written in plain text. */
export function convertManifest({ manifest, language, now, ...options }: ConvertInput): Converted {
  const { text, omissions, omittedKeys } = writeDocument(documentOfManifest(manifest, now), language, options);
  return { text, leftOut: [...omissions.map(toLeftOut), ...omittedKeys.map(ofKey)] };
}
