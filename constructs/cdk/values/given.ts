/** The fields that say something. One that is undefined says as little as one that is absent: it takes no default away. */
export const given = <T extends object>(fields: T): { [F in keyof T]: Exclude<T[F], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
