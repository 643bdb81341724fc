import { type Cdk, writeCdk } from './cdk/document.ts';
import type { Document, Written } from './document.ts';
import { writeHcl } from './hcl/document.ts';
import { writeTerraformJson } from './terraform-json/document.ts';
import { writeYaml } from './yaml/document.ts';

export interface WritingOptions {
  /** For which of the two a program is written; cdktf unless told. */
  readonly cdk?: Cdk;
}

const WRITERS = {
  yaml: writeYaml,
  hcl: writeHcl,
  'hcl-json': writeTerraformJson,
  cdk: (document: Document, { cdk = 'cdktf' }: WritingOptions) => writeCdk(document, cdk),
} as const;

/** The languages that a declaration can be written in. */
export type Language = keyof typeof WRITERS;

export const LANGUAGES = Object.keys(WRITERS) as readonly Language[];

/** Pure. What the language can not say is left out; it stands in the text as a comment, and is told. */
export const writeDocument = (document: Document, language: Language, options: WritingOptions = {}): Written =>
  WRITERS[language](document, options);
