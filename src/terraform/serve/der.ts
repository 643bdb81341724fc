/** The part of ASN.1’s distinguished encoding that one certificate needs. A library for it doubles the start-up time. */

const tagged = (tag: number, ...parts: readonly Uint8Array[]): Buffer => {
  const body = Buffer.concat(parts);
  const { length } = body;
  const head = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...head]), body]);
};

export const sequence = (...parts: readonly Uint8Array[]): Buffer => tagged(0x30, ...parts);
export const set = (...parts: readonly Uint8Array[]): Buffer => tagged(0x31, ...parts);
/** Positive, and without a leading zero. */
export const integer = (bytes: Uint8Array): Buffer => tagged(0x02, bytes);
export const octets = (bytes: Uint8Array): Buffer => tagged(0x04, bytes);
export const bits = (bytes: Uint8Array): Buffer => tagged(0x03, Buffer.from([0]), bytes);
export const text = (value: string): Buffer => tagged(0x0c, Buffer.from(value));
export const TRUE = Buffer.from([0x01, 0x01, 0xff]);
/** `[number]` around parts. */
export const explicit = (number: number, ...parts: readonly Uint8Array[]): Buffer => tagged(0xa0 | number, ...parts);
/** `[number]` in place of a string’s own tag. */
export const implicit = (number: number, value: string): Buffer => tagged(0x80 | number, Buffer.from(value));

const LAST_SHORT_YEAR = 2049;

/** Uses two-digit years until 2049, as X.509 requires. */
export function time(at: Date): Buffer {
  const digits = `${at.toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`;
  return at.getUTCFullYear() <= LAST_SHORT_YEAR
    ? tagged(0x17, Buffer.from(digits.slice(2)))
    : tagged(0x18, Buffer.from(digits));
}

/** @param dotted such as `1.2.840.10045.4.3.2` */
export function identifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const bytes = [first * 40 + second];
  for (const part of rest) {
    const groups = [part & 0x7f];
    for (let left = part >>> 7; left > 0; left >>>= 7) groups.unshift((left & 0x7f) | 0x80);
    bytes.push(...groups);
  }
  return tagged(0x06, Buffer.from(bytes));
}
