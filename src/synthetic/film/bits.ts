/** Writes bits, the highest first, and the numbers of H.264 (7.2 and 9.1 of the standard). */
export interface BitWriter {
  /** An unsigned number in so many bits, at most 32. */
  u(bits: number, value: number): void;
  /** Exponential Golomb code of an unsigned number. */
  ue(value: number): void;
  /** Zero bits up to the next whole byte. */
  align(): void;
  /** Whole bytes; only where the writer is aligned. */
  bytes(content: Uint8Array): void;
  /** Ends a payload: a one, then zeros up to the next whole byte. */
  finish(): Uint8Array;
}

/** Bytes that are added to, in a buffer that grows by doubling. */
function growing() {
  let buffer = new Uint8Array(1024);
  let length = 0;
  const room = (more: number): void => {
    if (length + more <= buffer.length) return;
    const larger = new Uint8Array(Math.max(buffer.length * 2, length + more));
    larger.set(buffer);
    buffer = larger;
  };
  return {
    add(byte: number): void {
      room(1);
      buffer[length++] = byte;
    },
    addAll(content: Uint8Array): void {
      room(content.length);
      buffer.set(content, length);
      length += content.length;
    },
    whole: (): Uint8Array => buffer.subarray(0, length),
  };
}

export function bitWriter(): BitWriter {
  const written = growing();
  let open = 0;
  let count = 0;
  const bit = (value: number): void => {
    open = (open << 1) | value;
    count += 1;
    if (count < 8) return;
    written.add(open);
    open = 0;
    count = 0;
  };
  const u = (bits: number, value: number): void => {
    for (let at = bits - 1; at >= 0; at -= 1) bit((value >>> at) & 1);
  };
  const align = (): void => {
    while (count > 0) bit(0);
  };
  return {
    u,
    ue(value) {
      const bits = 32 - Math.clz32(value + 1);
      u(bits - 1, 0);
      u(bits, value + 1);
    },
    align,
    bytes: written.addAll,
    finish() {
      bit(1);
      align();
      return written.whole();
    },
  };
}
