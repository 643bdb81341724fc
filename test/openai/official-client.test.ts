import OpenAI, { toFile } from 'openai';
import { zodResponseFormat } from 'openai/helpers/zod';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { readMediaFacts } from '../../src/media/index.ts';
import { type ReferenceGateway, startReferenceGateway } from '../../src/reference/index.ts';

let gateway: ReferenceGateway;
let client: OpenAI;

beforeAll(async () => {
  gateway = await startReferenceGateway({
    seed: {
      accounts: [{ userId: 42, quota: 500_000_000 }],
      models: {
        'chat-a': {},
        'text-embedding-3-small': {},
        'alpha-image-2': { price: 0.01 },
        'alpha-image-1': { price: 0.01 },
      },
      keys: [
        { name: 'open', key: 'open', unlimited_quota: true },
        { name: 'narrow', key: 'narrow', unlimited_quota: true, model_limits_enabled: true, model_limits: 'chat-b' },
      ],
    },
  });
  client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'sk-open', maxRetries: 0 });
});
afterAll(() => gateway.close());

const ASKED = { model: 'chat-a', messages: [{ role: 'user' as const, content: 'Reply with exactly: pong' }] };
const WEATHER = {
  type: 'function' as const,
  function: {
    name: 'weather',
    description: 'The weather of a city',
    parameters: {
      type: 'object',
      properties: { city: { type: 'string' }, days: { type: 'integer', minimum: 1, maximum: 3 } },
      required: ['city', 'days'],
      additionalProperties: false,
    },
  },
};

async function all<T>(events: AsyncIterable<T>): Promise<readonly T[]> {
  const list: T[] = [];
  for await (const event of events) list.push(event);
  return list;
}

