import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readMediaFacts } from '../../../../src/media/index.ts';
import type { Body } from '../../harness.ts';
import { delta, downloadable, epsilon, startVideoGateway, type VideoGateway } from './video-gateway.ts';

let gateway: VideoGateway;
beforeEach(async () => {
  gateway = await startVideoGateway();
});
afterEach(() => gateway.close());

const bytesAt = async (url: unknown): Promise<Uint8Array> =>
  new Uint8Array(await (await fetch(String(url))).arrayBuffer());

/** The facts about the video of a request. */
async function filmed(body: unknown) {
  const record = await gateway.finished(body);
  if (record.url !== undefined) return readMediaFacts(await bytesAt(record.url));
  const { json } = await gateway.download(String(record.task_id));
  return readMediaFacts(Buffer.from(String(json?.base64), 'base64'));
}

async function pictureUri(width: number, height: number): Promise<string> {
  const create = { width, height, channels: 3, background: { r: 220, g: 20, b: 20 } } as const;
  return `data:image/png;base64,${(await sharp({ create }).png().toBuffer()).toString('base64')}`;
}

const framed = async (role: string | undefined, width: number, height: number): Promise<Body> => ({
  type: 'image_url',
  image_url: { url: await pictureUri(width, height) },
  ...(role === undefined ? {} : { role }),
});

const TEXT = { type: 'text', text: 'a lighthouse in a storm' };

describe('the video of a task', () => {
  it('has the frame size of its resolution and ratio', async () => {
    const sizes: readonly (readonly [Body, number, number])[] = [
      [epsilon(), 854, 480],
      [epsilon({ resolution: '720p', ratio: '9:16' }), 720, 1280],
      [epsilon({ resolution: '480p', ratio: '1:1' }), 480, 480],
      [epsilon({ resolution: '480p', ratio: '21:9' }), 1120, 480],
      [epsilon({ resolution: '480p', ratio: '4:3' }), 640, 480],
      [epsilon({ resolution: '1080p' }), 1920, 1080],
      [epsilon({ resolution: '4k' }), 3840, 2160],
      [delta(), 1366, 768],
      [delta({ resolution: '2K', ratio: '3:4' }), 1440, 1920],
      [downloadable({ size: '640x360' }), 640, 360],
    ];
    for (const [body, width, height] of sizes) expect(await filmed(body)).toMatchObject({ width, height });
  });

  it('has the size of 720p and 16:9 by default', async () => {
    const plain = epsilon({ resolution: undefined, ratio: undefined });
    expect(await filmed(plain)).toMatchObject({ width: 1280, height: 720 });
  });

  it('follows the first available image when its ratio is adaptive', async () => {
    const content = [TEXT, await framed('reference_image', 300, 600)];
    expect(await filmed(epsilon({ content, ratio: 'adaptive' }, { asset: true }))).toMatchObject({
      width: 480,
      height: 960,
    });
    const url = { type: 'image_url', image_url: { url: 'https://example.com/picture.png' }, role: 'reference_image' };
    const far = epsilon({ content: [TEXT, url], ratio: 'adaptive' }, { asset: true });
    expect(await filmed(far)).toMatchObject({ width: 854, height: 480 });
  });

  it('always follows a frame in family delta, whatever the ratio', async () => {
    for (const role of [undefined, 'first_frame', 'last_frame']) {
      const content = [TEXT, await framed(role, 512, 512)];
      expect(await filmed(delta({ content, ratio: '16:9' })), String(role)).toMatchObject({ width: 768, height: 768 });
    }
    const content = [TEXT, await framed('reference_image', 512, 512)];
    expect(await filmed(delta({ content, ratio: '16:9' }))).toMatchObject({ width: 1366, height: 768 });
  });

  it('has the requested duration, or five seconds if the model decides', async () => {
    expect((await filmed(epsilon({ duration: 7 })))?.seconds).toBeCloseTo(7, 1);
    expect((await filmed(epsilon({ duration: -1 })))?.seconds).toBeCloseTo(5, 1);
    expect((await filmed(epsilon({ duration: undefined })))?.seconds).toBeCloseTo(5, 1);
    expect((await filmed(downloadable({ seconds: '6' })))?.seconds).toBeCloseTo(6, 1);
  });

  it('has a sound track unless `generate_audio` is false', async () => {
    expect(await filmed(epsilon())).toMatchObject({ audioCodec: 'aac', videoCodec: 'h264' });
    expect(await filmed(epsilon({ generate_audio: true }))).toMatchObject({ audioCodec: 'aac' });
    expect(await filmed(epsilon({ generate_audio: false }))).toMatchObject({ audioCodec: null });
  });

  it('reads the fields of families that the contract does not detail', async () => {
    const prompt = 'a lighthouse';
    const flat = { model: 'film-flat-video', prompt, metadata: { durationSeconds: 6, aspectRatio: '1:1' } };
    expect(await filmed(flat)).toMatchObject({ width: 720, height: 720, seconds: expect.closeTo(6, 1) });
    const input = { prompt };
    const nested = { model: 'film-nested-video', metadata: { input, parameters: { size: '640*360', duration: 3 } } };
    expect(await filmed(nested)).toMatchObject({ width: 640, height: 360, seconds: expect.closeTo(3, 1) });
    expect(await filmed({ model: 'film-dedicated-video', style: 'noir' })).toMatchObject({
      width: 1280,
      height: 720,
      seconds: expect.closeTo(5, 1),
    });
  });

  it('stays within the limits of the encoder, whatever was requested', async () => {
    expect(await filmed(downloadable({ size: '1x1', seconds: '1' }))).toMatchObject({ width: 16, height: 16 });
  });

  it('begins with its first frame', async (context) => {
    if (spawnSync('ffmpeg', ['-version']).status !== 0) return context.skip('ffmpeg is not on this machine');
    const content = [TEXT, await framed('first_frame', 512, 512)];
    const { url } = await gateway.finished(delta({ content, ratio: 'adaptive' }));
    const folder = mkdtempSync(join(tmpdir(), 'keyplane-film-'));
    writeFileSync(join(folder, 'film.mp4'), await bytesAt(url));
    const options = [
      '-v',
      'error',
      '-i',
      join(folder, 'film.mp4'),
      '-frames:v',
      '1',
      '-f',
      'image2',
      '-c:v',
      'png',
      '-',
    ];
    const png = execFileSync('ffmpeg', options, { maxBuffer: 2 ** 26 });
    rmSync(folder, { recursive: true });
    const { channels } = await sharp(png).stats();
    expect(channels.slice(0, 3).map(({ mean }) => mean > 128)).toEqual([true, false, false]);
  });

  it('has a last frame of its own pixel size', async () => {
    const record = await gateway.finished(epsilon({ return_last_frame: true, watermark: true }));
    const [film, frame] = [await readMediaFacts(await bytesAt(record.url)), await bytesAt(record.last_frame_url)];
    expect(await readMediaFacts(frame)).toMatchObject({ format: 'png', width: film?.width, height: film?.height });
  });

  it('is the same whenever it is fetched, cached or made again', async () => {
    const { url } = await gateway.finished(epsilon());
    const [first, second] = await Promise.all([bytesAt(url), bytesAt(url)]);
    expect(Buffer.compare(first, second)).toBe(0);
    // More than are kept.
    for (let turn = 0; turn < 33; turn += 1) {
      await bytesAt(
        (
          await gateway.finished(
            epsilon({ generate_audio: false }, { prompt: `a lighthouse in a storm, film ${turn}` }),
          )
        ).url,
      );
    }
    const again = await bytesAt(url);
    expect(Buffer.compare(again, first)).toBe(0);
  });
});

