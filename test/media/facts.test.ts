import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { readMediaFacts } from '../../src/media/index.ts';
import { cpuTimeOf } from '../cpu-time.ts';
import { bmp, box, coreBmp, encoded, hasFfmpeg, heic, picture, picturesOf, toneOf, uint32, wav } from './samples.ts';

const head = ({ length }: Uint8Array, part = 0.6) => Math.floor(length * part);

describe('facts about images', () => {
  for (const format of ['png', 'jpeg', 'webp', 'gif', 'tiff', 'avif'] as const) {
    it(`has the facts about a ${format}`, async () => {
      const bytes = await picture(format);
      expect(await readMediaFacts(bytes)).toEqual({
        kind: 'image',
        format,
        bytes: bytes.length,
        width: 64,
        height: 48,
      });
    });
  }

  for (const format of ['png', 'jpeg', 'webp', 'tiff'] as const) {
    it(`has the display size of a rotated ${format}`, async () => {
      expect(await readMediaFacts(await picture(format, { orientation: 6 }))).toMatchObject({ width: 48, height: 64 });
      expect(await readMediaFacts(await picture(format, { orientation: 3 }))).toMatchObject({ width: 64, height: 48 });
    });
  }

  it('reads both headers of BMP, and rows that start at the top', async () => {
    expect(await readMediaFacts(bmp(33, 20))).toMatchObject({ format: 'bmp', width: 33, height: 20 });
    expect(await readMediaFacts(bmp(33, -20))).toMatchObject({ format: 'bmp', width: 33, height: 20 });
    expect(await readMediaFacts(coreBmp(33, 20))).toMatchObject({ format: 'bmp', width: 33, height: 20 });
  });

  it('has the primary image of a HEIC, cropped and rotated', async () => {
    expect(await readMediaFacts(heic())).toMatchObject({ kind: 'image', format: 'heic', width: 4000, height: 3000 });
    expect(await readMediaFacts(heic({ quarterTurns: 1 }))).toMatchObject({ width: 3000, height: 4000 });
    expect(await readMediaFacts(heic({ quarterTurns: 2 }))).toMatchObject({ width: 4000, height: 3000 });
    expect(await readMediaFacts(heic({ crop: [3990, 2990], quarterTurns: 3 }))).toMatchObject({
      width: 2990,
      height: 3990,
    });
    expect(await readMediaFacts(heic({ major: 'mif1' }))).toMatchObject({ format: 'heif', width: 4000 });
  });

  it('reads bytes in a larger buffer', async () => {
    const png = await picture('png');
    const larger = Buffer.concat([Buffer.alloc(13, 0xff), png, Buffer.alloc(9, 0xff)]);
    expect(await readMediaFacts(larger.subarray(13, 13 + png.length))).toMatchObject({ format: 'png', width: 64 });
    expect(await readMediaFacts(larger.subarray(13, 12 + png.length))).toBeUndefined();
  });

  it('ignores bytes after the end of a JPEG', async () => {
    const jpeg = await picture('jpeg');
    expect(await readMediaFacts(Buffer.concat([jpeg, Buffer.from('a note')]))).toMatchObject({ format: 'jpeg' });
  });
});

describe('facts about sounds', () => {
  it('has the facts about a WAV', async () => {
    const bytes = wav(2.5);
    expect(await readMediaFacts(bytes)).toEqual({
      kind: 'audio',
      format: 'wav',
      bytes: bytes.length,
      seconds: 2.5,
      audioCodec: 'pcm',
      videoCodec: null,
    });
  });

  it('has the facts about an MP3', async (context) => {
    if (!hasFfmpeg) return context.skip('ffmpeg is not on this machine');
    const facts = await readMediaFacts(encoded('tone.mp3', [...toneOf(3), '-c:a', 'libmp3lame']));
    expect(facts).toMatchObject({ kind: 'audio', format: 'mp3', audioCodec: 'mp3', videoCodec: null });
    expect(facts?.seconds).toBeCloseTo(3, 0);
  });

  it('classifies an MP4 without video as a sound', async (context) => {
    if (!hasFfmpeg) return context.skip('ffmpeg is not on this machine');
    const facts = await readMediaFacts(encoded('tone.mp4', [...toneOf(2), '-c:a', 'aac']));
    expect(facts).toMatchObject({ kind: 'audio', format: 'm4a', audioCodec: 'aac', videoCodec: null });
  });
});

