/** The bytes that a `data:` URI holds, and the media type it gives them, as it is written: the case matters to some. */
export interface DataUri {
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

const FORM = /^data:([\w.+-]+\/[\w.+-]+)(?:;[\w-]+=[^;,]*)*;base64,/i;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;

/** Base64 text as bytes; undefined when it is none. Padding may be missing. */
export const tryDecodeBase64 = (text: string): Uint8Array | undefined =>
  BASE64.test(text) ? new Uint8Array(Buffer.from(text, 'base64')) : undefined;

/** A Base64 data URI; undefined for any other text. */
export function tryParseDataUri(text: string): DataUri | undefined {
  const head = FORM.exec(text);
  const bytes = head ? tryDecodeBase64(text.slice(head[0].length)) : undefined;
  return bytes && { mediaType: head?.[1] ?? '', bytes };
}
