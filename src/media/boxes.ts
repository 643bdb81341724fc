import { partOf, requireLength, textAt } from './byte-view.ts';

/** A box of the ISO base media format: what MP4, MOV, HEIC and AVIF consist of. */
export interface Box {
  readonly type: string;
  /** Everything after its size and type. */
  readonly content: DataView;
}

/** Parses consecutive boxes. Throws when the last one is truncated. */
export function boxesIn(view: DataView): readonly Box[] {
  const boxes: Box[] = [];
  let at = 0;
  while (at < view.byteLength) {
    const size = view.getUint32(at);
    const head = size === 1 ? 16 : 8;
    const length = size === 1 ? Number(view.getBigUint64(at + 8)) : size || view.byteLength - at;
    if (length < head) throw new RangeError('a box is smaller than its head');
    requireLength(view, at + length);
    boxes.push({ type: textAt(view, at + 4), content: partOf(view, at + head, at + length) });
    at += length;
  }
  return boxes;
}

/** Finds the content of the first box of a type. */
export const tryFindBox = (boxes: readonly Box[], type: string): DataView | undefined =>
  boxes.find((box) => box.type === type)?.content;

/** Finds the content of the first box of a type; throws when there is none. */
export function findBox(boxes: readonly Box[], type: string): DataView {
  const found = tryFindBox(boxes, type);
  if (!found) throw new RangeError(`there is no ${type} box`);
  return found;
}