const H264 = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-preset', 'ultrafast'];

describe('facts about videos', () => {
  it('has the facts about an MP4', async (context) => {
    if (!hasFfmpeg) return context.skip('ffmpeg is not on this machine');
    const bytes = encoded('film.mp4', [
      ...picturesOf('320x180', '24000/1001', 2),
      ...toneOf(2),
      ...H264,
      '-c:a',
      'aac',
    ]);
    const facts = await readMediaFacts(bytes);
    expect(facts).toMatchObject({
      kind: 'video',
      format: 'mp4',
      bytes: bytes.length,
      width: 320,
      height: 180,
      fps: 23.976,
      videoCodec: 'h264',
      audioCodec: 'aac',
    });
    expect(facts?.seconds).toBeCloseTo(2, 1);
  });

  it('distinguishes MOV from MP4, and finds no sound where there is none', async (context) => {
    if (!hasFfmpeg) return context.skip('ffmpeg is not on this machine');
    const options = [
      ...picturesOf('128x96', '30', 2),
      '-c:v',
      'libx265',
      '-x265-params',
      'log-level=none',
      '-tag:v',
      'hvc1',
    ];
    expect(await readMediaFacts(encoded('film.mov', options))).toMatchObject({
      kind: 'video',
      format: 'mov',
      fps: 30,
      seconds: 2,
      videoCodec: 'h265',
      audioCodec: null,
    });
  });

  it('has the facts about a fragmented MP4 with MP3 sound', async (context) => {
    if (!hasFfmpeg) return context.skip('ffmpeg is not on this machine');
    const options = [...picturesOf('128x96', '25', 2), ...toneOf(2), ...H264, '-c:a', 'libmp3lame'];
    const facts = await readMediaFacts(encoded('film.mp4', [...options, '-movflags', 'frag_keyframe+empty_moov']));
    expect(facts).toMatchObject({ format: 'mp4', audioCodec: 'mp3', videoCodec: 'h264' });
    // ffmpeg puts the delay of the sound's encoder before the second frame.
    expect(facts?.fps).toBeCloseTo(25, 0);
  });

  it('has the display size of a rotated video', async (context) => {
    if (!hasFfmpeg) return context.skip('ffmpeg is not on this machine');
    const lying = encoded('film.mp4', [...picturesOf('128x96', '25', 1), ...H264]);
    // The matrix of the track's head: a quarter turn, in numbers of 16.16.
    const turned = Buffer.from(lying);
    const matrix = turned.indexOf('tkhd') + 4 + 40;
    turned.set(uint32(0, 0x10000, 0, 0xffff0000, 0), matrix);
    expect(await readMediaFacts(lying)).toMatchObject({ width: 128, height: 96 });
    expect(await readMediaFacts(turned)).toMatchObject({ width: 96, height: 128 });
  });
});

