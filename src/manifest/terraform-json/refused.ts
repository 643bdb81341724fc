import type { Place } from '../../domain/index.ts';

export interface Refusal {
  readonly message: string;
  readonly expected?: string;
  readonly hint: string;
}

/** What to do about nearly everything that is not worked out. */
const WRITE_IT_OUT = 'Write the value itself, or leave this to Terraform, which works everything out.';

/**
 * Something that Keyplane does not work out, because it can not or because the answer could be another than Terraform’s.
 * Thrown within this folder only: whoever asks for a value makes a diagnostic of it.
 */
export class Refused extends Error {
  readonly refusal: Refusal;
  /** The text that it is about, and where that stands: perhaps far from where its value is wanted. */
  origin: { readonly text: string; readonly place: Place } | undefined;
  constructor(message: string, { expected, hint = WRITE_IT_OUT }: Partial<Omit<Refusal, 'message'>> = {}) {
    super(message);
    this.refusal = { message, hint, ...(expected === undefined ? {} : { expected }) };
  }
}
