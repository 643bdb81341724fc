import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { renderForm } from '../../../src/gateway/media/multipart.ts';
import { faultOf } from '../../http/client.ts';
import { respondWith } from '../../http/loopback.ts';
import { all, connected, data, inferenceAt, parts } from '../inference/scripted-inference.ts';
import { bodyOf } from '../system/scripted.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');
const shown = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString();
let png: Uint8Array;
beforeAll(async () => {
  png = await sharp({ create: { width: 8, height: 8, channels: 4, background: '#1234' } })
    .png()
    .toBuffer();
});

describe('generated images', () => {
  test('of family alpha are bytes in the requested format', async () => {
    const { inference } = await connected(
      respondWith(200, { data: [{ b64_json: base64('a') }, { b64_json: base64('b') }] }),
    );
    const ask = { model: 'alpha-image-1', prompt: 'cat', output_format: 'webp' as const, n: 2 };
    const { images } = (await inference.generateImages(ask)).value;
    expect(images.map(({ bytes, mediaType }) => [shown(bytes), mediaType])).toEqual([
      ['a', 'image/webp'],
      ['b', 'image/webp'],
    ]);
  });

  test('of family alpha are PNGs by default', async () => {
    const { inference } = await connected(respondWith(200, { data: [{ b64_json: base64('a') }] }));
    const { images } = (await inference.generateImages({ model: 'alpha-image-2', prompt: 'cat' })).value;
    expect(images[0]?.mediaType).toBe('image/png');
  });

  test('of family beta are links or bytes, with their own media type and storage report', async () => {
    const body = {
      data: [
        { url: 'https://x.example/1', mime_type: 'image/jpeg' },
        { b64_json: base64('b'), mime_type: 'image/jpeg', file_output: { error: { message: 'no room' } } },
      ],
    };
    const { inference } = await connected(respondWith(200, body));
    const { value, raw } = await inference.generateImages({ model: 'beta-imagine-image', prompt: 'cat', n: 2 });
    expect(value.images[0]).toEqual({ kind: 'link', url: 'https://x.example/1', mediaType: 'image/jpeg' });
    expect(value.images[1]).toMatchObject({ mediaType: 'image/jpeg', fileOutput: { error: { message: 'no room' } } });
    expect(raw).toEqual(body);
  });

  test('of family gamma are links to PNGs, in any arrangement of choices', async () => {
    const message = (...images: readonly string[]) => ({ message: { content: images.map((image) => ({ image })) } });
    const { server, inference } = await connected(
      respondWith(200, {
        output: { choices: [message('https://x/1', 'https://x/2'), message('https://x/3')] },
        request_id: 'r',
      }),
    );
    const ask = {
      model: 'gamma-image-2.0',
      input: { messages: [{ role: 'user' as const, content: [{ text: 'cat' }] }] },
    };
    const { images } = (await inference.generateImages(ask)).value;
    expect(images.map(({ url }) => url)).toEqual(['https://x/1', 'https://x/2', 'https://x/3']);
    expect(images[0]?.mediaType).toBe('image/png');
    expect(server.seen[0]?.url).toBe('/v1/images/generations');
  });

  test('of family gamma come as a list through some channels', async () => {
    const body = { created: 1, data: [{ url: 'https://x/1', b64_json: null }], metadata: { output: { choices: [] } } };
    const { inference } = await connected(respondWith(200, body));
    const ask = {
      model: 'gamma-image-2.0',
      input: { messages: [{ role: 'user' as const, content: [{ text: 'cat' }] }] },
    };
    expect((await inference.generateImages(ask)).value.images).toEqual([{ kind: 'link', url: 'https://x/1' }]);
  });

  test('in invalid Base64 are gateway.unexpected-shape', async () => {
    const { inference } = await connected(respondWith(200, { data: [{ b64_json: '***' }] }));
    const asked = inference.generateImages({ model: 'alpha-image-1', prompt: 'cat' });
    expect((await faultOf(asked)).code).toBe('gateway.unexpected-shape');
  });

  test('of an unknown model are request.invalid', async () => {
    const { server, inference } = await connected(respondWith(200));
    const fault = await faultOf(inference.generateImages({ model: 'nobody-image-1', prompt: 'cat' }));
    expect(fault.code).toBe('request.invalid');
    expect(fault.message).toContain('alpha-image');
    expect(server.seen).toHaveLength(0);
  });
});

