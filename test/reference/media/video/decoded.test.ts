import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest';
import type { Body } from '../../harness.ts';
import { delta, downloadable, epsilon, startVideoGateway, type VideoGateway } from './video-gateway.ts';

const missing = ['ffprobe', 'ffmpeg'].filter((program) => spawnSync(program, ['-version']).status !== 0);

/** Named by `npm test` where the programs are missing. */
function skipWithout(context: TestContext): void {
  if (missing.length > 0) context.skip(`${missing.join(' and ')} not on this machine`);
}

interface Film {
  readonly title: string;
  readonly body: () => Body;
  readonly width: number;
  readonly height: number;
  readonly seconds: number;
  readonly sound: boolean;
}

const VIDEOS: readonly Film[] = [
  {
    title: 'epsilon 480p 16:9',
    body: () => epsilon({ duration: 4 }),
    width: 854,
    height: 480,
    seconds: 4,
    sound: true,
  },
  {
    title: 'epsilon 720p 9:16, silent, with a watermark',
    body: () => epsilon({ resolution: '720p', ratio: '9:16', duration: 5, generate_audio: false, watermark: true }),
    ...{ width: 720, height: 1280, seconds: 5, sound: false },
  },
  {
    title: 'epsilon 1080p 1:1',
    body: () => epsilon({ resolution: '1080p', ratio: '1:1', duration: 6 }),
    ...{ width: 1080, height: 1080, seconds: 6, sound: true },
  },
  {
    title: 'epsilon 4k 21:9, fifteen seconds',
    body: () => epsilon({ resolution: '4k', ratio: '21:9', duration: 15 }),
    ...{ width: 5040, height: 2160, seconds: 15, sound: true },
  },
  {
    title: 'delta 768P 4:3',
    body: () => delta({ resolution: '768P', ratio: '4:3', duration: 4 }),
    ...{ width: 1024, height: 768, seconds: 4, sound: true },
  },
  {
    title: 'delta 2K 3:4, fifteen seconds',
    body: () => delta({ resolution: '2K', ratio: '3:4', duration: 15 }),
    ...{ width: 1440, height: 1920, seconds: 15, sound: true },
  },
  {
    title: 'download-required 640x360',
    body: () => downloadable({ seconds: '3', size: '640x360' }),
    ...{ width: 640, height: 360, seconds: 3, sound: true },
  },
];

interface Probed {
  readonly streams: readonly { codec_type: string; codec_name: string; width?: number; height?: number }[];
  readonly format: { readonly duration: string; readonly format_name: string };
}

describe('an independent decoder', () => {
  let gateway: VideoGateway;
  let folder: string;

  beforeAll(async () => {
    gateway = await startVideoGateway();
    folder = mkdtempSync(join(tmpdir(), 'keyplane-decoded-'));
  });
  afterAll(async () => {
    await gateway.close();
    rmSync(folder, { recursive: true });
  });

  async function filmed(body: unknown): Promise<{ file: string; record: Body }> {
    const record = await gateway.finished(body);
    const bytes =
      record.url === undefined
        ? Buffer.from(String((await gateway.download(String(record.task_id))).json?.base64), 'base64')
        : Buffer.from(await (await fetch(String(record.url))).arrayBuffer());
    const file = join(folder, `${String(record.task_id)}.mp4`);
    writeFileSync(file, bytes);
    return { file, record };
  }

  const run = (program: string, args: readonly string[]) =>
    spawnSync(program, ['-v', 'error', ...args], { maxBuffer: 2 ** 28 });

  const probed = (file: string): Probed => {
    const { stdout } = run('ffprobe', ['-show_streams', '-show_format', '-of', 'json', file]);
    return JSON.parse(stdout.toString()) as Probed;
  };

  it.for(VIDEOS)('plays $title as it was asked for', async ({ body, width, height, seconds, sound }, context) => {
    skipWithout(context);
    const { file } = await filmed(body());
    const { streams, format } = probed(file);
    const [video, audio] = ['video', 'audio'].map((type) => streams.find(({ codec_type }) => codec_type === type));
    expect(video).toMatchObject({ codec_name: 'h264', width, height });
    expect(audio?.codec_name).toBe(sound ? 'aac' : undefined);
    expect(Math.abs(Number(format.duration) - seconds)).toBeLessThan(1 / 24);
    expect(format.format_name).toContain('mp4');
    const decoded = run('ffmpeg', ['-i', file, '-f', 'null', '-']);
    expect([decoded.status, decoded.stderr.toString()]).toEqual([0, '']);
  });

  it('decodes the last frame that the task returns, apart from the watermark', async (context) => {
    skipWithout(context);
    const { file, record } = await filmed(epsilon({ return_last_frame: true, duration: 4 }));
    const decoded = run('ffmpeg', ['-sseof', '-0.2', '-i', file, '-update', '1', '-f', 'image2', '-c:v', 'png', '-']);
    const frame = Buffer.from(await (await fetch(String(record.last_frame_url))).arrayBuffer());
    const pixels = (png: Buffer) => sharp(png).removeAlpha().raw().toBuffer();
    const [seen, given] = await Promise.all([pixels(decoded.stdout), pixels(frame)]);
    expect(seen.length).toBe(given.length);
    const far = seen.filter((value, index) => Math.abs(value - (given[index] ?? 0)) > 8).length;
    expect(far / seen.length).toBeLessThan(0.001);
  });
});
