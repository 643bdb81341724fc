/** Removes fields that are undefined, which would otherwise override defaults. */
export const given = <T extends object>(fields: T): { [F in keyof T]: Exclude<T[F], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
