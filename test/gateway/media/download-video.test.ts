import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DamagedVideo, type ExtractedVideo, extractVideo } from '../../../src/gateway/media/extract-video.ts';
import { faultOf } from '../../http/client.ts';
import { type Handler, respondWith, serve, unusedPort } from '../../http/loopback.ts';
import { connected, inferenceAt, KEY, parts } from '../inference/scripted-inference.ts';

const VIDEO = Buffer.from(Array.from({ length: 1000 }, (_, index) => (index * 7) % 256));
const BASE64 = VIDEO.toString('base64');
const META = { success: true, generation_id: 't1', task_id: 't1', format: 'mp4', size: VIDEO.length };
const DATA_URL = `data:video/mp4;base64,${BASE64}`;
const WHOLE = { ...META, base64: BASE64, data_url: DATA_URL };

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keyplane-download-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const file = () => join(folder, 'video.mp4');

async function download(handler: Handler) {
  const { server, inference } = await connected(handler);
  return { server, saved: inference.downloadVideo('t 1', file()) };
}

describe('a download', () => {
  test('is the decoded video with its metadata', async () => {
    const { server, saved } = await download(respondWith(200, WHOLE));
    const got = await saved;
    expect(got.value).toEqual({ file: file(), bytes: 1000, format: 'mp4' });
    expect(got.raw).toEqual({ ...META, base64: '', data_url: '' });
    expect(readFileSync(file()).equals(VIDEO)).toBe(true);
    expect(readdirSync(folder)).toEqual(['video.mp4']);
    expect(server.seen[0]?.url).toBe('/v1/video/generations/download?id=t+1');
  });

  test('replaces an existing file', async () => {
    writeFileSync(file(), 'old');
    await (await download(respondWith(200, WHOLE))).saved;
    expect(readFileSync(file()).equals(VIDEO)).toBe(true);
  });

  test.each([
    ['the data URL first', { data_url: DATA_URL, base64: BASE64, ...META }],
    ['only the data URL', { ...META, data_url: DATA_URL }],
    ['only the Base64', { base64: BASE64, ...META }],
    ['an empty Base64', { ...META, base64: '', data_url: DATA_URL }],
    ['no Base64', { ...META, base64: null, data_url: DATA_URL }],
    ['lines of Base64', { ...META, base64: BASE64.replace(/.{76}/g, '$&\r\n') }],
    ['no padding', { ...META, base64: BASE64.replace(/=+$/, '') }],
    ['no size', { ...WHOLE, size: undefined }],
    ['everything in data', { code: 'success', data: WHOLE }],
    ['values that are named like members', { note: 'base64', list: ['base64', 'data_url'], ...WHOLE }],
  ])('is the same with %s', async (_title, body) => {
    await (await download(respondWith(200, body))).saved;
    expect(readFileSync(file()).equals(VIDEO)).toBe(true);
  });

  test('is the same with every slash escaped', async () => {
    const text = JSON.stringify(WHOLE).replaceAll('/', '\\/').replaceAll('+', '\\u002b');
    await (await download(respondWith(200, text, { 'content-type': 'application/json' }))).saved;
    expect(readFileSync(file()).equals(VIDEO)).toBe(true);
  });

  test.each([
    ['fewer bytes than announced', { ...WHOLE, size: 1001 }],
    ['more bytes than announced', { ...WHOLE, size: 999 }],
    ['invalid Base64', { ...META, base64: `*${BASE64.slice(1)}` }],
    ['padding in its middle', { ...META, base64: `AA==${BASE64}` }],
    ['an extra letter', { ...META, base64: `${BASE64.replace(/=+$/, '')}A==` }],
    ['an invalid data URL', { ...META, data_url: BASE64 }],
    ['two different copies', { ...WHOLE, data_url: `data:video/mp4;base64,B${BASE64.slice(1)}` }],
    ['no video', { ...META, base64: '' }],
  ])('with %s is media.damaged, and saves no file', async (_title, body) => {
    const { saved } = await download(respondWith(200, body));
    expect((await faultOf(saved)).code).toBe('media.damaged');
    expect(readdirSync(folder)).toEqual([]);
  });

  test('that is damaged keeps the existing file', async () => {
    writeFileSync(file(), 'old');
    await faultOf((await download(respondWith(200, { ...WHOLE, size: 1 }))).saved);
    expect(readFileSync(file(), 'utf8')).toBe('old');
    expect(readdirSync(folder)).toEqual(['video.mp4']);
  });

  test('that is truncated is a fault, and saves no file', async () => {
    const text = JSON.stringify(WHOLE);
    const clean = await download(parts([text.slice(0, 700)], 'application/json'));
    expect((await faultOf(clean.saved)).code).toBe('media.damaged');
    const cutOff = await download((_request, response) => {
      response.writeHead(200, { 'content-length': '5000' });
      response.write(text.slice(0, 700), () => response.socket?.destroy());
    });
    expect((await faultOf(cutOff.saved)).code).toBe('gateway.connection-lost');
    expect(readdirSync(folder)).toEqual([]);
  });

  test.each([
    [
      'by its status',
      respondWith(400, { error: { message: 'not yet', code: 'task_not_finished' } }),
      'request.refused',
    ],
    ['within a 200', respondWith(200, { success: false, message: 'not yet' }), 'gateway.refused'],
    ['by a page', respondWith(200, '<!doctype html>', { 'content-type': 'text/html' }), 'gateway.not-json'],
  ])('that is rejected %s throws that fault, and saves no file', async (_title, handler, code) => {
    const { saved } = await download(handler);
    expect((await faultOf(saved)).code).toBe(code);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('to an invalid path is file.unwritable', async () => {
    const { inference } = await connected(respondWith(200, WHOLE));
    const nowhere = await faultOf(inference.downloadVideo('t1', join(folder, 'no', 'video.mp4')));
    expect(nowhere.code).toBe('file.unwritable');
    expect(nowhere.message).toContain('no such file or folder');
    expect((await faultOf(inference.downloadVideo('t1', folder))).code).toBe('file.unwritable');
    expect(readdirSync(folder)).toEqual([]);
  });

  test('that is cancelled saves no file', async () => {
    const stop = new AbortController();
    const { inference } = await connected((_request, response) => {
      response.writeHead(200).write(JSON.stringify(WHOLE).slice(0, 500), () => stop.abort());
    });
    const fault = await faultOf(inference.downloadVideo('t1', file(), { signal: stop.signal }));
    expect(fault.code).toBe('gateway.interrupted');
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('the extracted bytes of a video', () => {
  async function* cutInto(bytes: Uint8Array, places: readonly number[]) {
    const ends = [...new Set([...places.map((at) => at % bytes.length), bytes.length])].sort((a, b) => a - b);
    let begin = 0;
    for (const end of ends) {
      yield bytes.subarray(begin, end);
      begin = end;
    }
  }

  const read = async (text: string, places: readonly number[]) => {
    const found: ExtractedVideo = { rest: '', bytes: 0 };
    const chunks: Uint8Array[] = [];
    for await (const chunk of extractVideo(cutInto(Buffer.from(text), places), found)) chunks.push(chunk);
    return { bytes: Buffer.concat(chunks), found };
  };

  test('are the same however the response is split and its members are ordered', async () => {
    const member = fc.constantFrom('base64', 'data_url', 'size', 'note', 'task_id', 'nested');
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ minLength: 1, maxLength: 60 }),
        fc.shuffledSubarray(['base64', 'data_url', 'size', 'note', 'nested'], { minLength: 5 }),
        fc.string({ unit: 'grapheme' }),
        fc.array(fc.nat(600), { maxLength: 20 }),
        member,
        async (video, order, note, places, value) => {
          const base64 = Buffer.from(video).toString('base64');
          const values: Record<string, unknown> = {
            base64,
            data_url: `data:video/mp4;base64,${base64}`,
            size: video.length,
            note,
            nested: { list: [value, { [note]: value }] },
          };
          const body = Object.fromEntries(order.map((name) => [name, values[name]]));
          const { bytes, found } = await read(JSON.stringify(body, null, 1), places);
          expect(bytes.equals(Buffer.from(video))).toBe(true);
          expect(found.bytes).toBe(video.length);
          expect(JSON.parse(found.rest)).toEqual({ ...body, base64: '', data_url: '' });
        },
      ),
      { numRuns: 300 },
    );
  });

  test('are not kept in memory: only the two copies may be long', async () => {
    await expect(read(JSON.stringify({ other: 'x'.repeat(2_000_000) }), [500_000, 1_500_000])).rejects.toThrow(
      DamagedVideo,
    );
  });

  test('of a long video are yielded while it is read', async () => {
    const part = Buffer.alloc(3 * 1024 * 1024, 7);
    async function* endless() {
      yield Buffer.from('{"base64":"');
      for (let n = 0; n < 100; n++) yield Buffer.from(part.toString('base64'));
      yield Buffer.from('"}');
    }
    const found: ExtractedVideo = { rest: '', bytes: 0 };
    const hash = createHash('sha256');
    let most = 0;
    for await (const chunk of extractVideo(endless(), found)) {
      hash.update(chunk);
      most = Math.max(most, chunk.length);
    }
    expect(found.bytes).toBe(100 * part.length);
    expect(most).toBeLessThanOrEqual(part.length);
  });
});

describe('a link', () => {
  test('to the gateway’s own origin is requested with the key', async () => {
    const { server, inference } = await connected(respondWith(200, 'film'));
    const got = await inference.saveUrl(`${server.url}/files/1?sign=2`, file());
    expect(got.value).toEqual({ file: file(), bytes: 4 });
    expect(readFileSync(file(), 'utf8')).toBe('film');
    expect(server.seen[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
  });

  test('to the content of a video is requested from the configured gateway, whatever address that one thinks it has', async () => {
    const { server, inference } = await connected(respondWith(200, 'film'));
    await inference.saveUrl('http://localhost:3000/v1/videos/task_1/content', file());
    expect(server.seen).toMatchObject([
      { url: '/v1/videos/task_1/content', headers: { authorization: `Bearer ${KEY}` } },
    ]);
  });

  test('to another origin is requested without the key', async () => {
    const home = await serve(respondWith(200));
    const away = await serve(respondWith(200, 'film'));
    await inferenceAt(home.url).saveUrl(`${away.url}/files/1`, file());
    expect(readFileSync(file(), 'utf8')).toBe('film');
    expect(JSON.stringify(away.seen[0]?.headers)).not.toContain('canary');
    expect(home.seen).toHaveLength(0);
  });

  test('that redirects to another origin does not send the key there', async () => {
    const away = await serve(respondWith(200, 'film'));
    const { server, inference } = await connected(respondWith(302, '', { location: `${away.url}/f` }));
    await inference.saveUrl(`${server.url}/files/1`, file());
    expect(readFileSync(file(), 'utf8')).toBe('film');
    expect(JSON.stringify(away.seen[0]?.headers)).not.toContain('canary');
  });

  test('that contains the file itself is saved', async () => {
    const { inference } = await connected(respondWith(200));
    expect((await inference.saveUrl('data:image/png;base64,ZmlsbQ==', file())).value.bytes).toBe(4);
    expect(readFileSync(file(), 'utf8')).toBe('film');
  });

  test.each(['file:///etc/passwd', 'ftp://x/y', 'data:image/png;base64,@', 'no link', ''])(
    '%j is media.damaged',
    async (url) => {
      const { inference } = await connected(respondWith(200));
      expect((await faultOf(inference.saveUrl(url, file()))).code).toBe('media.damaged');
    },
  );

  test.each([
    ['has expired', respondWith(403), 'gateway.refused'],
    ['leads to a page', respondWith(200, '<html></html>', { 'content-type': 'text/html' }), 'media.damaged'],
    ['leads to nothing', respondWith(200), 'media.damaged'],
  ])('that %s throws a fault without its signature, and saves no file', async (_title, handler, code) => {
    const { server, inference } = await connected(handler);
    const fault = await faultOf(inference.saveUrl(`${server.url}/files/1?sign=canary`, file()));
    expect(fault.code).toBe(code);
    expect(JSON.stringify([fault.message, fault.detail])).not.toContain('canary');
    expect(readdirSync(folder)).toEqual([]);
  });

  test('to an unreachable host is gateway.unreachable', async () => {
    const port = await unusedPort();
    const { inference } = await connected(respondWith(200));
    expect((await faultOf(inference.saveUrl(`http://127.0.0.1:${port}/f`, file()))).code).toBe('gateway.unreachable');
  });
});
