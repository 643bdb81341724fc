/**
 * The response with the schema, encoded and in Base64. The bundle of the provider replaces this module (`scripts/bundle/provider.ts`).
 * Undefined: the response is made when core asks for it.
 */
export const ENCODED_SCHEMA: string | undefined = undefined;