describe('a damaged or hostile file', () => {
  it('has no facts when it is truncated', async () => {
    const files = [
      ...(await Promise.all((['png', 'jpeg', 'webp', 'avif'] as const).map((format) => picture(format)))),
      bmp(33, 20),
      coreBmp(33, 20),
      heic(),
      wav(1),
    ];
    for (const bytes of files) {
      expect(await readMediaFacts(bytes.subarray(0, head(bytes))), `of ${bytes.length}`).toBeUndefined();
      expect(await readMediaFacts(bytes.subarray(0, -2)), `without the end of ${bytes.length}`).toBeUndefined();
      expect(await readMediaFacts(bytes.subarray(0, 11))).toBeUndefined();
    }
  });

  it('has no facts when the first image of a GIF is truncated; later images do not matter', async () => {
    const bytes = await picture('gif');
    expect(await readMediaFacts(bytes.subarray(0, -4))).toBeUndefined();
    expect(await readMediaFacts(bytes.subarray(0, -1))).toMatchObject({ format: 'gif' });
  });

  it('has no facts when the pixels of a TIFF are truncated', async () => {
    const plain = { create: { width: 64, height: 48, channels: 3, background: 'teal' } } as const;
    const bytes = new Uint8Array(await sharp(plain).tiff({ compression: 'none' }).toBuffer());
    expect(await readMediaFacts(bytes)).toMatchObject({ format: 'tiff', width: 64, height: 48 });
    // The first cut loses pixels, the second their positions.
    for (const part of [0.2, 0.9]) expect(await readMediaFacts(bytes.subarray(0, head(bytes, part)))).toBeUndefined();
  });

  it('has no facts when a video is truncated', async (context) => {
    if (!hasFfmpeg) return context.skip('ffmpeg is not on this machine');
    const film = [...picturesOf('128x96', '25', 1), ...H264];
    for (const bytes of [encoded('a.mp4', film), encoded('b.mp4', [...film, '-movflags', 'faststart'])]) {
      expect(await readMediaFacts(bytes)).toBeDefined();
      expect(await readMediaFacts(bytes.subarray(0, head(bytes, 0.9)))).toBeUndefined();
    }
  });

  it('has no facts when it is garbage, and never throws', async () => {
    expect(await readMediaFacts(new Uint8Array())).toBeUndefined();
    expect(await readMediaFacts(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'))).toBe(
      undefined,
    );
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 4096 }), async (bytes) => {
        expect(await readMediaFacts(bytes)).toBeUndefined();
      }),
    );
  });

  it('never throws, whatever the damage to a real file', async () => {
    const files = [
      await picture('png'),
      await picture('jpeg', { orientation: 6 }),
      await picture('webp'),
      heic(),
      wav(0.1),
    ];
    if (hasFfmpeg)
      files.push(encoded('film.mp4', [...picturesOf('64x64', '25', 1), ...toneOf(1), ...H264, '-c:a', 'aac']));
    const damage = fc.array(fc.tuple(fc.nat(700), fc.nat(255)), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...files), damage, async (bytes, changes) => {
        const damaged = Uint8Array.from(bytes);
        for (const [at, value] of changes) damaged[at % damaged.length] = value;
        await readMediaFacts(damaged);
      }),
      { numRuns: 1000 },
    );
  });

  it('has no facts when a table declares more than the file contains', async () => {
    const many = uint32(0, 0xffffffff);
    const track = (table: Uint8Array) =>
      Buffer.concat([
        box('ftyp', Buffer.from('isom'), uint32(0)),
        box('moov', box('trak', box('mdia', box('minf', box('stbl', table))))),
      ]);
    for (const type of ['stts', 'ctts', 'stsc', 'stco', 'co64', 'stss']) {
      expect(await readMediaFacts(track(box(type, many, new Uint8Array(64)))), type).toBeUndefined();
    }
    const fragments = Buffer.concat([
      box('ftyp', Buffer.from('isom'), uint32(0)),
      box('moof', box('traf', ...Array.from({ length: 10 }, () => box('trun', uint32(0, 200_000))))),
    ]);
    expect(await readMediaFacts(fragments)).toBeUndefined();
  });

  it('is read quickly, even when it is large', async () => {
    const size = 20 * 1024 * 1024;
    const filled = (start: readonly number[], rest: number) => {
      const bytes = new Uint8Array(size).fill(rest);
      bytes.set(start);
      return bytes;
    };
    const starts = [[0xff, 0xd8, 0xff, 0xe0, 0, 2], [0xff, 0xfb, 0x90, 0x64], [...Buffer.from('ID3\x04\0\0\0\0\0\0')]];
    const cpuMs = await cpuTimeOf(async () => {
      for (const rest of [0, 0xff, 0xfb, 0x20])
        for (const start of starts) expect(await readMediaFacts(filled(start, rest))).toBeUndefined();
    });
    expect(cpuMs).toBeLessThan(200_000);
  });
});
