import sharp from 'sharp';

export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue, opacity of each. */
  readonly data: Uint8Array;
}

export async function pixelsOf(picture: Uint8Array): Promise<Pixels> {
  const { data, info } = await sharp(picture)
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data: new Uint8Array(data) };
}

export const colourAt = ({ width, data }: Pixels, x: number, y: number): readonly number[] => [
  ...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 4),
];

/** Counts the colours, including opacity. */
export const colours = ({ data }: Pixels): number => new Set(new Uint32Array(data.slice().buffer)).size;

/** The mean difference of the samples of two pictures of one size. */
export const distance = (one: Pixels, other: Pixels): number =>
  one.data.reduce((sum, value, at) => sum + Math.abs(value - (other.data[at] ?? 0)), 0) / one.data.length;

const pictureOf = ({ width, height, data }: Pixels): Promise<Uint8Array> =>
  sharp(data, { raw: { width, height, channels: 4 } })
    .png()
    .toBuffer();

/** A picture with a colour for each place. */
export function painted(
  width: number,
  height: number,
  colour: (x: number, y: number) => readonly number[],
): Promise<Uint8Array> {
  const data = Uint8Array.from({ length: width * height * 4 }, (_, at) => {
    const pixel = Math.floor(at / 4);
    return colour(pixel % width, Math.floor(pixel / width))[at % 4] ?? 255;
  });
  return pictureOf({ width, height, data });
}
