import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Body, TestAnswer } from '../harness.ts';
import { eventsIn, type FailureGateway, startFailureGateway } from './failure-gateway.ts';

let gateway: FailureGateway;
beforeAll(async () => {
  gateway = await startFailureGateway();
});
afterAll(() => gateway.close());

const fromBase64 = (text: unknown): Uint8Array => new Uint8Array(Buffer.from(String(text), 'base64'));
const fetched = async (url: unknown): Promise<Uint8Array> => {
  const answer = await fetch(String(url));
  if (!answer.ok) throw new Error(`${answer.status} at ${url}`);
  return new Uint8Array(await answer.arrayBuffer());
};

const dataOf = ({ json }: TestAnswer): readonly Body[] => (json?.data ?? []) as Body[];
const inlineIn = (answer: TestAnswer): readonly unknown[] =>
  (eventsIn(answer) as { candidates: { content: { parts: { inlineData?: { data: string } }[] } }[] }[])
    .flatMap(({ candidates }) => candidates.flatMap(({ content }) => content.parts))
    .flatMap(({ inlineData }) => inlineData?.data ?? []);

const generate = (body: Body): Promise<TestAnswer> => gateway.post('/v1/images/generations', body);
const PROMPT = 'a red fox';

/** Pictures as each family gives them, 2 where it makes more than one, with their size and format. */
const FAMILIES = {
  alpha: {
    facts: { format: 'png', width: 1024, height: 640 },
    count: 2,
    make: async () => {
      const answer = await generate({ model: 'alpha-image-2', prompt: PROMPT, size: '1024x640', n: 2 });
      return dataOf(answer).map(({ b64_json }) => fromBase64(b64_json));
    },
  },
  'alpha, streamed': {
    facts: { format: 'webp', width: 1024, height: 640 },
    count: 4,
    make: async () => {
      const streamed = { stream: true, partial_images: 1, n: 2, output_format: 'webp' };
      const answer = await generate({ model: 'alpha-image-2', prompt: PROMPT, size: '1024x640', ...streamed });
      return eventsIn(answer).map((event) => fromBase64((event as Body).b64_json));
    },
  },
  'beta, in Base64': {
    facts: { format: 'jpeg', width: 1024, height: 1024 },
    count: 2,
    make: async () => {
      const answer = await generate({
        model: 'beta-imagine-image-2.0',
        prompt: PROMPT,
        n: 2,
        response_format: 'b64_json',
      });
      return dataOf(answer).map(({ b64_json }) => fromBase64(b64_json));
    },
  },
  'beta, hosted': {
    facts: { format: 'jpeg', width: 1024, height: 1024 },
    count: 2,
    make: async () => {
      const answer = await generate({ model: 'beta-imagine-image-2.0', prompt: PROMPT, n: 2 });
      return Promise.all(dataOf(answer).map(({ url }) => fetched(url)));
    },
  },
  gamma: {
    facts: { format: 'png', width: 640, height: 512 },
    count: 2,
    make: async () => {
      const input = { messages: [{ role: 'user', content: [{ text: PROMPT }] }] };
      const answer = await generate({ model: 'gamma-image-2.0', input, parameters: { n: 2, size: '640*512' } });
      const { choices } = (answer.json?.output ?? { choices: [] }) as {
        choices: { message: { content: { image: string }[] } }[];
      };
      return Promise.all(choices.map(({ message }) => fetched(message.content[0]?.image)));
    },
  },
  native: {
    facts: { format: 'png', width: 1024, height: 1024 },
    count: 1,
    make: async () => {
      const path = '/v1/models/eta-2.5-flash-image:streamGenerateContent?alt=sse';
      const contents = [{ role: 'user', parts: [{ text: PROMPT }] }];
      return inlineIn(await gateway.post(path, { contents })).map(fromBase64);
    },
  },
} as const;

const factsOf = async (picture: Uint8Array) => {
  const { format, width, height } = await sharp(picture).metadata();
  return { format, width, height };
};
const coloursIn = async (picture: Uint8Array): Promise<number> => {
  const { channels } = await sharp(picture).removeAlpha().stats();
  return Math.max(...channels.map(({ max, min }) => max - min));
};

