/**
 * The manifest: YAML and Terraform JSON to the desired state, and back to these, to Terraform's native syntax and to CDK
 * programs; its JSON Schema; the text of a saved plan.
 */

export { declareDisabled } from './edit/declare-disabled.ts';
export type { ManifestText } from './files/source-file.ts';
export {
  isValidated,
  type Manifest,
  type ManifestContext,
  type ManifestReading,
  readManifest,
  readPolicies,
  withPolicies,
} from './read.ts';
export type { GatewaySection } from './resolve/desired.ts';
export { manifestDigest, planDigest } from './saved-plan/digest.ts';
export { decodePlan, encodePlan, type SavedPlan } from './saved-plan/saved-plan.ts';
export { renderSavedPlan } from './saved-plan/text.ts';
export { type JsonSchemaOptions, manifestJsonSchema } from './schema/json-schema.ts';
export { CDKS, type Cdk } from './write/cdk/document.ts';
export { type Converted, type ConvertInput, convertManifest } from './write/convert.ts';
export type { LeftOut } from './write/document.ts';
export { LANGUAGES, type Language } from './write/language.ts';
export { type RenderedManifest, type RenderInput, renderManifest, type SkippedKey } from './write/render.ts';
