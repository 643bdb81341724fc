import type { Diagnostic } from '../../../src/domain/index.ts';

/** The advice that differs between front ends, in the terms of a program. */
function remedyOf(unrestricted: string | undefined, { code, data }: Diagnostic): string | undefined {
  const isAboutWord = code === 'manifest.empty-allowlist' || data?.unrestricted !== undefined;
  return isAboutWord && unrestricted !== undefined
    ? `For no restriction write \`'${unrestricted}'\` instead of the list.`
    : undefined;
}

/** Words a diagnostic about a prop. @param unrestricted the word that lifts the restriction of the field */
export function errorText(field: string, diagnostic: Diagnostic, unrestricted?: string): string {
  const { message, path = [], expected, found, hint } = diagnostic;
  const name = [field, ...path.filter((step) => typeof step === 'string')].join('.');
  const mismatch = expected && `Expected ${expected}${found === undefined ? '' : `, got ${found}`}.`;
  const parts = [message, mismatch, hint, remedyOf(unrestricted, diagnostic)];
  return `\`${name}\`: ${parts.filter((part) => part !== undefined).join(' ')}`;
}
