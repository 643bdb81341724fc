/**
 * The manifest: YAML text to the desired state and back, its JSON Schema, and the saved plan's text.
 */
export { type Converted, type ConvertInput, convertManifest, type LeftOut } from './convert.ts';
export type { GatewaySection } from './desired.ts';
export { type Manifest, type ManifestContext, type ManifestReading, readManifest } from './read.ts';
export { type RenderedManifest, type RenderInput, renderManifest, type SkippedKey } from './render.ts';
export { decodePlan, encodePlan } from './saved-plan.ts';
export { type JsonSchemaOptions, manifestJsonSchema } from './schema/json-schema.ts';
export { CDKS, type Cdk } from './write/cdk/document.ts';
export { LANGUAGES, type Language } from './write/language.ts';
