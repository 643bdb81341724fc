import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readMediaFacts } from '../../../src/media/index.ts';
import { type Body, SEED, send, startTestGateway, type TestAnswer, type TestGateway } from '../harness.ts';

const priced = (ids: readonly string[]) => Object.fromEntries(ids.map((id) => [id, { price: 0.01 }]));

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({
    seed: {
      ...SEED,
      accounts: [{ userId: 42, accessToken: 'token-of-anna', quota: 1_000_000_000 }],
      models: {
        ...priced(['alpha-image-2', 'alpha-image-1', 'beta-imagine-image-2.0', 'beta-imagine-image']),
        ...priced(['gamma-image-2.0', 'gamma-image-max', 'gamma-image-edit-plus', 'gamma-image-edit']),
        ...priced(['eta-2.5-flash-image', 'eta-3-pro-image', 'eta-3.1-flash-image']),
      },
      keys: [{ id: 1, name: 'plain', key: 'plain', unlimited_quota: true }],
    },
  });
});
afterAll(() => gateway.close());

const headers = { authorization: 'Bearer sk-plain' };
const post = (path: string, body: unknown): Promise<TestAnswer> => send(gateway.url + path, 'POST', body, headers);
const generate = (body: Body): Promise<TestAnswer> => post('/v1/images/generations', body);

const fromBase64 = (text: unknown): Uint8Array => new Uint8Array(Buffer.from(String(text), 'base64'));
const fetched = async (url: unknown): Promise<Uint8Array> =>
  new Uint8Array(await (await fetch(String(url))).arrayBuffer());
const dataOf = ({ json }: TestAnswer): readonly Body[] => (json?.data ?? []) as Body[];
const factsOf = async (bytes: Uint8Array) => {
  const facts = await readMediaFacts(bytes);
  return [facts?.format, facts?.width, facts?.height];
};

interface Decoded {
  readonly channels: number;
  readonly pixels: Buffer;
  readonly colours: number;
}

