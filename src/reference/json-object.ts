/** A JSON object whose properties have not been validated. */
export type JsonObject = Readonly<Record<string, unknown>>;

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The objects in a list; empty if the value is not a list. */
export const objectsIn = (value: unknown): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];

/** The properties of an object; none if the value is not an object. */
export const propertiesOf = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});

/** A text that is not empty. */
export const tryReadText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;
