import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest';
import { renderLastFrame, renderVideo, type VideoSpec } from '../../../src/synthetic/index.ts';
import { colourAt, distance, type Pixels, painted, pixelsOf } from '../pixels.ts';

const missing = ['ffprobe', 'ffmpeg'].filter((program) => spawnSync(program, ['-version']).status !== 0);

/** Named by `npm test` where the programs are missing. */
function skipWithout(context: TestContext): void {
  if (missing.length > 0) context.skip(`${missing.join(' and ')} not on this machine`);
}

const order = (rest: Partial<VideoSpec> = {}): VideoSpec => ({
  text: 'A boat sails past a lighthouse',
  seed: 5,
  width: 320,
  height: 180,
  seconds: 2,
  audio: true,
  watermark: false,
  ...rest,
});

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'keyplane-video-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(program: string, args: readonly string[]): string {
  const { stdout, stderr } = spawnSync(program, ['-v', 'error', ...args], { maxBuffer: 2 ** 28 });
  expect(stderr.toString()).toBe('');
  return stdout.toString();
}

/** Decodes every frame; the test fails on any error. Returns the path of the video. */
async function decoded(wanted: VideoSpec): Promise<string> {
  const path = join(folder, 'video.mp4');
  writeFileSync(path, await renderVideo(wanted));
  run('ffmpeg', ['-xerror', '-err_detect', 'explode', '-i', path, '-f', 'null', '-']);
  return path;
}

interface Track {
  readonly codec_name: string;
  readonly codec_type: string;
  readonly profile: string;
  readonly width: number;
  readonly height: number;
  readonly level: number;
  readonly channels: number;
  readonly duration: string;
  readonly nb_read_frames: string;
}

function probed(path: string): { readonly video: Track; readonly audio: Track | undefined; readonly seconds: number } {
  const { streams, format } = JSON.parse(
    run('ffprobe', ['-count_frames', '-show_streams', '-show_format', '-of', 'json', path]),
  ) as { streams: readonly Track[]; format: { duration: string } };
  const track = (type: string) => streams.find(({ codec_type }) => codec_type === type);
  return { video: track('video') as Track, audio: track('audio'), seconds: Number(format.duration) };
}

async function frameAt(path: string, index: number): Promise<Pixels> {
  const { stdout } = spawnSync(
    'ffmpeg',
    [
      '-v',
      'error',
      '-i',
      path,
      '-vf',
      `select=eq(n\\,${index})`,
      '-frames:v',
      '1',
      '-f',
      'image2pipe',
      '-c:v',
      'png',
      '-',
    ],
    { maxBuffer: 2 ** 28 },
  );
  return pixelsOf(stdout);
}

