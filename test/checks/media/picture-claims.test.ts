import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { differenceOf, lookAtPicture } from '../../../src/checks/media/picture.ts';
import { claimPictures } from '../../../src/checks/media/picture-claims.ts';
import type { PictureWish } from '../../../src/checks/media/picture-config.ts';
import { openExamination } from '../../../src/checks/run/check-recorder.ts';
import type { Assertions } from '../../../src/domain/index.ts';
import { drawing, drawn, flat } from './drawn.ts';

const WISH: PictureWish = { count: 1, slack: 0, isClear: false };

type Given = { wish?: Partial<PictureWish>; expect?: Assertions; told?: string };

async function notedOf(files: readonly Uint8Array[], given: Given) {
  const { exam, noted } = openExamination('alpha-image-2', String);
  const pictures = await Promise.all(files.map((bytes) => lookAtPicture(bytes, given.told)));
  claimPictures(exam, pictures, { wish: { ...WISH, ...given.wish }, expect: given.expect ?? {} });
  return noted;
}

/** The claims that do not hold about a picture of 64 × 48 pixels, PNG, unless told. */
async function brokenBy(given: Given, files?: readonly Uint8Array[]): Promise<readonly string[]> {
  const { findings } = await notedOf(files ?? [await drawn(64, 48)], given);
  return findings.filter(({ holds }) => !holds).map(({ claim }) => claim);
}

describe('a picture that is as it was asked for', () => {
  test.each<[string, Given]>([
    ['in nothing', {}],
    ['in its format', { wish: { format: 'png' } }],
    ['in what it is called', { told: 'image/PNG' }],
    ['in its size', { wish: { frame: { width: 64, height: 48 } } }],
    ['in its size, aligned', { wish: { frame: { width: 70, height: 40 }, slack: 15 } }],
    ['in its proportions', { wish: { ratio: 4 / 3 } }],
    ['in proportions that whole pixels allow', { wish: { ratio: 1.35 } }],
    ['in the proportions of its source', { wish: { followed: 4 / 3 } }],
    ['in its size, whatever its source has', { wish: { frame: { width: 64, height: 48 }, followed: 3 } }],
    ['as expected', { expect: { count: 1, format: 'png', width: 64, height: 48, minWidth: 64, minHeight: 48 } }],
  ])('%s, holds', async (_title, given) => {
    expect(await brokenBy(given)).toEqual([]);
  });

  test('becomes an exhibit with what its bytes say', async () => {
    const { exhibits } = await notedOf([await drawn(64, 48, 'webp')], { told: 'image/png' });
    expect(exhibits).toMatchObject([
      { title: 'the picture', mediaType: 'image/webp', facts: { format: 'webp', width: 64, height: 48 } },
    ]);
  });
});

describe('a picture that is not as it was asked for', () => {
  test.each<[string, Given, string]>([
    ['format', { wish: { format: 'webp' } }, 'the picture is webp, as was asked'],
    ['name', { told: 'image/jpeg' }, 'the picture is what the answer calls it, image/jpeg'],
    ['size', { wish: { frame: { width: 48, height: 64 } } }, 'the picture has the size that was asked for, 48 × 64'],
    [
      'size beyond its alignment',
      { wish: { frame: { width: 80, height: 48 }, slack: 15 } },
      'the picture has the size that was asked for, 80 × 48',
    ],
    ['proportions', { wish: { ratio: 3 } }, 'the picture is 3 times as wide as high, as was asked'],
    ['proportions of its source', { wish: { followed: 3 } }, 'the picture is 3 times as wide as high, as its source'],
    ['class', { wish: { sizeClass: '1k' } }, 'the picture is as large as 1k says'],
    ['count', { wish: { count: 2 } }, 'the answer has 2 pictures, as was asked'],
    ['transparency', { wish: { isClear: true } }, 'the picture is transparent somewhere, as was asked'],
    ['expected count', { expect: { count: 2 } }, 'there are 2 pictures, as expected'],
    ['expected format', { expect: { format: 'jpeg' } }, 'the picture is jpeg, as expected'],
    ['expected width', { expect: { width: 63 } }, 'the picture is 63 pixels wide, as expected'],
    ['expected height', { expect: { height: 49 } }, 'the picture is 49 pixels high, as expected'],
    ['least width', { expect: { minWidth: 65 } }, 'the picture is at least 65 pixels wide, as expected'],
    ['least height', { expect: { minHeight: 49 } }, 'the picture is at least 49 pixels high, as expected'],
  ])('in its %s, is found', async (_title, given, claim) => {
    expect(await brokenBy(given)).toEqual([claim]);
  });

  test('because it has one colour, is found', async () => {
    const claim = 'the picture shows something: it is not of one colour';
    expect(await brokenBy({}, [await flat(64, 48)])).toEqual([claim]);
  });

  test.each([
    ['is cut off in its head', 0.02],
    ['is cut off in its pixels', 0.6],
    ['lacks its end', 0.99],
  ])('because it %s, is found, and nothing else is said of it', async (_title, share) => {
    for (const format of ['png', 'jpeg', 'webp'] as const) {
      const bytes = await drawn(640, 480, format);
      const cut = bytes.slice(0, bytes.length * share);
      expect(await brokenBy({ wish: { format } }, [cut])).toEqual(['the picture can be decoded, all of it']);
    }
  });

  test('because bytes in its midst are damaged, is found', async () => {
    const bytes = await drawn(640, 480);
    bytes.fill(0, bytes.length / 2, bytes.length / 2 + 40);
    expect(await brokenBy({}, [bytes])).toEqual(['the picture can be decoded, all of it']);
  });
});

describe('several pictures', () => {
  test('hold when they differ, each under its number', async () => {
    const files = [await drawn(64, 48), await drawn(64, 48, 'png', '#d1495b')];
    const { findings, exhibits } = await notedOf(files, { wish: { count: 2, format: 'png' } });
    expect(findings.filter(({ holds }) => !holds)).toEqual([]);
    expect(exhibits.map(({ title }) => title)).toEqual(['picture 1', 'picture 2']);
  });

  test('of the same bytes are found', async () => {
    const file = await drawn(64, 48);
    const claim = 'no two of the pictures are the same';
    expect(await brokenBy({ wish: { count: 2 } }, [file, Uint8Array.from(file)])).toEqual([claim]);
  });
});

describe('a picture that is transparent somewhere', () => {
  test('is so by its pixels, and not by its channels', async () => {
    const clear = new Uint8Array(await sharp({ create: CLEAR }).composite(PATCH).png().toBuffer());
    const opaque = new Uint8Array(await drawing(64, 48).ensureAlpha().png().toBuffer());
    expect((await lookAtPicture(clear)).isClear).toBe(true);
    expect((await lookAtPicture(opaque)).isClear).toBe(false);
  });

  const CLEAR = { width: 64, height: 48, channels: 4, background: '#00000000' } as const;
  const PATCH = [{ input: { create: { width: 9, height: 9, channels: 3, background: '#f00' } as const } }];
});

describe('the difference of two pictures', () => {
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