async function decoded(bytes: Uint8Array): Promise<Decoded> {
  const { data: pixels, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  const colours = new Set<number>();
  for (let at = 0; at < pixels.length; at += info.channels) colours.add(pixels.readUIntBE(at, 3));
  return { channels: info.channels, pixels, colours: colours.size };
}

describe('images of family alpha', () => {
  const alpha = (more: Body): Promise<TestAnswer> => generate({ model: 'alpha-image-2', prompt: 'a red fox', ...more });

  it.each(['png', 'jpeg', 'webp'])(
    'are encoded as %s, in the asked size and count, and show something',
    async (format) => {
      const pictures = dataOf(await alpha({ size: '1280x640', n: 2, output_format: format })).map(({ b64_json }) =>
        fromBase64(b64_json),
      );
      expect(pictures).toHaveLength(2);
      for (const bytes of pictures) {
        expect(await factsOf(bytes)).toEqual([format, 1280, 640]);
        expect((await decoded(bytes)).colours).toBeGreaterThan(10);
      }
      expect(Buffer.compare(pictures[0] as Uint8Array, pictures[1] as Uint8Array)).not.toBe(0);
    },
  );

  it('are 1024 by 1024 PNGs by default', async () => {
    for (const size of [undefined, 'auto']) {
      const [first] = dataOf(await alpha(size === undefined ? {} : { size }));
      expect(await factsOf(fromBase64(first?.b64_json))).toEqual(['png', 1024, 1024]);
    }
  });

  it('have a transparent background only on request', async () => {
    for (const format of ['png', 'webp']) {
      const [clear] = dataOf(await alpha({ size: '1024x640', background: 'transparent', output_format: format }));
      const { channels, pixels } = await decoded(fromBase64(clear?.b64_json));
      expect([channels, pixels[3], pixels[pixels.length - 1]]).toEqual([4, 0, 0]);
      const [solid] = dataOf(await alpha({ size: '1024x640', background: 'opaque', output_format: format }));
      expect((await sharp(fromBase64(solid?.b64_json)).stats()).isOpaque).toBe(true);
    }
  });

  it('get smaller with more compression', async () => {
    const sizes = await Promise.all(
      [100, 60, 10].map(async (output_compression) => {
        const [first] = dataOf(await alpha({ size: '1024x640', output_format: 'jpeg', output_compression }));
        return fromBase64(first?.b64_json).length;
      }),
    );
    expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
    expect(new Set(sizes).size).toBe(3);
  });

  it.each([0, 1, 3])('are preceded by %i partial ones in a stream', async (partial_images) => {
    const { text } = await alpha({ size: '1024x640', stream: true, partial_images });
    const events = text
      .split('\n\n')
      .filter((event) => event !== '')
      .map((event) => JSON.parse(/data: (.*)/.exec(event)?.[1] ?? '') as Body);
    const partial = Array.from({ length: partial_images }, () => 'image_generation.partial_image');
    expect(events.map(({ type }) => type)).toEqual([...partial, 'image_generation.completed']);
    for (const { b64_json } of events) expect(await factsOf(fromBase64(b64_json))).toEqual(['png', 1024, 640]);
    const [plain] = dataOf(await alpha({ size: '1024x640' }));
    expect(events.at(-1)?.b64_json).toBe(plain?.b64_json);
  });

  it.each(['1000x1000', '512x512', '3856x1024', '3840x1024', '4000x4000', '1024*1024'])(
    'of the size %s are refused in the shape of an error',
    async (size) => {
      const { status, json } = await alpha({ size });
      expect([status, json]).toEqual([
        400,
        {
          error: { message: expect.stringMatching(/^size: /), type: 'invalid_request_error', code: 'invalid_request' },
        },
      ]);
    },
  );
});

/** A whole PNG with overwritten pixels. */
async function brokenPicture(): Promise<Buffer> {
  const create = { width: 640, height: 480, channels: 3, background: '#884422' } as const;
  const picture = await sharp({ create }).png().toBuffer();
  const pixels = picture.indexOf('IDAT') + 4;
  return picture.fill(255, pixels, pixels + 20);
}

const BMP_2X2 = Buffer.from(
  '424d4600000000000000360000002800000002000000020000000100180000000000100000000000000000000000000000000000' +
    '00000000ff00ff00000000ff0000ffffff0000',
  'hex',
);

interface EditForm {
  readonly image: Buffer;
  readonly mask?: Buffer;
  readonly fields?: Readonly<Record<string, string>>;
}

function editForm({ image, mask, fields = {} }: EditForm): Promise<Response> {
  const form = new FormData();
  for (const [name, value] of Object.entries({ model: 'alpha-image-2', prompt: 'bluer', ...fields }))
    form.append(name, value);
  form.append('image', new Blob([new Uint8Array(image)]), 'a.png');
  if (mask) form.append('mask', new Blob([new Uint8Array(mask)]), 'mask.png');
  return fetch(`${gateway.url}/v1/images/edits`, { method: 'POST', headers, body: form });
}

describe('a picture that cannot be decoded', () => {
  const asUri = (picture: Buffer): string => `data:image/png;base64,${picture.toString('base64')}`;
  const native = (picture: Buffer) => {
    const inlineData = { mimeType: 'image/png', data: picture.toString('base64') };
    const body = { contents: [{ parts: [{ text: 'bluer' }, { inlineData }] }] };
    return post('/v1/models/eta-3-pro-image:streamGenerateContent?alt=sse', body);
  };

  it.each<[string, (picture: Buffer) => Promise<{ readonly status: number }>]>([
    ['an edit of family alpha', (image) => editForm({ image })],
    ['a streamed edit of family alpha', (image) => editForm({ image, fields: { stream: 'true' } })],
    [
      'an edit of family beta',
      (picture) =>
        post('/v1/images/edits', { model: 'beta-imagine-image-2.0', prompt: 'x', image: { url: asUri(picture) } }),
    ],
    [
      'an edit of family gamma',
      (picture) =>
        generate({
          model: 'gamma-image-edit-plus',
          input: { messages: [{ role: 'user', content: [{ text: 'x' }, { image: asUri(picture) }] }] },
        }),
    ],
    ['a native stream', native],
  ])('is rejected in %s', async (_request, send) => {
    const before = ((await gateway.control('GET', '/state')).accounts as Body[])[0]?.quota;
    expect((await send(await brokenPicture())).status).toBe(400);
    expect(((await gateway.control('GET', '/state')).accounts as Body[])[0]?.quota).toBe(before);
  });

  it('is rejected as the mask of an edit', async () => {
    const create = { width: 640, height: 480, channels: 3, background: '#884422' } as const;
    const image = await sharp({ create }).png().toBuffer();
    expect((await editForm({ image, mask: await brokenPicture() })).status).toBe(400);
  });

  it('is rejected in a native stream when it is none of the formats', async () => {
    const { status, json } = await native(BMP_2X2);
    const message = expect.stringMatching(/^contents\[0\]\.parts\[1\]\.inlineData\.data: is bmp/);
    expect([status, json]).toMatchObject([400, { error: { message } }]);
  });
});

describe('edits of family alpha', () => {
  const source = (): Promise<Buffer> =>
    sharp({ create: { width: 900, height: 300, channels: 3, background: '#884422' } })
      .png()
      .toBuffer();
  const edited = async (fields: Record<string, string>): Promise<Body> =>
    (await (await editForm({ image: await source(), fields })).json()) as Body;
  const picture = ({ data }: Body): Uint8Array => fromBase64((data as Body[])[0]?.b64_json);

  it.each(['png', 'webp'])('are transparent on request, as %s', async (output_format) => {
    const answer = await edited({ background: 'transparent', output_format, size: '1024x1024' });
    expect(answer.background).toBe('transparent');
    expect((await sharp(picture(answer)).stats()).isOpaque).toBe(false);
    expect((await sharp(picture(await edited({ output_format, size: '1024x1024' }))).stats()).isOpaque).toBe(true);
  });

  it.each([
    ['alpha-image-2', {}],
    ['alpha-image-2', { size: 'auto' }],
    ['alpha-image-1', {}],
  ])('of %s with %j have a size that the model may be asked for', async (model, size) => {
    const answer = await edited({ model, ...size });
    const [, width, height] = await factsOf(picture(answer));
    expect(answer.size).toBe(`${width}x${height}`);
    const again = await generate({ model, prompt: 'a fox', size: answer.size });
    expect(again.status).toBe(200);
    expect(Number(width)).toBeGreaterThan(Number(height));
  });
});

describe('images of family beta', () => {
  const beta = (more: Body): Promise<TestAnswer> =>
    generate({ model: 'beta-imagine-image-2.0', prompt: 'a red fox', ...more });

  it.each([
    ['1:1', '1k', 1],
    ['19.5:9', '1k', 19.5 / 9],
    ['9:20', '2k', 9 / 20],
    ['5:2', '2k', 5 / 2],
  ])('have the requested ratio %s and resolution %s', async (aspect_ratio, resolution, ratio) => {
    const [first] = dataOf(await beta({ aspect_ratio, resolution }));
    expect(first).toMatchObject({ mime_type: 'image/jpeg', url: expect.any(String) });
    const [format, width, height] = await factsOf(await fetched(first?.url));
    expect(format).toBe('jpeg');
    expect(Number(width) / Number(height)).toBeCloseTo(ratio, 1);
    const pixels = Number(width) * Number(height);
    expect(pixels / (resolution === '1k' ? 1024 ** 2 : 2048 ** 2)).toBeCloseTo(1, 1);
  });

  it('have links that work for an hour', async () => {
    const [first] = dataOf(await beta({}));
    await gateway.control('POST', '/clock', { advance: 3599 });
    expect((await fetch(String(first?.url))).status).toBe(200);
    await gateway.control('POST', '/clock', { advance: 2 });
    expect((await fetch(String(first?.url))).status).toBe(404);
  });

  it('come as Base64 on request, in the requested number', async () => {
    const data = dataOf(await beta({ response_format: 'b64_json', n: 3 }));
    expect(data.map(({ url }) => url)).toEqual([undefined, undefined, undefined]);
    expect(await factsOf(fromBase64(data[2]?.b64_json))).toEqual(['jpeg', 1024, 1024]);
  });

  it('are stored on request, and can be edited by their ID', async () => {
    const storage_options = { filename: 'fox.jpg', expires_after: 7200, public_url: { expires_after: 3600 } };
    const [first] = dataOf(await beta({ storage_options, aspect_ratio: '2:1' }));
    const file = first?.file_output as Body;
    expect(file).toMatchObject({ filename: 'fox.jpg', file_id: expect.any(String), expires_at: expect.any(Number) });
    const image = { file_id: file.file_id };
    const edit = { model: 'beta-imagine-image-2.0', prompt: 'bluer', image, response_format: 'b64_json' };
    const [edited] = dataOf(await post('/v1/images/edits', edit));
    const [, width, height] = await factsOf(fromBase64(edited?.b64_json));
    expect(Number(width) / Number(height)).toBeCloseTo(2, 1);
    await gateway.control('POST', '/clock', { advance: 7201 });
    expect((await post('/v1/images/edits', edit)).status).toBe(400);
  });

  it('ignore a size, and reject an unknown ratio', async () => {
    expect((await beta({ size: '1024x1024' })).status).toBe(200);
    expect((await beta({ aspect_ratio: '7:5' })).status).toBe(400);
    expect((await generate({ model: 'beta-imagine-image', prompt: 'x', quality: 'low' })).status).toBe(400);
  });
});

describe('images of family gamma', () => {
  const gamma = (model: string, content: readonly Body[], parameters?: Body): Promise<TestAnswer> =>
    generate({ model, input: { messages: [{ role: 'user', content }] }, ...(parameters ? { parameters } : {}) });
  const urls = ({ json }: TestAnswer): readonly unknown[] =>
    (json as { output: { choices: Body[] } }).output.choices.map(
      ({ message }) => ((message as Body).content as Body[])[0]?.image,
    );
  const betaEdit = (more: Body): Promise<TestAnswer> =>
    post('/v1/images/edits', { model: 'beta-imagine-image-2.0', prompt: 'x', ...more });
  const square = async (width: number, height: number): Promise<string> => {
    const create = { width, height, channels: 3, background: '#884422' } as const;
    return `data:image/png;base64,${(await sharp({ create }).png().toBuffer()).toString('base64')}`;
  };

  it.each([
    ['gamma-image-2.0', undefined, 2048, 2048],
    ['gamma-image-2.0', '512*512', 512, 512],
    ['gamma-image-max', undefined, 1664, 928],
    ['gamma-image-max', '928*1664', 928, 1664],
  ])('of %s with the size %s are PNGs of %i by %i', async (model, size, width, height) => {
    const answer = await gamma(model, [{ text: 'a fox' }], size === undefined ? undefined : { size });
    expect(answer.json?.request_id).toEqual(expect.any(String));
    expect(await factsOf(await fetched(urls(answer)[0]))).toEqual(['png', width, height]);
  });

  it('come in the requested number, with links that work for a day', async () => {
    const links = urls(await gamma('gamma-image-2.0', [{ text: 'a fox' }], { n: 3, size: '512*512' }));
    expect(links).toHaveLength(3);
    await gateway.control('POST', '/clock', { advance: 24 * 3600 - 1 });
    expect((await fetch(String(links[0]))).status).toBe(200);
    await gateway.control('POST', '/clock', { advance: 2 });
    expect((await fetch(String(links[0]))).status).toBe(404);
  });

  it('differ without a seed, and are the same with one', async () => {
    const drawn = async (parameters: Body): Promise<string> => {
      const [link] = urls(await gamma('gamma-image-2.0', [{ text: 'a fox' }], { size: '512*512', ...parameters }));
      return Buffer.from(await fetched(link)).toString('base64');
    };
    expect(await drawn({})).not.toBe(await drawn({}));
    expect(await drawn({ seed: 7 })).toBe(await drawn({ seed: 7 }));
  });

  it.each([
    ['input.messages[0].content[1].image', (url: string) => gamma('gamma-image-edit', [{ text: 'x' }, { image: url }])],
    ['image.url', (url: string) => betaEdit({ image: { url } })],
    ['images[1].url', async (url: string) => betaEdit({ images: [{ url: await square(64, 64) }, { url }] })],
    ['image.file_id', () => betaEdit({ image: { file_id: 'unknown' } })],
  ])('and of family beta name %s when they cannot read it', async (path, send) => {
    const { status, json } = await send(`data:image/png;base64,${(await brokenPicture()).toString('base64')}`);
    expect([status, json]).toMatchObject([400, { error: { message: expect.stringContaining(`${path}: is not `) } }]);
  });

  it('follow the last source when an edit specifies no size', async () => {
    const content = [{ text: 'both' }, { image: await square(900, 900) }, { image: await square(800, 400) }];
    for (const model of ['gamma-image-edit-plus', 'gamma-image-edit', 'gamma-image-2.0']) {
      const [, width, height] = await factsOf(await fetched(urls(await gamma(model, content))[0]));
      expect(Number(width) / Number(height)).toBeCloseTo(2, 1);
      expect((Number(width) * Number(height)) / 1024 ** 2).toBeCloseTo(1, 1);
    }
  });

  it('edit a bitmap as they edit the same picture in another format', async () => {
    const bitmap = `data:image/bmp;base64,${BMP_2X2.toString('base64')}`;
    // Green and yellow above red and green.
    const pixels = Buffer.from('00ff00ffff00ff000000ff00', 'hex');
    const png = await sharp(pixels, { raw: { width: 2, height: 2, channels: 3 } })
      .png()
      .toBuffer();
    const edited = async (image: string): Promise<string> => {
      const answer = await gamma('gamma-image-edit-plus', [{ text: 'bluer' }, { image }], { size: '512*512', seed: 7 });
      expect(answer.status).toBe(200);
      return createHash('sha256')
        .update(await fetched(urls(answer)[0]))
        .digest('hex');
    };
    expect(await edited(bitmap)).toBe(await edited(`data:image/png;base64,${png.toString('base64')}`));
  });

  it('reject invalid sizes and models without this ability', async () => {
    const source = { image: await square(800, 400) };
    for (const [model, content, parameters] of [
      ['gamma-image-2.0', [{ text: 'a' }], { size: '511*512' }],
      ['gamma-image-max', [{ text: 'a' }], { size: '1024*1024' }],
      ['gamma-image-edit', [{ text: 'a' }, source], { size: '1024*1024' }],
      ['gamma-image-max', [{ text: 'a' }, source], {}],
      ['gamma-image-edit-plus', [{ text: 'a' }], {}],
    ] as const) {
      expect((await gamma(model, content, parameters)).status, `${model} ${JSON.stringify(parameters)}`).toBe(400);
    }
  });
});

describe('native streams of images', () => {
  const native = async (model: string, imageConfig: Body) => {
    const body = {
      contents: [{ role: 'user', parts: [{ text: 'a fox' }] }],
      generationConfig: { responseModalities: ['TEXT', 'IMAGE'], imageConfig },
    };
    const answer = await post(`/v1/models/${model}:streamGenerateContent?alt=sse`, body);
    return {
      answer,
      events: answer.text
        .split('\n')
        .flatMap((line) => (line.startsWith('data: ') ? [JSON.parse(line.slice(6)) as Body] : [])),
    };
  };

  it.each([
    ['eta-2.5-flash-image', { aspectRatio: '16:9' }, 16 / 9, 1024],
    ['eta-2.5-flash-image', { aspectRatio: '16:9', imageSize: '2K' }, 16 / 9, 1024],
    ['eta-3-pro-image', { aspectRatio: '21:9', imageSize: '2K' }, 21 / 9, 2048],
    ['eta-3.1-flash-image', { aspectRatio: '1:8', imageSize: '1K' }, 1 / 8, 1024],
    ['eta-3-pro-image', { aspectRatio: '2:3', imageSize: '4K' }, 2 / 3, 4096],
  ])('of %s with %j have one image of that ratio and size', async (model, config, ratio, side) => {
    const { events } = await native(model, config);
    const parts = events.flatMap(({ candidates }) =>
      (candidates as { content: { parts: Body[] } }[]).flatMap(({ content }) => content.parts),
    );
    const image = parts.find(({ inlineData }) => inlineData !== undefined)?.inlineData as Body;
    const [format, width, height] = await factsOf(fromBase64(image.data));
    expect([image.mimeType, format]).toEqual(['image/png', 'png']);
    expect(Number(width) / Number(height)).toBeCloseTo(ratio, 1);
    expect((Number(width) * Number(height)) / side ** 2).toBeCloseTo(1, 1);
    expect(events.at(-1)).toMatchObject({
      modelVersion: model,
      responseId: expect.any(String),
      usageMetadata: { promptTokenCount: expect.any(Number), candidatesTokenCount: expect.any(Number) },
      candidates: [{ finishReason: 'STOP' }],
    });
  });

  it('require `alt=sse` and a ratio that the model supports', async () => {
    const body = { contents: [{ role: 'user', parts: [{ text: 'a fox' }] }] };
    expect((await post('/v1/models/eta-3-pro-image:streamGenerateContent', body)).status).toBe(400);
    expect((await native('eta-3-pro-image', { aspectRatio: '1:8' })).answer.status).toBe(400);
  });
});
