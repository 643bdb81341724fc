/** No value was found that satisfies a schema, or it is no schema. */
export class UnsatisfiableSchema extends Error {}
