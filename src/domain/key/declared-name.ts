import { tryParseGeneration } from './generation.ts';
import { nameProblem } from './name.ts';
import { tryParseQuarantine } from './quarantine.ts';

/** The forms of names that Keyplane gives itself, so that no key may be declared by one. */
export const RESERVED_FORMS = {
  generation: 'has the form of a generation, which a rotation gives to a key',
  quarantine: 'has the form of a key in quarantine',
} as const;

/** Returns the reserved form that a name has. */
export function reservedFormOf(name: string): keyof typeof RESERVED_FORMS | undefined {
  if (tryParseGeneration(name)) return 'generation';
  return tryParseQuarantine(name) ? 'quarantine' : undefined;
}

/** Explains why a key cannot be declared by a name, or be given it. Undefined when it can. */
export function declaredNameProblem(name: string): string | undefined {
  const form = reservedFormOf(name);
  return nameProblem(name) ?? (form && `it ${RESERVED_FORMS[form]}`);
}
