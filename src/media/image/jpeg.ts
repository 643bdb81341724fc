import type { PixelSize } from '../../wire/index.ts';
import { bytesOf, partOf, requireLength, textAt } from '../byte-view.ts';
import { shownFrame } from './frame.ts';
import { tryReadOrientation } from './tiff.ts';

const EXIF = 0xe1;
const SCAN = 0xda;
const END = Buffer.from([0xff, 0xd9]);

/** Start of frame of any process: C0 to CF except the tables DHT, JPG and DAC. */
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

const isBare = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);

/** Skips fill bytes: any number of FF may precede a marker. */
function afterFill(view: DataView, start: number): number {
  let at = start;
  while (view.getUint8(at) === 0xff) at += 1;
  return at;
}

/** Reads the segments before the pixels, and checks that the end marker follows them. */
export function readJpeg(view: DataView): PixelSize | undefined {
  let frame: PixelSize | undefined;
  let orientation: number | undefined;
  for (let at = 2; ; ) {
    if (view.getUint8(at) !== 0xff) return undefined;
    at = afterFill(view, at);
    const marker = view.getUint8(at);
    at += 1;
    if (isBare(marker)) continue;
    const end = at + view.getUint16(at);
    requireLength(view, end);
    if (isFrame(marker)) frame = { width: view.getUint16(at + 5), height: view.getUint16(at + 3) };
    if (marker === EXIF && textAt(view, at + 2) === 'Exif')
      orientation ??= tryReadOrientation(partOf(view, at + 8, end));
    if (marker === SCAN) return frame && isEnded(view, end) ? shownFrame(frame, orientation) : undefined;
    at = end;
  }
}

/** Ignores bytes after the end marker, where cameras store further images. */
const isEnded = (view: DataView, scan: number): boolean => {
  const bytes = bytesOf(partOf(view, scan));
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).lastIndexOf(END) >= 0;
};
