import { looksLikeCredential } from '../../../src/domain/index.ts';

/** Does a value hold what looks like a credential, in its names or in its values? */
function holdsCredential(value: unknown): boolean {
  if (typeof value === 'string') return looksLikeCredential(value);
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some(holdsCredential);
  return Object.entries(value).some(([name, part]) => looksLikeCredential(name) || holdsCredential(part));
}

/** Finds credentials in a value, in names as well as in values: nobody means to publish them. At most one error. */
export const pastedCredentials = (field: string, value: unknown): readonly string[] =>
  holdsCredential(value)
    ? [
        `\`${field}\`: It contains what looks like a credential, which must not be in the configuration. If it is one, revoke it.`,
      ]
    : [];