describe('a hosted file', () => {
  let url: string;
  let whole: Uint8Array;
  beforeEach(async () => {
    url = String((await gateway.finished(epsilon())).url);
    whole = await bytesAt(url);
  });

  const part = (range: string, more: Record<string, string> = {}) => fetch(url, { headers: { range, ...more } });

  it('has its type and length in GET and HEAD', async () => {
    for (const method of ['GET', 'HEAD']) {
      const answer = await fetch(url, { method });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('video/mp4');
      expect(answer.headers.get('content-length')).toBe(String(whole.length));
      expect(answer.headers.get('accept-ranges')).toBe('bytes');
      expect((await answer.arrayBuffer()).byteLength).toBe(method === 'GET' ? whole.length : 0);
    }
  });

  it('is sent in the requested range', async () => {
    const { length } = whole;
    const ranges: readonly (readonly [string, number, number])[] = [
      ['bytes=0-0', 0, 1],
      ['bytes=10-19', 10, 20],
      ['bytes=100-', 100, length],
      ['bytes=-10', length - 10, length],
      [`bytes=-${length + 5}`, 0, length],
      [`bytes=10-${length + 100}`, 10, length],
    ];
    for (const [range, from, to] of ranges) {
      const answer = await part(range);
      expect([answer.status, answer.headers.get('content-range')]).toEqual([206, `bytes ${from}-${to - 1}/${length}`]);
      const bytes = new Uint8Array(await answer.arrayBuffer());
      expect(Buffer.compare(bytes, whole.subarray(from, to)), range).toBe(0);
    }
  });

  it('has no bytes beyond its end', async () => {
    for (const range of [`bytes=${whole.length}-`, 'bytes=-0']) {
      const answer = await part(range);
      expect([answer.status, answer.headers.get('content-range')]).toEqual([416, `bytes */${whole.length}`]);
    }
  });

  it('is sent whole for invalid, multiple and conditional ranges', async () => {
    for (const range of ['bytes=9-5', 'bytes=-', 'lines=1-2', 'bytes=0-1,4-5']) {
      expect((await part(range)).status, range).toBe(200);
    }
    expect((await part('bytes=0-1', { 'if-range': '"some-version"' })).status).toBe(200);
  });

  it('expires after 24 hours of the gateway’s clock', async () => {
    // It succeeded 5 seconds after the start.
    await gateway.at(5 + 24 * 3600 - 1);
    expect((await fetch(url)).status).toBe(200);
    await gateway.at(5 + 24 * 3600);
    const answer = await fetch(url);
    expect([answer.status, await answer.json()]).toEqual([
      404,
      { error: expect.objectContaining({ code: 'file_not_found' }) },
    ]);
  });

  it('does not exist under any other name', async () => {
    for (const name of ['nothing.mp4', 'nothing', '..%2Fledger.db', '%00.mp4', 'a.b.c']) {
      expect((await fetch(`${gateway.url}/files/${name}`)).status, name).toBe(404);
    }
    expect((await fetch(url.replace(/mp4$/, 'gif'))).status).toBe(404);
  });

  it('does not exist before its task has succeeded', async () => {
    const id = await gateway.submitted(epsilon());
    expect((await fetch(`${gateway.url}/files/${id}.mp4`)).status).toBe(404);
  });
});
