import { describe, expect, it } from 'vitest';
import { tryDecodeBitmap } from '../../../src/synthetic/image/bitmap.ts';

const [RED, GREEN, BLUE, WHITE] = [
  [255, 0, 0, 255],
  [0, 255, 0, 255],
  [0, 0, 255, 255],
  [255, 255, 255, 255],
];

interface Given {
  readonly bits: number;
  readonly height?: number;
  readonly compression?: number;
  /** The masks or the palette that follow the header. */
  readonly more?: readonly number[];
  /** The rows in the order of the file, in hexadecimal. */
  readonly rows: string;
}

/** A bitmap of two by two pixels with the header of 40 bytes. */
function bitmap({ bits, height = 2, compression = 0, more = [], rows }: Given): Uint8Array {
  const head = Buffer.alloc(54 + 4 * more.length);
  head.write('BM');
  head.writeUInt32LE(head.length, 10);
  head.writeUInt32LE(40, 14);
  head.writeInt32LE(2, 18);
  head.writeInt32LE(height, 22);
  head.writeUInt16LE(bits, 28);
  head.writeUInt32LE(compression, 30);
  for (const [index, value] of more.entries()) head.writeUInt32LE(value, 54 + 4 * index);
  return Buffer.concat([head, Buffer.from(rows, 'hex')]);
}

const PALETTE = [0xff0000, 0x00ff00, 0x0000ff, 0xffffff];

describe('a bitmap', () => {
  it.each<[string, Given]>([
    ['24 bits, from the bottom', { bits: 24, rows: 'ff0000ffffff0000' + '0000ff00ff000000' }],
    ['24 bits, from the top', { bits: 24, height: -2, rows: '0000ff00ff000000' + 'ff0000ffffff0000' }],
    ['32 bits', { bits: 32, rows: 'ff000000ffffff00' + '0000ff0000ff0000' }],
    [
      '32 bits with masks',
      { bits: 32, compression: 3, more: [0xff, 0xff00, 0xff0000], rows: '0000ff00ffffff00' + 'ff00000000ff0000' },
    ],
    ['16 bits', { bits: 16, rows: '1f00ff7f' + '007ce003' }],
    ['16 bits with masks', { bits: 16, compression: 3, more: [0xf800, 0x07e0, 0x001f], rows: '1f00ffff' + '00f8e007' }],
    ['8 bits', { bits: 8, more: PALETTE, rows: '02030000' + '00010000' }],
    ['4 bits', { bits: 4, more: PALETTE, rows: '23000000' + '01000000' }],
  ])('of %s is decoded', (_, given) => {
    const { width, height, data } = tryDecodeBitmap(bitmap(given)) ?? {};
    expect([width, height, [...(data ?? [])]]).toEqual([2, 2, [RED, GREEN, BLUE, WHITE].flat()]);
  });

  it('of one bit is decoded', () => {
    const decoded = tryDecodeBitmap(bitmap({ bits: 1, more: [0, 0xffffff], rows: '40000000' + '80000000' }));
    const [black, white] = [[0, 0, 0, 255], WHITE];
    expect([...(decoded?.data ?? [])]).toEqual([white, black, black, white].flat());
  });

  it('that is compressed is not', () => {
    expect(tryDecodeBitmap(bitmap({ bits: 8, compression: 1, more: PALETTE, rows: '0000' }))).toBeUndefined();
  });
});
