import { isPlain } from './unresolved.ts';

/** Removes fields that are undefined, which would otherwise override defaults. */
export const given = <T extends object>(fields: T): { [F in keyof T]: Exclude<T[F], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;

/** Copies an object without what is undefined, also in the plain objects within it. */
export function withoutUndefined(object: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(object)) {
    const value = object[name];
    if (value !== undefined) copy[name] = isPlain(value) ? withoutUndefined(value) : value;
  }
  return copy;
}
