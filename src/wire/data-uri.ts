/** The bytes that a `data:` URI holds, and the media type it gives them, as it is written: the case matters to some. */
export interface DataUri {
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

const FORM = /^data:([\w.+-]+\/[\w.+-]+)(?:;[\w-]+=[^;,]*)*;base64,/i;

/** No head is longer. A pattern that repeats a group exhausts its stack on megabytes, so it sees only so much. */
const HEAD_LENGTH = 1024;

const FOREIGN = /[^A-Za-z0-9+/]/;

/** The four characters of the last group: padded to four, or with the padding left off. */
function isWhole(digits: number, padding: number): boolean {
  const rest = digits % 4;
  return padding === 0 ? rest !== 1 : rest + padding === 4;
}

/** Base64 text as bytes; undefined when it is none. Padding may be missing. */
export function tryDecodeBase64(text: string): Uint8Array | undefined {
  const digits = text.endsWith('==') ? text.slice(0, -2) : text.replace(/=$/, '');
  if (!isWhole(digits.length, text.length - digits.length) || FOREIGN.test(digits)) return undefined;
  return new Uint8Array(Buffer.from(text, 'base64'));
}

/** A Base64 data URI; undefined for any other text. */
export function tryParseDataUri(text: string): DataUri | undefined {
  const head = FORM.exec(text.slice(0, HEAD_LENGTH));
  const bytes = head ? tryDecodeBase64(text.slice(head[0].length)) : undefined;
  return bytes && { mediaType: head?.[1] ?? '', bytes };
}
