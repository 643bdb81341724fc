import type * as z from 'zod';

/**
 * The schemas of the fields of a map. Each is made when a manifest first has the field: making all of them takes longer than
 * reading a small manifest. And once: two schemas with one ID would be two definitions.
 */
export type Forms = Readonly<Record<string, () => z.ZodType>>;

/** The schemas of all fields, as a schema of the whole map needs them. */
export type SchemasOf<F extends Forms> = { readonly [N in keyof F]: ReturnType<F[N]> };

/** Makes the schemas of all fields. */
export const shapeOf = <F extends Forms>(forms: F): SchemasOf<F> =>
  // The members are those of the forms.
  Object.fromEntries(Object.entries(forms).map(([name, form]) => [name, form()])) as SchemasOf<F>;
