import type { KeyId } from '../../domain/index.ts';
import { type LeftOut, toLeftOut } from './document.ts';
import { documentOfLive, type LiveKeys } from './from-live.ts';
import { type Language, type WritingOptions, writeDocument } from './language.ts';

export interface RenderInput extends LiveKeys, WritingOptions {
  /** Default: YAML. */
  readonly language?: Language;
  /** The location of the JSON Schema, for editors. */
  readonly schemaRef?: string;
}

export interface SkippedKey {
  readonly id: KeyId;
  readonly name: string;
  readonly reason: string;
}

export interface RenderedManifest {
  readonly text: string;
  /** Live keys that the text does not declare, with the reason and what becomes of them. */
  readonly skipped: readonly SkippedKey[];
  /** Fields of the others that cannot be declared. The text has a comment for each. */
  readonly leftOut: readonly LeftOut[];
}

/**
 * Writes live keys as a manifest whose plan is empty until a key changes; in the languages of Terraform, with the
 * blocks that make Terraform adopt them.
 *
 * Omits what cannot be declared, with a comment. Holds no secret and no masked key.
 */
export function renderManifest({ language = 'yaml', schemaRef, cdk, ...live }: RenderInput): RenderedManifest {
  const document = documentOfLive(live);
  const { text, omissions, omittedKeys } = writeDocument(
    { ...document, ...(schemaRef ? { schemaRef } : {}) },
    language,
    cdk === undefined ? {} : { cdk },
  );
  return {
    text,
    skipped: omittedKeys.flatMap(({ id, ...rest }) => (id === undefined ? [] : [{ id, ...rest }])),
    leftOut: omissions.map(toLeftOut),
  };
}
