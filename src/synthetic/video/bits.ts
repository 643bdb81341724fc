/** Writes bits, the highest first, and the numbers of H.264 (7.2 and 9.1 of the standard). */
export interface BitWriter {
  /** Writes an unsigned number in `bits` bits, at most 32. */
  u(bits: number, value: number): void;
  /** Writes an unsigned number in exponential Golomb code. */
  ue(value: number): void;
  /** Writes zero bits up to the next byte boundary. */
  align(): void;
  /** Writes whole bytes; only where the writer is aligned. */
  bytes(content: Uint8Array): void;
  /** Ends a payload with a one, then zeros up to the next byte boundary. */
  finish(): Uint8Array;
}

/** A buffer that grows by doubling. */
function growingBuffer() {
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
    all: (): Uint8Array => buffer.subarray(0, length),
  };
}

export function bitWriter(): BitWriter {
  const output = growingBuffer();
  let open = 0;
  let count = 0;
  const bit = (value: number): void => {
    open = (open << 1) | value;
    count += 1;
    if (count < 8) return;
    output.add(open);
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
    bytes: output.addAll,
    finish() {
      bit(1);
      align();
      return output.all();
    },
  };
}
