import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { editImage, type ImageEditSpec, renderImage, renderPartialEdit } from '../../../src/synthetic/index.ts';
import { colourAt, colours, distance, painted, pixelsOf } from '../pixels.ts';

const WIDTH = 96;
const HEIGHT = 64;

/** No two neighbours alike, some of them half transparent. */
const source = () =>
  painted(WIDTH, HEIGHT, (x, y) => [(x * 37) % 256, (y * 53) % 256, (x * y) % 256, 255 - ((x + y) % 3) * 60]);
const solidImage = () => painted(WIDTH, HEIGHT, (x, y) => [(x * 37) % 256, (y * 53) % 256, (x * y) % 256, 255]);
/** An irregular hole, and nearly transparent pixels outside it. */
const inHole = (x: number, y: number): boolean => x >= 20 && x < 70 && y >= 10 && y < 50 && (x + y) % 7 !== 0;
const mask = () => painted(WIDTH, HEIGHT, (x, y) => [0, 0, 0, inHole(x, y) ? 0 : 1 + ((x + y) % 255)]);

const order = (sources: readonly Uint8Array[], rest: Partial<ImageEditSpec> = {}): ImageEditSpec => ({
  text: 'put a boat there',
  seed: 3,
  width: WIDTH,
  height: HEIGHT,
  format: 'png',
  background: 'opaque',
  sources,
  ...rest,
});

describe('an edit with a mask', () => {
  it.each(['png', 'webp'] as const)(
    'changes what is fully transparent in the mask and no other pixel (%s)',
    async (format) => {
      const before = await pixelsOf(await source());
      const whole = await editImage(order([await source()], { mask: await mask(), format }));
      const partial = await renderPartialEdit(order([await source()], { mask: await mask(), format }), 0, 3);
      for (const after of [await pixelsOf(whole), await pixelsOf(partial)]) {
        let changed = 0;
        for (let y = 0; y < HEIGHT; y += 1) {
          for (let x = 0; x < WIDTH; x += 1) {
            const [was, is] = [colourAt(before, x, y), colourAt(after, x, y)];
            if (!inHole(x, y)) expect(is, `${x}, ${y}`).toEqual(was);
            else if (is.join() !== was.join()) changed += 1;
          }
        }
        expect(changed).toBeGreaterThan(1500);
      }
    },
  );

  it('changes nothing when the mask has no transparent pixel', async () => {
    const closed = await painted(WIDTH, HEIGHT, () => [255, 255, 255, 1]);
    const edited = await editImage(order([await source()], { mask: closed }));
    expect(await pixelsOf(edited)).toEqual(await pixelsOf(await source()));
  });

  it('shows the text and the other sources within the hole', async () => {
    const withMask = async (text: string, others: readonly Uint8Array[]) =>
      pixelsOf(await editImage(order([await solidImage(), ...others], { text, mask: await mask() })));
    const plain = await withMask('a boat', []);
    expect(distance(plain, await withMask('a goat', []))).toBeGreaterThan(1);
    expect(distance(plain, await withMask('a boat', [await source()]))).toBeGreaterThan(0.1);
  });

  it('accepts a hole of a single pixel', async () => {
    const dot = await painted(WIDTH, HEIGHT, (x, y) => [0, 0, 0, x === 95 && y === 63 ? 0 : 255]);
    const [before, after] = [
      await pixelsOf(await solidImage()),
      await pixelsOf(await editImage(order([await solidImage()], { mask: dot }))),
    ];
    expect(after.data.subarray(0, -4)).toEqual(before.data.subarray(0, -4));
    expect(colourAt(after, 95, 63)).not.toEqual(colourAt(before, 95, 63));
  });

  it('scales source and mask alike', async () => {
    const half = await painted(WIDTH, HEIGHT, (x) => [0, 0, 0, x < WIDTH / 2 ? 0 : 255]);
    const grey = await painted(WIDTH, HEIGHT, () => [90, 90, 90, 255]);
    const after = await pixelsOf(await editImage(order([grey], { mask: half, width: 200, height: 100 })));
    expect([after.width, after.height]).toEqual([200, 100]);
    expect(colourAt(after, 150, 50)).toEqual([90, 90, 90, 255]);
    expect(colourAt(after, 2, 2)).not.toEqual([90, 90, 90, 255]);
  });
});

