import type { Answer } from '../../server/answer.ts';

/** First and last byte, both inclusive. */
interface Span {
  readonly first: number;
  readonly last: number;
}

/** One range; undefined: no such header, or one that a server may ignore; null: none of its bytes is there. */
function spanIn(header: string | undefined, size: number): Span | null | undefined {
  const parts = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '');
  const [from = '', to = ''] = parts?.slice(1) ?? [];
  if (!parts || (from === '' && to === '')) return undefined;
  if (from === '') return to === '0' || size === 0 ? null : { first: Math.max(0, size - Number(to)), last: size - 1 };
  const span = { first: Number(from), last: to === '' ? size - 1 : Math.min(Number(to), size - 1) };
  if (to !== '' && Number(to) < span.first) return undefined;
  return span.first < size ? span : null;
}

/** A file, or the range of it that was asked for. Source: RFC 9110, “Range Requests”. */
export function rangedFile(file: { mediaType: string; bytes: Uint8Array }, range: string | undefined): Answer {
  const { mediaType, bytes } = file;
  const headers = { 'accept-ranges': 'bytes' };
  const span = spanIn(range, bytes.length);
  if (span === undefined) return { status: 200, file, headers };
  if (span === null) return { status: 416, headers: { ...headers, 'content-range': `bytes */${bytes.length}` } };
  return {
    status: 206,
    file: { mediaType, bytes: bytes.subarray(span.first, span.last + 1) },
    headers: { ...headers, 'content-range': `bytes ${span.first}-${span.last}/${bytes.length}` },
  };
}
