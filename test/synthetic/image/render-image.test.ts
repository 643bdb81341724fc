import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { type ImageSpec, renderImage, renderPartialImage } from '../../../src/synthetic/index.ts';
import { colourAt, colours, distance, pixelsOf } from '../pixels.ts';

const order = (rest: Partial<ImageSpec> = {}): ImageSpec => ({
  text: 'A lighthouse at dusk',
  seed: 1,
  width: 320,
  height: 200,
  format: 'png',
  background: 'opaque',
  ...rest,
});

const FORMATS = ['png', 'jpeg', 'webp'] as const;
const SIZES = [
  [16, 16],
  [1024, 1536],
  [3840, 2160],
  [2160, 3840],
  [333, 111],
  [1, 1],
  [2, 500],
] as const;

describe('a rendered image', () => {
  for (const format of FORMATS) {
    it.each(SIZES)(`is a ${format} of %d by %d pixels`, async (width, height) => {
      const {
        format: made,
        width: across,
        height: down,
        hasAlpha,
      } = await sharp(await renderImage(order({ width, height, format }))).metadata();
      expect([made, across, down, hasAlpha]).toEqual([format, width, height, false]);
    });
  }

  it.each(FORMATS)('has the requested size and format, whatever its text (%s)', async (format) => {
    const sizes = fc.integer({ min: 16, max: 200 });
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), sizes, sizes, async (text, width, height) => {
        const picture = await renderImage(order({ text, width, height, format }));
        expect(await sharp(picture).metadata()).toMatchObject({ format, width, height });
        expect(colours(await pixelsOf(picture))).toBeGreaterThan(4);
      }),
      { numRuns: 40 },
    );
  });

  it('is equal for equal specs, and differs by text or seed', async () => {
    const [first, again, text, seed] = await Promise.all(
      [order(), order(), order({ text: 'A lighthouse at noon' }), order({ seed: 2 })].map(renderImage),
    );
    expect(again).toEqual(first);
    expect(text).not.toEqual(first);
    expect(seed).not.toEqual(first);
  });

  it('shows its text: one character more or less changes it, in any script', async () => {
    for (const [one, other] of [
      ['cat', 'car'],
      ['кот', 'код'],
      ['猫', '犬'],
      ['😀', '😁'],
      ['A', 'a'],
    ] as const) {
      const [first, second] = await Promise.all(
        [one, other].map(async (text) => pixelsOf(await renderImage(order({ text })))),
      );
      expect(distance(first as never, second as never), `${one} and ${other}`).toBeGreaterThan(2);
    }
  });

  it('shows a text of markup and of any length', async () => {
    for (const text of [
      '<svg onload="x">&amp;</svg>',
      'long words '.repeat(3000),
      '长'.repeat(32_000),
      '',
      ' \n\t',
      '\ud800',
    ]) {
      expect(colours(await pixelsOf(await renderImage(order({ text }))))).toBeGreaterThan(4);
    }
  });

  it.each(['png', 'webp'] as const)('keeps a transparent background transparent (%s)', async (format) => {
    for (const [width, height] of [
      [16, 16],
      [640, 480],
    ] as const) {
      const pixels = await pixelsOf(await renderImage(order({ width, height, format, background: 'transparent' })));
      const free = pixels.data.filter((value, at) => at % 4 === 3 && value === 0).length;
      expect(free).toBeGreaterThan((width * height) / 4);
      expect(free).toBeLessThan(width * height * 0.75);
      expect(colourAt(pixels, 0, 0)[3]).toBe(0);
    }
  });

  it.each(FORMATS)('has no transparency by default (%s)', async (format) => {
    const picture = await renderImage(order({ format }));
    expect((await sharp(picture).metadata()).hasAlpha).toBe(false);
    expect((await sharp(picture).stats()).isOpaque).toBe(true);
  });

  it.each(['jpeg', 'webp'] as const)('is smaller the lower its quality is (%s)', async (format) => {
    const sizes = [];
    for (const compression of [0, 40, 80]) sizes.push((await renderImage(order({ format, compression }))).length);
    expect(sizes).toEqual([...sizes].sort((a, b) => a - b));
    expect(new Set(sizes).size).toBe(3);
    expect(await renderImage(order({ format, compression: 100 }))).toEqual(await renderImage(order({ format })));
  });

  it('is lossless as WebP of full quality', async () => {
    const [png, webp] = await Promise.all([renderImage(order()), renderImage(order({ format: 'webp' }))]);
    expect(await pixelsOf(webp)).toEqual(await pixelsOf(png));
  });

  it('has a watermark only in its lower right corner, and only on request', async () => {
    for (const [width, height] of [
      [64, 64],
      [1664, 928],
    ] as const) {
      const [plain, marked] = await Promise.all(
        [false, true].map(async (watermark) => pixelsOf(await renderImage(order({ width, height, watermark })))),
      );
      if (!plain || !marked) throw new Error('two pictures were painted');
      let changed = 0;
      for (let at = 0; at < plain.data.length; at += 4) {
        if (plain.data.subarray(at, at + 4).every((value, channel) => value === marked.data[at + channel])) continue;
        changed += 1;
        expect(at / 4 / width).toBeGreaterThan(height * 0.75);
      }
      expect(changed).toBeGreaterThan(100);
      expect(colourAt(marked, 0, height - 1)).toEqual(colourAt(plain, 0, height - 1));
    }
  });
});

describe('partial images', () => {
  it.each(FORMATS)('approach the last one step by step, in its size and format (%s)', async (format) => {
    for (const [width, height] of [
      [16, 16],
      [512, 384],
    ] as const) {
      const wanted = order({ width, height, format });
      const last = await pixelsOf(await renderImage(wanted));
      const steps = await Promise.all([0, 1, 2].map((step) => renderPartialImage(wanted, step, 3)));
      const distances = [];
      for (const step of steps) {
        expect(await sharp(step).metadata()).toMatchObject({ format, width, height });
        const pixels = await pixelsOf(step);
        expect(colours(pixels)).toBeGreaterThan(1);
        distances.push(distance(pixels, last));
      }
      expect(distances).toEqual([...distances].sort((a, b) => b - a));
      expect(distances[0]).toBeGreaterThan(distances[2] ?? 0);
    }
  });

  it('keep a transparent background transparent', async () => {
    const step = await pixelsOf(await renderPartialImage(order({ background: 'transparent' }), 0, 3));
    expect(colourAt(step, 0, 0)[3]).toBe(0);
  });
});
