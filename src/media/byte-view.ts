/** Reads bytes as numbers and words. Reading past the end throws a RangeError, so truncated files are rejected. */
export const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** A part of a view. Reading past the end of the part throws. */
export const partOf = (view: DataView, start: number, end: number = view.byteLength): DataView => {
  if (end < start) throw new RangeError('a part ends before it begins');
  return new DataView(view.buffer, view.byteOffset + start, end - start);
};

export const bytesOf = (view: DataView): Uint8Array => new Uint8Array(view.buffer, view.byteOffset, view.byteLength);

/** Reads `length` bytes as Latin-1 text, such as the names of chunks, boxes and brands. */
export const textAt = (view: DataView, at: number, length = 4): string =>
  String.fromCharCode(...bytesOf(partOf(view, at, at + length)));

/** Throws when the view ends before `end`. */
export function requireLength(view: DataView, end: number): void {
  if (end > view.byteLength) throw new RangeError('the file is truncated');
}
