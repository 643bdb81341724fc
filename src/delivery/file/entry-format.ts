/** A format of files that hold a secret among other entries, or alone. Pure: text to text. */
export interface EntryFormat {
  /**
   * Returns the value of the entry; undefined when it is missing or empty.
   *
   * @throws an error whose message ends a sentence, when the text is malformed or ambiguous
   */
  readonly find: (text: string) => string | undefined;
  /** Returns the text with the entry, and everything else as it was. Throws as `find` does. */
  readonly set: (text: string | undefined, value: string) => string;
  /** Returns the text without the entry; undefined when nothing else is left to keep. Throws as `find` does. */
  readonly remove: (text: string) => string | undefined;
}

/** A value that every format and every reader of it takes literally, in quotes or without. */
const PLAIN_VALUE = /^[A-Za-z0-9_.~+/=-]+$/;

/** @throws an error whose message does not contain the value */
export function refuseSpecial(value: string): void {
  if (!PLAIN_VALUE.test(value)) throw new Error('the secret has characters that readers of the file would interpret');
}

/** The marks of sops and eyaml, dotenvx, Ansible Vault, age and GnuPG, for values and for whole files. */
const ENCRYPTED =
  /\bENC\[[A-Z0-9_]+,|^[\w. \t-]+=[ \t]*["']?encrypted:|!vault[ \t]|^\ufeff?(?:\$ANSIBLE_VAULT;|-----BEGIN (?:AGE ENCRYPTED FILE|PGP MESSAGE)-----)/m;

/** Did a program encrypt values of the text, or all of it? */
export const isEncrypted = (text: string): boolean => ENCRYPTED.test(text);
