/** The text that is shown in place of a secret. */
export const SECRET_MASK = '‹secret›';

/** The part of a key that a gateway stores. */
export const bareOf = (value: string): string => value.replace(/^sk-/, '');

/**
 * Key material: an API key's credential or a system access token.
 *
 * Prints as `‹secret›` everywhere: in string concatenation, JSON, `console` and `util.inspect`. Only
 * {@link Secret.reveal} returns the value; a test lists the places that may call it. Functions outside of it remove secrets from texts.
 */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** Returns the value. A test lists the callers. */
  reveal(): string {
    return this.#value;
  }

  /** Is this text the value? */
  is(text: string): boolean {
    return text === this.#value;
  }

  /** Is it the same key? A gateway stores it without `sk-`. */
  equals(other: Secret): boolean {
    return bareOf(this.#value) === bareOf(other.#value);
  }

  /**
   * Could a gateway accept it? Not what is empty but for its prefix, what a gateway masked or shortened instead of revealing it, nor
   * what no header can hold.
   */
  isAcceptable(): boolean {
    return /^[\x21-\x29\x2b-\x7e]+$/.test(bareOf(this.#value)) && !this.#value.includes('...');
  }

  /** Returns `‹secret›`. */
  toString(): string {
    return SECRET_MASK;
  }

  /** Returns `‹secret›`. */
  toJSON(): string {
    return SECRET_MASK;
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return SECRET_MASK;
  }

  get [Symbol.toStringTag](): string {
    return SECRET_MASK;
  }
}
