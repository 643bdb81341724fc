import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCallbackReceiver } from '../../../src/gateway/index.ts';
import { readMediaFacts } from '../../../src/media/index.ts';
import { collect, type Live, openLive } from './live.ts';

const ASKED = { model: 'chat-a', messages: [{ role: 'user' as const, content: 'Echo hello' }] };
const FILM = { model: 'film-a', prompt: 'a wave', seconds: '2', size: '128x96' };
const delta = (more: object) => ({
  model: 'delta-H3',
  prompt: 'a wave',
  metadata: {
    content: [{ type: 'text' as const, text: 'a wave' }],
    resolution: '768P' as const,
    duration: 4,
    ratio: '16:9' as const,
    ...more,
  },
});

const picture = async (width: number, height: number): Promise<Uint8Array> =>
  new Uint8Array(
    await sharp({ create: { width, height, channels: 4, background: '#336699' } })
      .png()
      .toBuffer(),
  );

describe.each(['contract', 'deployed'] as const)('the client and the reference gateway, profile %s', (profile) => {
  let live: Live;
  let folder: string;

  beforeAll(async () => {
    live = await openLive(profile);
    folder = await mkdtemp(join(tmpdir(), 'keyplane-inference-'));
  });
  afterAll(async () => {
    await live.close();
    await rm(folder, { recursive: true });
  });

  it('list the models of a key', async () => {
    expect((await live.as('narrow').models()).value).toEqual(['chat-a']);
  });

  it('chat with the same text, whole and streamed', async () => {
    const { value } = await live.as('open').chat(ASKED);
    expect(value.choices[0]?.message.content).toBe('hello');
    const stream = await live.as('open').streamChat(ASKED);
    const chunks = await collect(stream.events);
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe('hello');
  });

  it('respond, whole and streamed', async () => {
    const { raw } = await live.as('open').respond({ model: 'chat-a', input: 'Echo hello' });
    expect(JSON.stringify(raw)).toContain('"text":"hello"');
    const { events } = await live.as('open').streamRespond({ model: 'chat-a', input: 'Echo hello' });
    expect((await collect(events)).at(-1)).toMatchObject({ type: 'response.completed' });
  });

  it('embed the same in both encodings, natively and in batch', async () => {
    const open = live.as('open');
    const request = { model: 'text-embedding-3-small', input: ['one', 'two'], dimensions: 16 };
    const float = await open.embed({ ...request, encoding_format: 'float' });
    const base64 = await open.embed({ ...request, encoding_format: 'base64' });
    expect(base64.value.data.map(({ embedding }) => Array.from(embedding))).toEqual(
      float.value.data.map(({ embedding }) => Array.from(embedding)),
    );
    const single = { content: { parts: [{ text: 'one' }] }, outputDimensionality: 16 };
    const native = await open.embedNative('eta-embedding-001', single);
    expect(JSON.stringify(native.raw)).toContain(JSON.stringify(Array.from(float.value.data[0]?.embedding ?? [])));
    const batch = await open.embedNativeBatch('eta-embedding-001', [single, single]);
    expect((batch.raw as { embeddings: unknown[] }).embeddings).toHaveLength(2);
  });

  it('count tokens without a charge', async () => {
    const before = await live.spent();
    const counting = live.as('open').countTokens(ASKED);
    if (profile === 'contract') expect((await counting).raw).toEqual({ input_tokens: 5 });
    else await expect(counting).rejects.toMatchObject({ detail: { status: 404 } });
    expect(await live.spent()).toBe(before);
  });

  it('generate images of every family, as bytes or as a link', async () => {
    const open = live.as('open');
    const alpha = await open.generateImages({ model: 'alpha-image-2', prompt: 'a fox', size: '1024x640' });
    expect(await readMediaFacts(alpha.value.images[0]?.bytes as Uint8Array)).toMatchObject({
      format: 'png',
      width: 1024,
      height: 640,
    });
    const beta = await open.generateImages({ model: 'beta-imagine-image-2.0', prompt: 'a fox', aspect_ratio: '16:9' });
    const file = join(folder, `${profile}-beta.jpg`);
    await open.saveUrl(String(beta.value.images[0]?.url), file);
    expect(await readMediaFacts(await readFile(file))).toMatchObject({ format: 'jpeg', width: 1360, height: 768 });
    const gamma = await open.generateImages({
      model: 'gamma-image-max',
      input: { messages: [{ role: 'user', content: [{ text: 'a fox' }] }] },
    });
    await open.saveUrl(String(gamma.value.images[0]?.url), file);
    expect(await readMediaFacts(await readFile(file))).toMatchObject({ format: 'png', width: 1664, height: 928 });
  });

  it('edit images with a form and with JSON', async () => {
    const open = live.as('open');
    const image = [{ name: 'a.png', bytes: await picture(640, 1024) }];
    const mask = { name: 'mask.png', bytes: await picture(640, 1024) };
    const alpha = await open.editImages({ model: 'alpha-image-2', prompt: 'bluer', image, mask });
    const kept = alpha.value.images[0]?.bytes as Uint8Array;
    const pixels = (bytes: Uint8Array) => sharp(bytes).ensureAlpha().raw().toBuffer();
    expect((await pixels(kept)).equals(await pixels(image[0]?.bytes as Uint8Array))).toBe(true);
    const url = `data:image/png;base64,${Buffer.from(await picture(300, 200)).toString('base64')}`;
    const request = { model: 'beta-imagine-image-2.0', prompt: 'bluer', image: { url } };
    const beta = await open.editImages({ ...request, response_format: 'b64_json' });
    const facts = await readMediaFacts(beta.value.images[0]?.bytes as Uint8Array);
    expect((facts?.width ?? 0) / (facts?.height ?? 1)).toBeCloseTo(1.5, 1);
  });

  it('stream images: partial ones, then the completed one', async () => {
    const stream = await live.as('open').streamImages({
      model: 'alpha-image-2',
      prompt: 'a fox',
      size: '1024x640',
      partial_images: 2,
    });
    const steps = await collect(stream.events);
    expect(steps).toHaveLength(3);
    const native = await live.as('open').streamNativeImages('eta-2.5-flash-image', {
      contents: [{ role: 'user', parts: [{ text: 'a fox' }] }],
    });
    expect(JSON.stringify((await collect(native.events)).at(-1))).toContain('STOP');
  });

  it('submit a video, wait for it and download it', async () => {
    const open = live.as('open');
    const { value } = await open.submitVideo(FILM, { family: 'download-video' });
    expect((await open.awaitVideo(value.taskId)).value.status).toBe('succeeded');
    const file = join(folder, `${profile}.mp4`);
    await open.downloadVideo(value.taskId, file);
    expect(await readMediaFacts(await readFile(file))).toMatchObject({
      format: 'mp4',
      width: 128,
      height: 96,
      seconds: 2,
    });
  });

  it('submit a video, receive its notification, and fetch it by its link', async () => {
    const open = live.as('open');
    const notified: string[] = [];
    const receiver = await openCallbackReceiver({ onNotification: ({ status }) => void notified.push(status) });
    const { value } = await open.submitVideo(delta({ callback_url: receiver.url }));
    const task = (await open.awaitVideo(value.taskId)).value;
    for await (const { status } of receiver.notifications) if (status === 'succeeded') break;
    await receiver.close();
    expect(notified.at(-1)).toBe('succeeded');
    const file = join(folder, `${profile}-delta.mp4`);
    await open.saveUrl(String(task.url), file);
    expect(await readMediaFacts(await readFile(file))).toMatchObject({ format: 'mp4', seconds: 4, videoCodec: 'h264' });
  });

  it.each([
    ['unknown', 'chat-a', 'key.refused'],
    ['off', 'chat-a', 'key.refused'],
    ['narrow', 'chat-b', 'key.model-not-allowed'],
    ['elsewhere', 'chat-a', 'key.address-not-allowed'],
    ['lost', 'chat-a', 'key.group-not-allowed'],
    ['small', 'chat-a', 'key.exhausted'],
    ['poor', 'chat-a', 'wallet.empty'],
    ['open', 'chat-z', 'gateway.no-channel'],
    ['open', 'unpriced', 'gateway.no-price'],
  ])('distinguish why the key %s may not use %s: %s', async (key, model, code) => {
    const before = await live.spent();
    await expect(live.as(key).chat({ ...ASKED, model })).rejects.toMatchObject({ code });
    await expect(live.as(key).streamChat({ ...ASKED, model })).rejects.toMatchObject({ code });
    expect(await live.spent()).toBe(before);
  });

  it('reject an invalid request before it is sent, as the gateway would', async () => {
    await live.control.takeRequests();
    const request = { ...ASKED, temperature: 3 };
    await expect(live.as('open').chat(request)).rejects.toMatchObject({ code: 'request.invalid' });
    expect((await live.control.takeRequests()).total).toBe(0);
    const answer = await fetch(`${live.reference.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk-open', 'content-type': 'application/json' },
      body: JSON.stringify(request),
    });
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('temperature')]);
  });

  it('recognize a broken stream, a lost submission and a failing upstream', async () => {
    await live.control.script({ kind: 'truncated', path: '/v1/chat/completions' });
    const stream = await live.as('open').streamChat(ASKED);
    await expect(collect(stream.events)).rejects.toMatchObject({ code: expect.stringMatching(/stream|connection/) });
    await live.control.takeRequests();
    await live.control.script({ kind: 'cut-after', path: '/v1/video/generations' });
    const lost = live.as('open').submitVideo(FILM, { family: 'download-video' });
    await expect(lost).rejects.toMatchObject({ code: 'gateway.indeterminate' });
    expect((await live.control.takeRequests()).requests).toEqual({ 'POST /v1/video/generations': 1 });
    await expect(live.as('open').chat({ ...ASKED, model: 'failing' })).rejects.toMatchObject({
      code: 'gateway.unavailable',
    });
  });
});
