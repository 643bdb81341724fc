import type { KeyId } from '../../domain/index.ts';
import { type LeftOut, leftOutOf } from './document.ts';
import { type Language, type WritingOptions, writeDocument } from './language.ts';
import { documentOfLive, type LiveKeys } from './live.ts';

export interface RenderInput extends LiveKeys, WritingOptions {
  /** YAML unless told. */
  readonly language?: Language;
  /** Where editors find the JSON Schema. */
  readonly schemaRef?: string;
}

export interface SkippedKey {
  readonly id: KeyId;
  readonly name: string;
  readonly reason: string;
}

export interface RenderedManifest {
  readonly text: string;
  /** Live keys that a manifest can not declare; it leaves them alone. */
  readonly skipped: readonly SkippedKey[];
  /** What can not be said of the others. Each of them stands in the text as a comment as well. */
  readonly leftOut: readonly LeftOut[];
}

/**
 * Writes live keys down as a manifest that plans to nothing as long as they stay as they are; in the languages of
 * Terraform, with what makes Terraform adopt them.
 *
 * What can not be said is left out, with a comment. Holds no secret and no masked key.
 */
export function renderManifest({ language = 'yaml', schemaRef, cdk, ...live }: RenderInput): RenderedManifest {
  const document = documentOfLive(live);
  const { text, remarks, unsaidKeys } = writeDocument(
    { ...document, ...(schemaRef ? { schemaRef } : {}) },
    language,
    cdk === undefined ? {} : { cdk },
  );
  return {
    text,
    skipped: unsaidKeys.flatMap(({ id, ...rest }) => (id === undefined ? [] : [{ id, ...rest }])),
    leftOut: remarks.map(leftOutOf),
  };
}