describe('the official client, pointed at the reference gateway', () => {
  it('lists models', async () => {
    const models = await all(await client.models.list());
    expect(models.map(({ id }) => id)).toContain('chat-a');
  });

  it('chats', async () => {
    const answer = await client.chat.completions.create(ASKED);
    expect(answer.choices[0]?.message.content).toBe('pong');
    expect(answer.choices[0]?.finish_reason).toBe('stop');
    const { prompt_tokens: input, completion_tokens: output, total_tokens: total } = answer.usage ?? {};
    expect(total).toBe((input ?? 0) + (output ?? 0));
  });

  it('streams a chat, with its usage at the end', async () => {
    const chunks = await all(
      await client.chat.completions.create({ ...ASKED, stream: true, stream_options: { include_usage: true } }),
    );
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe('pong');
    expect(chunks.at(-1)?.usage?.completion_tokens).toBeGreaterThan(0);
  });

  it('gathers a streamed chat by its own helper', async () => {
    const runner = client.chat.completions.stream({ ...ASKED, stream: true });
    expect(await runner.finalContent()).toBe('pong');
  });

  it('calls a tool, by order and by name, and continues with its result', async () => {
    const byOrder = await client.chat.completions.create({ ...ASKED, tools: [WEATHER], tool_choice: 'required' });
    const named = { type: 'function' as const, function: { name: 'weather' } };
    const byName = await client.chat.completions.create({ ...ASKED, tools: [WEATHER], tool_choice: named });
    for (const { choices } of [byOrder, byName]) {
      const call = choices[0]?.message.tool_calls?.[0];
      if (call?.type !== 'function') throw new Error('no call of a function');
      expect([choices[0]?.finish_reason, call.function.name]).toEqual(['tool_calls', 'weather']);
      const { city, days } = JSON.parse(call.function.arguments) as { city: string; days: number };
      expect([typeof city, [1, 2, 3].includes(days)]).toEqual(['string', true]);
      const messages = [
        ...ASKED.messages,
        { role: 'assistant' as const, content: null, tool_calls: [call] },
        { role: 'tool' as const, tool_call_id: call.id, content: 'sunny' },
      ];
      const answer = await client.chat.completions.create({ model: 'chat-a', messages, tools: [WEATHER] });
      expect(answer.choices[0]?.message.content).toBe('pong');
    }
  });

  it('streams the call of a tool', async () => {
    const runner = client.chat.completions.stream({
      ...ASKED,
      stream: true,
      tools: [WEATHER],
      tool_choice: 'required',
    });
    const call = (await runner.finalChatCompletion()).choices[0]?.message.tool_calls?.[0];
    expect(call?.type === 'function' && JSON.parse(call.function.arguments)).toHaveProperty('city');
  });

  it('parses structured output', async () => {
    const Recipe = z.object({
      title: z.string(),
      minutes: z.number().int().min(1).max(90),
      steps: z.array(z.object({ text: z.string(), hot: z.boolean() })),
      kind: z.enum(['soup', 'cake']),
    });
    const answer = await client.chat.completions.parse({
      ...ASKED,
      response_format: zodResponseFormat(Recipe, 'recipe'),
    });
    expect(Recipe.safeParse(answer.choices[0]?.message.parsed).success).toBe(true);
  });

  it('responds, in one piece and streamed', async () => {
    const request = { model: 'chat-a', input: 'Reply with exactly: pong' };
    expect((await client.responses.create(request)).output_text).toBe('pong');
    const events = await all(await client.responses.create({ ...request, stream: true }));
    const texts = events.map((event) => (event.type === 'response.output_text.delta' ? event.delta : ''));
    expect([texts.join(''), events.at(-1)?.type]).toEqual(['pong', 'response.completed']);
  });

  it('embeds in both encodings, to the same vectors of unit length', async () => {
    const request = { model: 'text-embedding-3-small', input: ['one', 'two'], dimensions: 64 };
    const [float, base64] = await Promise.all([
      client.embeddings.create({ ...request, encoding_format: 'float' }),
      // What the client asks for by itself; it decodes the answer.
      client.embeddings.create(request),
    ]);
    expect(float.data.map(({ embedding }) => embedding)).toEqual(base64.data.map(({ embedding }) => embedding));
    for (const { embedding } of float.data) {
      expect(embedding).toHaveLength(64);
      expect(Math.hypot(...embedding)).toBeCloseTo(1, 5);
    }
  });

  const bytesOf = (b64: string | undefined): Uint8Array => new Uint8Array(Buffer.from(b64 ?? '', 'base64'));

  it('generates images', async () => {
    const request = { model: 'alpha-image-2', prompt: 'a fox', n: 2, output_format: 'webp' as const };
    const { data } = await client.images.generate({ ...request, size: '1024x1024' });
    expect(data).toHaveLength(2);
    for (const { b64_json } of data ?? []) {
      expect(await readMediaFacts(bytesOf(b64_json))).toMatchObject({ format: 'webp', width: 1024, height: 1024 });
    }
  });

  it('streams images: partial ones, then the completed one', async () => {
    const events = await all(
      await client.images.generate({
        model: 'alpha-image-2',
        prompt: 'a fox',
        size: '1024x1024',
        stream: true,
        partial_images: 2,
      }),
    );
    const partial = 'image_generation.partial_image';
    expect(events.map(({ type }) => type)).toEqual([partial, partial, 'image_generation.completed']);
    for (const { b64_json } of events) expect((await readMediaFacts(bytesOf(b64_json)))?.width).toBe(1024);
  });

  const square = (colour: string) =>
    sharp({ create: { width: 1024, height: 1024, channels: 4, background: colour } }).png();
  const fileOf = async (picture: ReturnType<typeof sharp>, name: string) =>
    toFile(await picture.toBuffer(), name, { type: 'image/png' });

  it('edits an image by a form, and changes only what the mask leaves open', async () => {
    const source = square('#336699');
    const hole = { input: Buffer.alloc(512 * 512 * 4, 255), raw: { width: 512, height: 512, channels: 4 as const } };
    const mask = square('#000000').composite([{ ...hole, left: 0, top: 0, blend: 'dest-out' }]);
    const { data } = await client.images.edit({
      model: 'alpha-image-1',
      prompt: 'a boat',
      image: await fileOf(source, 'sea.png'),
      mask: await fileOf(mask, 'mask.png'),
    });
    const pixels = await sharp(bytesOf(data?.[0]?.b64_json)).ensureAlpha().raw().toBuffer();
    const at = (x: number, y: number) => [...pixels.subarray((y * 1024 + x) * 4, (y * 1024 + x) * 4 + 3)];
    expect([at(512, 512), at(1023, 0), at(0, 1023)]).toEqual(Array(3).fill([0x33, 0x66, 0x99]));
    const inside = Array.from({ length: 512 }, (_, index) => at(index, index));
    expect(inside.filter((pixel) => `${pixel}` === '51,102,153').length).toBeLessThan(10);
  });

  it('edits several images, streamed', async () => {
    const image = [await fileOf(square('#336699'), 'a.png'), await fileOf(square('#993366'), 'b.png')];
    const request = { model: 'alpha-image-1', prompt: 'both', image, stream: true as const, partial_images: 1 };
    const events = await all(await client.images.edit(request));
    expect(events.map(({ type }) => type)).toEqual(['image_edit.partial_image', 'image_edit.completed']);
  });

  it('knows the errors for what they are', async () => {
    const as = (apiKey: string) => new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey, maxRetries: 0 });
    await expect(as('sk-unknown').chat.completions.create(ASKED)).rejects.toBeInstanceOf(OpenAI.AuthenticationError);
    await expect(as('sk-narrow').chat.completions.create(ASKED)).rejects.toBeInstanceOf(OpenAI.PermissionDeniedError);
    const wrong = client.chat.completions.create({ ...ASKED, temperature: 3 });
    await expect(wrong).rejects.toBeInstanceOf(OpenAI.BadRequestError);
  });
});
