const MASK = '‹secret›';
/** Shorter values occur in common words. */
const SHORTEST = 8;

/**
 * Key material: an API key's credential or a system access token.
 *
 * Prints as `‹secret›` everywhere: in string concatenation, JSON, `console` and `util.inspect`. Only
 * {@link Secret.reveal} returns the value; a test lists the places that may call it.
 */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  /** The ranges of a text that hold the value, by offsets. */
  rangesIn(text: string): readonly (readonly [number, number])[] {
    const ranges: [number, number][] = [];
    if (this.#value.length < SHORTEST) return ranges;
    for (let at = text.indexOf(this.#value); at >= 0; at = text.indexOf(this.#value, at + this.#value.length)) {
      ranges.push([at, at + this.#value.length]);
    }
    return ranges;
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
