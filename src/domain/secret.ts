const MASK = '‹secret›';
/** Shorter values occur in common words. */
const SHORTEST = 8;

/**
 * Key material: an API key's credential or a system access token.
 *
 * Prints as `‹secret›` wherever something prints it: string concatenation, JSON, `console`, `util.inspect`. The value
 * comes out only by {@link Secret.reveal}; a test lists the places that may call it.
 */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  /** Removes the value from a text that somebody else wrote. */
  blankedIn(text: string): string {
    const forms = [this.#value, this.#value.replace(/^sk-/, '')];
    return forms.reduce((rest, form) => (form.length < SHORTEST ? rest : rest.replaceAll(form, MASK)), text);
  }

  toString(): string {
    return MASK;
  }

  toJSON(): string {
    return MASK;
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return MASK;
  }

  get [Symbol.toStringTag](): string {
    return MASK;
  }
}
