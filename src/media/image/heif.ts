import type { PixelSize } from '../../wire/index.ts';
import { boxesIn, findBox, tryFindBox } from '../boxes.ts';
import { partOf } from '../byte-view.ts';
import { quarterTurned } from './frame.ts';

/** The length of version and flags in a full box. */
const FULL = 4;

/** The id of the primary image. */
function primaryItem(meta: DataView): number {
  const pitm = findBox(boxesIn(meta), 'pitm');
  return pitm.getUint8(0) === 0 ? pitm.getUint16(FULL) : pitm.getUint32(FULL);
}

/** The properties of an item as positions among all properties, from 1. */
function propertiesOf(ipma: DataView, item: number): readonly number[] {
  const wideId = ipma.getUint8(0) > 0;
  const wideIndex = (ipma.getUint8(3) & 1) === 1;
  let at = FULL + 4;
  for (let left = ipma.getUint32(FULL); left > 0; left -= 1) {
    const id = wideId ? ipma.getUint32(at) : ipma.getUint16(at);
    at += wideId ? 4 : 2;
    const count = ipma.getUint8(at);
    at += 1;
    const size = wideIndex ? 2 : 1;
    if (id === item) {
      // The highest bit only marks the property as essential.
      return Array.from({ length: count }, (_, index) =>
        wideIndex ? ipma.getUint16(at + index * 2) & 0x7fff : ipma.getUint8(at + index) & 0x7f,
      );
    }
    at += count * size;
  }
  return [];
}

/** The effects of properties on the frame. */
const EFFECTS: Readonly<Record<string, (content: DataView, frame: PixelSize | undefined) => PixelSize | undefined>> = {
  ispe: (content) => ({ width: content.getUint32(FULL), height: content.getUint32(FULL + 4) }),
  clap: (content) => ({
    width: Math.round(content.getUint32(0) / content.getUint32(4)),
    height: Math.round(content.getUint32(8) / content.getUint32(12)),
  }),
  irot: (content, frame) => (frame && content.getUint8(0) % 2 === 1 ? quarterTurned(frame) : frame),
};

/** Reads the size of the primary image in HEIC, HEIF and AVIF, cropped and rotated according to its properties. */
export function readHeif(view: DataView): PixelSize | undefined {
  const meta = partOf(findBox(boxesIn(view), 'meta'), FULL);
  const iprp = boxesIn(findBox(boxesIn(meta), 'iprp'));
  const properties = boxesIn(findBox(iprp, 'ipco'));
  const ipma = tryFindBox(iprp, 'ipma');
  let frame: PixelSize | undefined;
  for (const place of ipma ? propertiesOf(ipma, primaryItem(meta)) : []) {
    const property = properties[place - 1];
    const effect = property && EFFECTS[property.type];
    if (property && effect) frame = effect(property.content, frame);
  }
  return frame;
}