describe('an edit without a mask', () => {
  it('changes the whole image, and still resembles its source', async () => {
    const before = await pixelsOf(await solidImage());
    const after = await pixelsOf(await editImage(order([await solidImage()])));
    const unlike = await pixelsOf(await editImage(order([await painted(WIDTH, HEIGHT, () => [0, 90, 0, 255])])));
    for (const [left, top] of [
      [0, 0],
      [WIDTH - 16, 0],
      [0, HEIGHT - 16],
      [WIDTH - 16, HEIGHT - 16],
      [40, 24],
    ] as const) {
      const part = async (picture: typeof before) =>
        pixelsOf(
          await sharp(picture.data, { raw: { width: WIDTH, height: HEIGHT, channels: 4 } })
            .extract({ left, top, width: 16, height: 16 })
            .png()
            .toBuffer(),
        );
      expect(distance(await part(after), await part(before))).toBeGreaterThan(5);
    }
    expect(distance(after, before)).toBeLessThan(distance(unlike, before));
  });

  it('includes every other source', async () => {
    const others = await Promise.all([0, 1, 2].map((hue) => painted(32, 32, () => [hue * 100, 255, 0, 255])));
    const results = [];
    for (const count of [0, 1, 2, 3]) {
      results.push(await pixelsOf(await editImage(order([await solidImage(), ...others.slice(0, count)]))));
    }
    for (const [at, result] of results.slice(1).entries()) {
      expect(distance(result, results[at] as never)).toBeGreaterThan(0.3);
    }
  });

  it('differs from an image of the same text, even when that is its source', async () => {
    const own = order([]);
    const first = await renderImage(own);
    expect(
      distance(await pixelsOf(await editImage({ ...own, sources: [first] })), await pixelsOf(first)),
    ).toBeGreaterThan(5);
  });

  it('has no transparency unless a transparent background is requested', async () => {
    const clear = await painted(WIDTH, HEIGHT, (x) => [200, 0, 0, x < 48 ? 0 : 255]);
    const solid = await editImage(order([clear]));
    expect((await sharp(solid).stats()).isOpaque).toBe(true);
    const free = await pixelsOf(await editImage(order([clear], { background: 'transparent' })));
    expect(colourAt(free, 0, 0)[3]).toBe(0);
    expect(colourAt(free, 90, 0)[3]).toBe(255);
  });

  it.each(['png', 'jpeg', 'webp', 'gif', 'tiff'] as const)('accepts a %s, in colour or grey', async (format) => {
    for (const picture of [sharp(await solidImage()), sharp(await solidImage()).greyscale()]) {
      const bytes = await picture.toFormat(format).toBuffer();
      const edited = await editImage(order([bytes], { width: 50, height: 70, format: 'jpeg' }));
      expect(await sharp(edited).metadata()).toMatchObject({ format: 'jpeg', width: 50, height: 70 });
      expect(colours(await pixelsOf(edited))).toBeGreaterThan(20);
    }
  });

  it('rotates a source according to its orientation', async () => {
    const upright = await painted(64, 96, (_, y) => (y < 48 ? [255, 0, 0, 255] : [0, 0, 255, 255]));
    const lying = await sharp(upright).rotate(-90).withMetadata({ orientation: 6 }).png().toBuffer();
    const size = { width: 64, height: 96 };
    expect(await pixelsOf(await editImage(order([lying], size)))).toEqual(
      await pixelsOf(await editImage(order([upright], size))),
    );
  });

  it('approaches the final image step by step', async () => {
    const wanted = order([await solidImage()]);
    const last = await pixelsOf(await editImage(wanted));
    const [coarse, fine] = [await renderPartialEdit(wanted, 0, 2), await renderPartialEdit(wanted, 1, 2)];
    expect(distance(await pixelsOf(coarse), last)).toBeGreaterThan(distance(await pixelsOf(fine), last));
  });

  it('is equal for equal specs', async () => {
    const wanted = order([await solidImage(), await source()]);
    expect(await editImage(wanted)).toEqual(await editImage(wanted));
  });
});
