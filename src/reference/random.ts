const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
/** The largest multiple of the alphabet's size in a byte: bytes from there on would favour its first letters. */
const UNBIASED_BYTES = 256 - (256 % ALPHABET.length);

export type RandomBytes = (size: number) => Uint8Array;

const POOL_BYTES = 4096;

/** Serves small sizes from a larger one, because each call of a system's source costs as much as hundreds of bytes. */
export function pooledRandom(random: RandomBytes): RandomBytes {
  let pool: Uint8Array = new Uint8Array();
  return (size) => {
    if (size > POOL_BYTES) return random(size);
    if (pool.length < size) pool = random(POOL_BYTES);
    const bytes = pool.subarray(0, size);
    pool = pool.subarray(size);
    return bytes;
  };
}

/** Generates text of letters and digits, all equally likely. */
export function randomText(random: RandomBytes, length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of random(length - text.length)) {
      if (byte < UNBIASED_BYTES) text += ALPHABET[byte % ALPHABET.length];
    }
  }
  return text;
}

/** The lengths that deployed gateways use. */
export const SECRET_LENGTH = 48;
export const ACCESS_TOKEN_LENGTH = 32;
export const REQUEST_ID_LENGTH = 24;
