import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { decodeImage, differenceOf } from '../../../src/checks/media/decoded-image.ts';
import { claimImages } from '../../../src/checks/media/image-claims.ts';
import type { RequestedImage } from '../../../src/checks/media/requested-image.ts';
import { openRecorder } from '../../../src/checks/run/check-recorder.ts';
import type { Assertions } from '../../../src/domain/index.ts';
import { drawing, drawn, flat } from './drawn.ts';

const REQUESTED: RequestedImage = { count: 1, slack: 0, isTransparent: false };

type Given = { requested?: Partial<RequestedImage>; expect?: Assertions; reported?: string };

async function notedOf(files: readonly Uint8Array[], given: Given) {
  const { recorder, record } = openRecorder('alpha-image-2', String);
  const images = await Promise.all(files.map((bytes) => decodeImage(bytes, given.reported)));
  claimImages(recorder, images, { requested: { ...REQUESTED, ...given.requested }, expect: given.expect ?? {} });
  return record;
}

/** The claims that do not hold about an image of 64 × 48 pixels, PNG, unless reported. */
async function brokenBy(given: Given, files?: readonly Uint8Array[]): Promise<readonly string[]> {
  const { findings } = await notedOf(files ?? [await drawn(64, 48)], given);
  return findings.filter(({ holds }) => !holds).map(({ claim }) => claim);
}

describe('an image that is as it was asked for', () => {
  test.each<[string, Given]>([
    ['in nothing', {}],
    ['in its format', { requested: { format: 'png' } }],
    ['in what it is called', { reported: 'image/PNG' }],
    ['in its size', { requested: { frame: { width: 64, height: 48 } } }],
    ['in its size, aligned', { requested: { frame: { width: 70, height: 40 }, slack: 15 } }],
    ['in its proportions', { requested: { ratio: 4 / 3 } }],
    ['in proportions that whole pixels allow', { requested: { ratio: 1.35 } }],
    ['in the proportions of its source', { requested: { followed: 4 / 3 } }],
    ['in its size, whatever its source has', { requested: { frame: { width: 64, height: 48 }, followed: 3 } }],
    ['as expected', { expect: { count: 1, format: 'png', width: 64, height: 48, minWidth: 64, minHeight: 48 } }],
  ])('%s, holds', async (_title, given) => {
    expect(await brokenBy(given)).toEqual([]);
  });

  test('becomes an artifact with the facts of its bytes', async () => {
    const { artifacts } = await notedOf([await drawn(64, 48, 'webp')], { reported: 'image/png' });
    expect(artifacts).toMatchObject([
      { title: 'the image', mediaType: 'image/webp', facts: { format: 'webp', width: 64, height: 48 } },
    ]);
  });
});

