import { type Cdk, writeCdk } from './cdk/document.ts';
import type { Document, DocumentText } from './document.ts';
import { writeHcl } from './hcl/document.ts';
import { writeTerraformJson } from './terraform-json/document.ts';
import { writeYaml } from './yaml/document.ts';

export interface WritingOptions {
  /** The package of a program. Default: cdktf. */
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

/** Writes a document. Pure. Reports what the language cannot express and adds a comment for it. */
export const writeDocument = (document: Document, language: Language, options: WritingOptions = {}): DocumentText =>
  WRITERS[language](document, options);