describe.each(Object.entries(FAMILIES))('injected flaws in images of family %s', (_name, { facts, count, make }) => {
  it('leave a single colour in the right size and format', async () => {
    await gateway.next({ kind: 'pictures', how: 'flat' });
    const pictures = await make();
    expect(pictures).toHaveLength(count);
    for (const picture of pictures) {
      expect(await factsOf(picture)).toEqual(facts);
      expect(await coloursIn(picture)).toBe(0);
    }
    expect(await coloursIn((await make())[0] as Uint8Array)).toBeGreaterThan(30);
  });

  it('change the size', async () => {
    await gateway.next({ kind: 'pictures', how: 'resized' });
    for (const picture of await make()) expect(await factsOf(picture)).toEqual({ ...facts, width: facts.width / 2 });
    for (const picture of await make()) expect(await factsOf(picture)).toEqual(facts);
  });

  it('cut the file off', async () => {
    await gateway.next({ kind: 'pictures', how: 'corrupt' });
    for (const picture of await make()) await expect(sharp(picture, { failOn: 'warning' }).stats()).rejects.toThrow();
    for (const picture of await make()) await sharp(picture, { failOn: 'warning' }).stats();
  });

  it('change the encoding', async () => {
    await gateway.next({ kind: 'pictures', how: 'other-format' });
    const format = facts.format === 'png' ? 'jpeg' : 'png';
    for (const picture of await make()) expect(await factsOf(picture)).toEqual({ ...facts, format });
    for (const picture of await make()) expect(await factsOf(picture)).toEqual(facts);
  });

  it('drop one image', async () => {
    await gateway.next({ kind: 'pictures', how: 'one-less' });
    expect(await make()).toHaveLength(count === 4 ? 2 : count - 1);
    expect(await make()).toHaveLength(count);
  });
});

describe('an edit without effect', () => {
  const squares = (): Promise<Uint8Array> => {
    const data = Buffer.from(Array.from({ length: 8 * 5 * 3 }, (_, at) => (at * 7919) % 251));
    return sharp(data, { raw: { width: 8, height: 5, channels: 3 } })
      .resize(640, 400, { kernel: 'nearest' })
      .png()
      .toBuffer();
  };
  const pixelsOf = async (picture: Uint8Array): Promise<Buffer> =>
    sharp(picture).removeAlpha().resize(640, 400, { fit: 'fill' }).raw().toBuffer();
  const distance = async (one: Uint8Array, other: Uint8Array): Promise<number> => {
    const [a, b] = [await pixelsOf(one), await pixelsOf(other)];
    return a.reduce((sum, value, at) => sum + Math.abs(value - (b[at] ?? 0)), 0) / a.length;
  };
  const uriOf = (picture: Uint8Array): string => `data:image/png;base64,${Buffer.from(picture).toString('base64')}`;

  const EDITS = {
    alpha: async (source: Uint8Array) => {
      const form = new FormData();
      for (const [name, value] of Object.entries({ model: 'alpha-image-2', prompt: 'blue', size: '1280x800' }))
        form.append(name, value);
      form.append('image', new Blob([Buffer.from(source)], { type: 'image/png' }), 'source.png');
      const headers = { authorization: 'Bearer sk-plain' };
      const answer = await fetch(`${gateway.url}/v1/images/edits`, { method: 'POST', body: form, headers });
      const { data } = (await answer.json()) as { data: Body[] };
      return fromBase64(data[0]?.b64_json);
    },
    beta: async (source: Uint8Array) => {
      const image = { url: uriOf(source), type: 'image_url' };
      const answer = await gateway.post('/v1/images/edits', { model: 'beta-imagine-image-2.0', prompt: 'blue', image });
      return fetched(dataOf(answer)[0]?.url);
    },
    gamma: async (source: Uint8Array) => {
      const content = [{ image: uriOf(source) }, { text: 'blue' }];
      const answer = await generate({
        model: 'gamma-image-edit-plus',
        input: { messages: [{ role: 'user', content }] },
        parameters: { n: 1, seed: 7 },
      });
      const { choices } = (answer.json?.output ?? { choices: [] }) as {
        choices: { message: { content: { image: string }[] } }[];
      };
      return fetched(choices[0]?.message.content[0]?.image);
    },
    native: async (source: Uint8Array) => {
      const inlineData = { mimeType: 'image/png', data: Buffer.from(source).toString('base64') };
      const contents = [{ role: 'user', parts: [{ text: 'blue' }, { inlineData }] }];
      const path = '/v1/models/eta-2.5-flash-image:streamGenerateContent?alt=sse';
      return fromBase64(inlineIn(await gateway.post(path, { contents }))[0]);
    },
  };

  it.each(Object.entries(EDITS))(
    'gives back its source, family %s, in the format and size of the edit',
    async (_family, edit) => {
      const source = await squares();
      const honest = await edit(source);
      await gateway.next({ kind: 'pictures', how: 'unchanged' });
      const unchanged = await edit(source);
      expect(await factsOf(unchanged)).toEqual(await factsOf(honest));
      expect(await distance(unchanged, source)).toBeLessThan(6);
      expect(await distance(honest, source)).toBeGreaterThan(12);
      expect(await distance(await edit(source), honest)).toBeLessThan(1);
    },
  );
});
