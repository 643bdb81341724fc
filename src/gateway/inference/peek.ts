/** What is passed over before the first character that tells something: white space, and a byte order mark. */
const BLANK: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf]);

/**
 * The first character of a body that is neither white space nor a byte order mark, and the body as if nothing had been
 * read of it. Empty: there is none. The media type would tell less: some send an error as a stream of events, which it is not.
 */
export async function peeked(
  body: AsyncIterable<Uint8Array>,
): Promise<{ first: string; body: AsyncIterable<Uint8Array> }> {
  const rest = body[Symbol.asyncIterator]();
  const read: Uint8Array[] = [];
  for (;;) {
    const { done, value } = await rest.next();
    if (done) return { first: '', body: joined(read, rest) };
    read.push(value);
    const first = value.find((byte) => !BLANK.has(byte));
    if (first !== undefined) return { first: String.fromCharCode(first), body: joined(read, rest) };
  }
}

async function* joined(read: readonly Uint8Array[], rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* read;
  yield* { [Symbol.asyncIterator]: () => rest };
}
