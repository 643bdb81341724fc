/** No value satisfies the schema, or the schema is invalid. */
export class UnsatisfiableSchema extends Error {}
