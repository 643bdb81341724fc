import { looksLikeCredential } from '../../../src/domain/index.ts';

/** Finds credentials in a value, in names as well as in values: nobody means to publish them. At most one error. */
export function pastedCredentials(field: string, value: unknown): readonly string[] {
  if (typeof value === 'string') {
    return looksLikeCredential(value)
      ? [
          `\`${field}\`: It contains what looks like a credential, which must not be in the configuration. If it is one, revoke it.`,
        ]
      : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  const errors = Object.entries(value).flatMap(([name, part]) => [
    ...pastedCredentials(field, name),
    ...pastedCredentials(field, part),
  ]);
  return errors.slice(0, 1);
}
