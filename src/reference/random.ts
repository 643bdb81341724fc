const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
/** The largest multiple of the alphabet's size in a byte: bytes from there on would favour its first letters. */
const FAIR = 256 - (256 % ALPHABET.length);

export type RandomBytes = (size: number) => Uint8Array;

/** Text of letters and digits, each as likely as the other. */
export function randomText(random: RandomBytes, length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of random(length - text.length)) {
      if (byte < FAIR) text += ALPHABET[byte % ALPHABET.length];
    }
  }
  return text;
}

/** Lengths of what deployed gateways generate. */
export const SECRET_LENGTH = 48;
export const ACCESS_TOKEN_LENGTH = 32;
export const REQUEST_ID_LENGTH = 24;