describe('a decoder', () => {
  it.for([
    [64, 64, 1, 24],
    [854, 480, 4, 24],
    [720, 1280, 5, 30],
    [1920, 1080, 6, 24],
    [3840, 2160, 2, 24],
    [1024, 64, 2, 25],
    [338, 150, 60, 12],
  ] as const)('plays every frame of %d by %d pixels, %d seconds at %d a second', async (row, context) => {
    skipWithout(context);
    const [width, height, seconds, fps] = row;
    const { video, audio, seconds: length } = probed(await decoded(order({ width, height, seconds, fps })));
    expect(video).toMatchObject({ codec_name: 'h264', profile: 'Constrained Baseline', width, height });
    expect(audio).toMatchObject({ codec_name: 'aac', profile: 'LC', channels: 1 });
    expect(Number(video.nb_read_frames)).toBe(seconds * fps);
    for (const duration of [Number(video.duration), Number(audio?.duration), length]) {
      expect(Math.abs(duration - seconds)).toBeLessThanOrEqual(1 / fps);
    }
  });

  it('plays a video of any size, text and length, with or without images', async (context) => {
    skipWithout(context);
    const noise = await painted(40, 30, (x, y) => [(x * 77) % 256, (y * 91) % 256, (x * y * 13) % 256, 255]);
    const black = await painted(40, 30, () => [0, 0, 0, 255]);
    const edge = fc.integer({ min: 2, max: 700 });
    const picture = fc.constantFrom(undefined, noise, black);
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          width: edge,
          height: edge,
          seconds: fc.integer({ min: 1, max: 7 }),
          text: fc.string(),
          seed: fc.nat(),
        }),
        fc.tuple(picture, picture, fc.boolean()),
        async (drawn, [firstFrame, lastFrame, audio]) => {
          const pictures = { ...(firstFrame ? { firstFrame } : {}), ...(lastFrame ? { lastFrame } : {}) };
          const { video, audio: sound } = probed(await decoded(order({ ...drawn, ...pictures, audio })));
          expect([video.width, video.height]).toEqual(
            [drawn.width, drawn.height].map((pixels) => pixels - (pixels % 2)),
          );
          expect(Number(video.nb_read_frames)).toBe(drawn.seconds * 24);
          expect(sound !== undefined).toBe(audio);
        },
      ),
      { numRuns: 12 },
    );
  });

  it('gets a level that allows the frame size and rate', async (context) => {
    skipWithout(context);
    const levels = [];
    for (const [width, height, fps] of [
      [352, 288, 24],
      [1280, 720, 30],
      [1920, 1080, 30],
      [3840, 2160, 30],
      [2048, 16, 1],
    ] as const) {
      levels.push(probed(await decoded(order({ width, height, fps, seconds: 1 }))).video.level);
    }
    expect(levels).toEqual([13, 31, 40, 51, 31]);
  });

  it.for([
    [320, 180, 2, {}],
    [1280, 720, 3, { watermark: true }],
    [1920, 1080, 1, {}],
  ] as const)(
    'shows as last frame what is given as last frame (%d by %d)',
    async ([width, height, seconds, rest], context) => {
      skipWithout(context);
      const lastFrame = await painted(64, 36, (x, y) => [x * 4, y * 7, 128, 255]);
      for (const pictures of [{}, { lastFrame }]) {
        const wanted = order({ width, height, seconds, ...pictures });
        const path = await decoded({ ...wanted, ...rest });
        const shown = await frameAt(path, seconds * 24 - 1);
        const given = await pixelsOf(await renderLastFrame(wanted));
        expect([given.width, given.height]).toEqual([shown.width, shown.height]);
        // The watermark is not in the picture that is given.
        expect(distance(given, shown)).toBeLessThan('watermark' in rest ? 4 : 1.5);
      }
    },
  );

  it('shows the images that the video begins and ends with', async (context) => {
    skipWithout(context);
    const [red, blue] = [await painted(64, 64, () => [200, 0, 0, 255]), await painted(64, 64, () => [0, 0, 200, 255])];
    const path = await decoded(order({ firstFrame: red, lastFrame: blue }));
    const [first, last] = [await frameAt(path, 0), await frameAt(path, 47)];
    const [r = 0, , b = 255] = colourAt(first, 160, 90);
    expect(r - b).toBeGreaterThan(150);
    const [r2 = 255, , b2 = 0] = colourAt(last, 160, 90);
    expect(b2 - r2).toBeGreaterThan(150);
  });

  it('shows two consecutive IDR pictures', async (context) => {
    skipWithout(context);
    const [red, blue] = [await painted(64, 64, () => [200, 0, 0, 255]), await painted(64, 64, () => [0, 0, 200, 255])];
    const path = await decoded(order({ firstFrame: red, lastFrame: blue, fps: 1, seconds: 2 }));
    expect(distance(await frameAt(path, 0), await frameAt(path, 1))).toBeGreaterThan(50);
  });

  it.for([
    [320, 180],
    [854, 480],
    [1920, 1080],
  ] as const)(
    'shows the watermark in the lower right corner, over given pictures too (%d by %d)',
    async ([width, height], context) => {
      skipWithout(context);
      const picture = await painted(64, 36, () => [0, 90, 0, 255]);
      for (const pictures of [{}, { firstFrame: picture, lastFrame: picture }]) {
        const wanted = order({ width, height, seconds: 1, ...pictures });
        const plain = await frameAt(await decoded(wanted), 20);
        const marked = await frameAt(await decoded({ ...wanted, watermark: true }), 20);
        let changed = 0;
        for (let pixel = 0; pixel < width * height; pixel += 1) {
          if (Math.abs((plain.data[pixel * 4 + 1] ?? 0) - (marked.data[pixel * 4 + 1] ?? 0)) < 24) continue;
          changed += 1;
          if (pixel % width > width * 0.75 && pixel / width > height * 0.75) continue;
          throw new Error(`pixel ${pixel % width}, ${Math.floor(pixel / width)} is not in the corner`);
        }
        expect(changed).toBeGreaterThan(200);
      }
    },
  );

  it('shows something that moves, and the text', async (context) => {
    skipWithout(context);
    const path = await decoded(order());
    const frames = await Promise.all([0, 12, 47].map((index) => frameAt(path, index)));
    expect(distance(frames[0] as Pixels, frames[1] as Pixels)).toBeGreaterThan(0.2);
    expect(distance(frames[1] as Pixels, frames[2] as Pixels)).toBeGreaterThan(0.2);
    const other = await frameAt(await decoded(order({ text: 'A boat sails past a lightship' })), 0);
    expect(distance(frames[0] as Pixels, other)).toBeGreaterThan(1);
  });
});
