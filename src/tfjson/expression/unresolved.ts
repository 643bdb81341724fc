import type { Place } from '../../domain/index.ts';

interface UnresolvedAdvice {
  readonly expected?: string;
  readonly hint: string;
}

const WRITE_THE_VALUE = 'Write the value itself, or leave this to Terraform, which evaluates every expression.';

/**
 * Thrown for an expression that Keyplane does not evaluate, because its value could differ from Terraform's or is known
 * to Terraform only. Never leaves this room: {@link attempt} turns it into a diagnostic.
 */
export class Unresolved extends Error {
  readonly advice: UnresolvedAdvice;
  /** The string that holds the expression, which may be far from where the value is used. */
  origin: { readonly text: string; readonly place: Place } | undefined;
  constructor(message: string, { expected, hint = WRITE_THE_VALUE }: Partial<UnresolvedAdvice> = {}) {
    super(message);
    this.advice = { hint, ...(expected === undefined ? {} : { expected }) };
  }
}

export const notEvaluated = (what: string): Unresolved => new Unresolved(`Keyplane does not evaluate ${what}.`);

export const invalid = (what: string): Unresolved =>
  new Unresolved(`Invalid expression: ${what}.`, {
    expected: 'an expression of Terraform',
    hint: 'Write `$${` for the characters `${` themselves.',
  });

/** The result; undefined for an expression that is not evaluated. */
export function tryEvaluate<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (thrown) {
    if (thrown instanceof Unresolved) return undefined;
    throw thrown;
  }
}
