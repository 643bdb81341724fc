import { isPlain } from './unresolved.ts';

/** Removes fields that are undefined, which would otherwise override defaults. */
export const given = <T extends object>(fields: T): { [F in keyof T]: Exclude<T[F], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;

/** Copies an object without what is undefined, also in the plain objects within it. */
export const withoutUndefined = (object: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(given(object)).map(([name, value]) => [name, isPlain(value) ? withoutUndefined(value) : value]),
  );