describe('an image that is not as it was asked for', () => {
  test.each<[string, Given, string]>([
    ['format', { requested: { format: 'webp' } }, 'the image is webp, as requested'],
    ['name', { reported: 'image/jpeg' }, 'the image has the media type that the answer declares, image/jpeg'],
    ['size', { requested: { frame: { width: 48, height: 64 } } }, 'the image has the requested size, 48 × 64'],
    [
      'size beyond its alignment',
      { requested: { frame: { width: 80, height: 48 }, slack: 15 } },
      'the image has the requested size, 80 × 48',
    ],
    ['proportions', { requested: { ratio: 3 } }, 'the image is 3 times as wide as high, as requested'],
    [
      'proportions of its source',
      { requested: { followed: 3 } },
      'the image is 3 times as wide as high, as its source',
    ],
    ['class', { requested: { sizeClass: '1k' } }, 'the image has the size class 1k'],
    ['count', { requested: { count: 2 } }, 'the answer has 2 images, as requested'],
    ['transparency', { requested: { isTransparent: true } }, 'the image has transparent pixels, as requested'],
    ['expected count', { expect: { count: 2 } }, 'there are 2 images, as expected'],
    ['expected format', { expect: { format: 'jpeg' } }, 'the image is jpeg, as expected'],
    ['expected width', { expect: { width: 63 } }, 'the image is 63 pixels wide, as expected'],
    ['expected height', { expect: { height: 49 } }, 'the image is 49 pixels high, as expected'],
    ['least width', { expect: { minWidth: 65 } }, 'the image is at least 65 pixels wide, as expected'],
    ['least height', { expect: { minHeight: 49 } }, 'the image is at least 49 pixels high, as expected'],
  ])('in its %s, is found', async (_title, given, claim) => {
    expect(await brokenBy(given)).toEqual([claim]);
  });

  test('because it has one colour, is found', async () => {
    const claim = 'the image is not a single colour';
    expect(await brokenBy({}, [await flat(64, 48)])).toEqual([claim]);
  });

  test.each([
    ['is cut off in its head', 0.02],
    ['is cut off in its pixels', 0.6],
    ['lacks its end', 0.99],
  ])('because it %s, is found, and no other claim breaks', async (_title, share) => {
    for (const format of ['png', 'jpeg', 'webp'] as const) {
      const bytes = await drawn(640, 480, format);
      const cut = bytes.slice(0, bytes.length * share);
      expect(await brokenBy({ requested: { format } }, [cut])).toEqual(['the image can be decoded completely']);
    }
  });

  test('because bytes in its midst are damaged, is found', async () => {
    const bytes = await drawn(640, 480);
    bytes.fill(0, bytes.length / 2, bytes.length / 2 + 40);
    expect(await brokenBy({}, [bytes])).toEqual(['the image can be decoded completely']);
  });
});

describe('an image that is small as a file, and large when it is decoded', () => {
  test('is not decoded: a few megabytes can become gigabytes', async () => {
    const bytes = Buffer.from(await drawn(64, 48));
    for (const at of [16, 20]) bytes.writeUInt32BE(8193, at);
    bytes.writeUInt32BE(crc32(bytes.subarray(12, 29)), 29);
    expect(await decodeImage(bytes)).toMatchObject({ facts: { width: 8193 }, trouble: expect.stringMatching('limit') });
  });
});

describe('several images', () => {
  test('hold when they differ, each under its number', async () => {
    const files = [await drawn(64, 48), await drawn(64, 48, 'png', '#d1495b')];
    const { findings, artifacts } = await notedOf(files, { requested: { count: 2, format: 'png' } });
    expect(findings.filter(({ holds }) => !holds)).toEqual([]);
    expect(artifacts.map(({ title }) => title)).toEqual(['image 1', 'image 2']);
  });

  test('of the same bytes are found', async () => {
    const file = await drawn(64, 48);
    const claim = 'no two images are the same';
    expect(await brokenBy({ requested: { count: 2 } }, [file, Uint8Array.from(file)])).toEqual([claim]);
  });
});

describe('an image that has transparent pixels', () => {
  test('is so by its pixels, and not by its channels', async () => {
    const clear = new Uint8Array(await sharp({ create: CLEAR }).composite(PATCH).png().toBuffer());
    const solid = new Uint8Array(await drawing(64, 48).ensureAlpha().png().toBuffer());
    expect((await decodeImage(clear)).isTransparent).toBe(true);
    expect((await decodeImage(solid)).isTransparent).toBe(false);
  });

  const CLEAR = { width: 64, height: 48, channels: 4, background: '#00000000' } as const;
  const PATCH = [{ input: { create: { width: 9, height: 9, channels: 3, background: '#f00' } as const } }];
});

describe('the difference of two images', () => {
  test('is small when one is the other in another size and format', async () => {
    const source = await drawn(512, 384);
    const again = new Uint8Array(await sharp(source).resize(1024, 1024, { fit: 'fill' }).jpeg().toBuffer());
    expect(await differenceOf(source, again)).toBeLessThan(12);
  });

  test('is large when a hundredth of one is painted over', async () => {
    const source = await drawn(512, 384);
    const patch = { create: { width: 51, height: 38, channels: 3, background: '#d1495b' } as const };
    const edited = new Uint8Array(
      await sharp(source)
        .composite([{ input: patch, left: 9, top: 9 }])
        .png()
        .toBuffer(),
    );
    expect(await differenceOf(source, edited)).toBeGreaterThan(40);
  });
});