/** A server that reads a form as any other program does. */
async function formServer(body: string): Promise<{ url: string; form: Promise<FormData>; close: () => void }> {
  let take: (form: FormData) => void = () => undefined;
  const form = new Promise<FormData>((done) => {
    take = done;
  });
  const server = createServer(async (message: IncomingMessage, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of message as AsyncIterable<Buffer>) chunks.push(chunk);
    const headers = { 'content-type': message.headers['content-type'] ?? '' };
    take(await new Response(Buffer.concat(chunks), { headers }).formData());
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, form, close: () => server.close() };
}

describe('an edit', () => {
  test('of family alpha is a form with texts, one file named image, and the mask', async () => {
    const { url, form, close } = await formServer(JSON.stringify({ data: [{ b64_json: base64('new') }] }));
    const ask = { model: 'alpha-image-1', prompt: 'grün\r\n"cat"', image: [{ name: 'a "b".png', bytes: png }], n: 1 };
    const got = await inferenceAt(url).editImages({ ...ask, mask: { bytes: png } });
    const fields = await form;
    close();
    expect(shown(got.value.images[0]?.bytes)).toBe('new');
    expect([...fields.keys()].sort()).toEqual(['image', 'mask', 'model', 'n', 'prompt']);
    expect(fields.get('n')).toBe('1');
    expect(fields.get('prompt')).toBe('grün\r\n"cat"');
    const file = fields.get('image') as File;
    expect([file.name, file.type]).toEqual(['a "b".png', 'image/png']);
    expect(Buffer.from(await file.arrayBuffer()).equals(png)).toBe(true);
    expect((fields.get('mask') as File).name).toBe('mask.png');
  });

  test('of family alpha names several files image[]', async () => {
    const { url, form, close } = await formServer(JSON.stringify({ data: [{ b64_json: base64('new') }] }));
    await inferenceAt(url).editImages({
      model: 'alpha-image-1',
      prompt: 'cat',
      image: [{ bytes: png }, { bytes: png }],
    });
    expect((await form).getAll('image[]')).toHaveLength(2);
    close();
  });

  test('of family alpha with a file that is not an image is request.invalid, and is not sent', async () => {
    const { server, inference } = await connected(respondWith(200));
    const image = [{ bytes: new TextEncoder().encode('no picture') }];
    const fault = await faultOf(inference.editImages({ model: 'alpha-image-1', prompt: 'cat', image }));
    expect(fault.code).toBe('request.invalid');
    expect(fault.message).toContain('image[0]');
    expect(server.seen).toHaveLength(0);
  });

  test('of family alpha can be streamed', async () => {
    const completed = { type: 'image_edit.completed', b64_json: base64('new') };
    const { server, inference } = await connected(parts([data(completed)]));
    const stream = await inference.streamEdits({ model: 'alpha-image-1', prompt: 'cat', image: [{ bytes: png }] });
    expect((await all(stream.events)).map(({ kind }) => kind)).toEqual(['completed']);
    expect(server.seen[0]?.body).toContain('name="stream"\r\n\r\ntrue');
  });

  test('of family beta is JSON', async () => {
    const { server, inference } = await connected(respondWith(200, { data: [{ url: 'https://x/1' }] }));
    const image = { url: `data:image/png;base64,${Buffer.from(png).toString('base64')}` };
    await inference.editImages({ model: 'beta-imagine-image-2.0', prompt: 'cat', image });
    expect(server.seen[0]?.headers['content-type']).toBe('application/json');
    expect(bodyOf(server.seen[0])).toEqual({ model: 'beta-imagine-image-2.0', prompt: 'cat', image });
  });

  test('has a form that depends only on the request, with a boundary that occurs in no part', () => {
    const ask = { model: 'm', prompt: 'cat', image: [{ bytes: png }] };
    const [one, other] = [renderForm(ask), renderForm(ask)];
    const boundary = one.contentType.split('boundary=')[1] ?? '';
    expect(one).toEqual(other);
    expect(renderForm({ ...ask, prompt: `--${boundary}` }).contentType).not.toBe(one.contentType);
    expect(Buffer.from(one.body).toString('latin1').split(`--${boundary}`)).toHaveLength(5);
  });
});
