const MASK = '‹secret›';
/** Shorter values occur in common words. */
const SHORTEST = 8;
/** Shorter parts of a secret occur in other texts, and do not help to guess the rest. */
const FRAGMENT = 8;

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

  /** Removes every part of the value from a text whose author may know it, such as a model that was asked to repeat it. */
  fragmentsBlankedIn(text: string): string {
    const parts = new Set<string>();
    for (let at = 0; at + FRAGMENT <= this.#value.length; at += 1) parts.add(this.#value.slice(at, at + FRAGMENT));
    let out = '';
    let end = 0;
    for (let at = 0; at + FRAGMENT <= text.length; at += 1) {
      if (!parts.has(text.slice(at, at + FRAGMENT))) continue;
      if (at > end || end === 0) out += text.slice(end, at) + MASK;
      end = at + FRAGMENT;
    }
    return out + text.slice(end);
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
