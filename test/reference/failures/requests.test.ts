import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Body, TestAnswer } from '../harness.ts';
import { eventsIn, type FailureGateway, PONG, startFailureGateway } from './failure-gateway.ts';

let gateway: FailureGateway;
beforeEach(async () => {
  gateway = await startFailureGateway();
});
afterEach(() => gateway.close());

const messageIn = ({ json }: TestAnswer): unknown =>
  (json?.choices as { message: { content: unknown } }[] | undefined)?.[0]?.message.content;
const embed = (more: Body = {}) =>
  gateway.post('/v1/embeddings', { model: 'text-embedding-3-small', input: ['red fox', 'red foxes', 'rain'], ...more });

describe('an ignored field', () => {
  it('has no effect', async () => {
    const body = { response_format: { type: 'json_object' } };
    await gateway.next({ kind: 'ignore-field', field: 'response_format' });
    expect(messageIn(await gateway.chat(body))).toBe('ping and pong');
    expect(messageIn(await gateway.chat(body))).toBe('{"answer":"ping and pong"}');
  });

  it('is not validated either', async () => {
    await gateway.next({ kind: 'ignore-field', field: 'temperature' });
    expect((await gateway.chat({ temperature: 9 })).status).toBe(200);
    expect((await gateway.chat({ temperature: 9 })).status).toBe(400);
  });

  it('may be nested in objects and lists', async () => {
    const picture = { model: 'gamma-image-2.0', input: { messages: [{ role: 'user', content: [{ text: 'a fox' }] }] } };
    const size = async () => {
      const sized = { ...picture, parameters: { size: '640*640' } };
      return (await gateway.post('/v1/images/generations', sized)).json?.usage;
    };
    await gateway.next({ kind: 'ignore-field', field: 'parameters.size' });
    expect(await size()).toMatchObject({ width: 2048 });
    expect(await size()).toMatchObject({ width: 640 });
    await gateway.next({ kind: 'ignore-field', field: 'messages.1' });
    const asked = { messages: [...PONG, { role: 'user', content: 'Reply with exactly: other' }] };
    expect(messageIn(await gateway.chat(asked))).toBe('ping and pong');
    expect(messageIn(await gateway.chat(asked))).toBe('other');
  });

  it('changes nothing if the request lacks it', async () => {
    await gateway.next({ kind: 'ignore-field', field: 'metadata.duration', times: 2 });
    expect(messageIn(await gateway.chat())).toBe('ping and pong');
    expect((await gateway.call('GET', '/api/user/self')).success).toBe(true);
  });

  it('may be in a request to the System API', async () => {
    await gateway.next({ kind: 'ignore-field', field: 'name', method: 'POST' });
    expect((await gateway.call('POST', '/api/token/', { name: 'a', unlimited_quota: true })).success).toBe(false);
    expect((await gateway.call('POST', '/api/token/', { name: 'a', unlimited_quota: true })).success).toBe(true);
  });

  it('may be in a form', async () => {
    const source = await gateway.post('/v1/images/generations', {
      model: 'alpha-image-2',
      prompt: 'a fox',
      size: '1024x640',
    });
    const bytes = Buffer.from(String((source.json?.data as Body[] | undefined)?.[0]?.b64_json), 'base64');
    const edit = async () => {
      const form = new FormData();
      for (const [name, value] of Object.entries({ model: 'alpha-image-2', prompt: 'blue', size: '640x1024' }))
        form.append(name, value);
      form.append('image', new Blob([bytes], { type: 'image/png' }), 'source.png');
      const answer = await fetch(`${gateway.url}/v1/images/edits`, {
        method: 'POST',
        body: form,
        headers: { authorization: 'Bearer sk-plain' },
      });
      return [answer.status, ((await answer.json()) as Body).size];
    };
    await gateway.next({ kind: 'ignore-field', field: 'size', path: '/v1/images/edits' });
    await gateway.next({ kind: 'ignore-field', field: 'image', path: '/v1/images/edits' });
    expect([await edit(), await edit(), await edit()]).toEqual([
      [200, '1024x640'],
      [400, undefined],
      [200, '640x1024'],
    ]);
  });
});

describe('a substituted model', () => {
  it('is named in the answer and the log, and is charged', async () => {
    await gateway.next({ kind: 'substitute-model', model: 'chat-cheap' });
    const { json } = await gateway.chat();
    const { prompt_tokens: prompt, completion_tokens: completion } = (json?.usage ?? {}) as Record<string, number>;
    expect(json?.model).toBe('chat-cheap');
    expect(await gateway.lastEntry()).toMatchObject({
      model_name: 'chat-cheap',
      quota: Number(prompt) + Number(completion),
    });
    expect((await gateway.chat()).json?.model).toBe('chat-a');
    expect(await gateway.lastEntry()).toMatchObject({
      model_name: 'chat-a',
      quota: 2 * (Number(prompt) + 3 * Number(completion)),
    });
  });

  it('is named in the log only, if it is not admitted', async () => {
    await gateway.next({ kind: 'substitute-model', model: 'chat-cheap', admits: false });
    expect((await gateway.chat()).json?.model).toBe('chat-a');
    expect((await gateway.lastEntry()).model_name).toBe('chat-cheap');
  });

  it('is named by every event of a stream', async () => {
    await gateway.next({ kind: 'substitute-model', model: 'elsewhere' });
    const events = eventsIn(await gateway.chat({ stream: true })).filter((event) => event !== '[DONE]');
    expect(new Set(events.map((event) => (event as Body).model))).toEqual(new Set(['elsewhere']));
    expect((await gateway.lastEntry()).model_name).toBe('elsewhere');
  });

  it('need not be allowed for the key, which only needs the requested one', async () => {
    await gateway.control('PATCH', '/keys/2', { model_limits_enabled: true, model_limits: 'chat-a' });
    await gateway.next({ kind: 'substitute-model', model: 'chat-cheap', times: 2 });
    expect((await gateway.chat({}, 'bound')).status).toBe(200);
    expect((await gateway.chat({ model: 'chat-cheap' }, 'bound')).status).toBe(403);
  });
});

describe('corrupt vectors', () => {
  const vectorsIn = ({ json }: TestAnswer): number[][] =>
    ((json?.data ?? []) as { embedding: number[] }[]).map(({ embedding }) => embedding);
  const native = (verb: string, body: Body) => gateway.post(`/v1/models/eta-embedding-001:${verb}`, body);
  const part = (text: string) => ({ content: { parts: [{ text }] } });

  it.each([
    ['short', (vectors: number[][]) => vectors.every(({ length }) => length === 768)],
    ['zero', (vectors: number[][]) => vectors.flat().every((value) => value === 0)],
    ['not-finite', (vectors: unknown[][]) => vectors.every((vector) => vector.includes(null))],
    ['one-less', (vectors: number[][]) => vectors.length === 2],
    ['same', (vectors: number[][]) => new Set(vectors.map((vector) => vector.join())).size === 1],
  ] as const)('are %s once', async (how, isSo) => {
    await gateway.next({ kind: 'vectors', how });
    expect(isSo(vectorsIn(await embed()))).toBe(true);
    expect(isSo(vectorsIn(await embed()))).toBe(false);
  });

  it('have each other’s indexes', async () => {
    const honest = vectorsIn(await embed());
    await gateway.next({ kind: 'vectors', how: 'swapped' });
    const { data } = (await embed()).json as { data: { index: number; embedding: number[] }[] };
    expect(data.map(({ index }) => index)).toEqual([2, 1, 0]);
    expect(data.map(({ embedding }) => embedding)).toEqual(honest);
  });

  it('are corrupt in Base64 too', async () => {
    const decoded = async () => {
      const { data } = (await embed({ encoding_format: 'base64' })).json as { data: { embedding: string }[] };
      const bytes = Buffer.from(data[0]?.embedding ?? '', 'base64');
      return Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readFloatLE(index * 4));
    };
    await gateway.next({ kind: 'vectors', how: 'short' });
    expect(await decoded()).toHaveLength(768);
    await gateway.next({ kind: 'vectors', how: 'not-finite' });
    expect((await decoded()).some(Number.isNaN)).toBe(true);
    expect((await decoded()).every(Number.isFinite)).toBe(true);
  });

  it('are corrupt in the native formats too', async () => {
    const valuesOf = async () =>
      ((await native('embedContent', part('rain'))).json as { embedding?: { values: number[] } }).embedding?.values;
    const honest = (await valuesOf())?.length ?? 0;
    await gateway.next({ kind: 'vectors', how: 'short' });
    expect(await valuesOf()).toHaveLength(honest / 2);
    await gateway.next({ kind: 'vectors', how: 'one-less' });
    expect(await valuesOf()).toBeUndefined();
    const requests = ['rain', 'snow'].map((text) => part(text));
    const batch = async () =>
      ((await native('batchEmbedContents', { requests })).json as { embeddings: unknown[] }).embeddings;
    const straight = await batch();
    await gateway.next({ kind: 'vectors', how: 'swapped' });
    expect(await batch()).toEqual(straight.toReversed());
    expect(await batch()).toEqual(straight);
  });
});

describe('an unenforced restriction', () => {
  it.each([
    ['model', { model_limits_enabled: true, model_limits: 'chat-cheap' }, {}, 403],
    ['status', { status: 2 }, { status: 2 }, 401],
    ['expiry', { expired_time: 1 }, { status: 1 }, 401],
    ['expiry', { expired_time: 1, status: 3 }, { status: 3 }, 401],
    ['quota', { unlimited_quota: false, remain_quota: 0 }, { status: 1, unlimited_quota: false }, 401],
    ['quota', { unlimited_quota: false, remain_quota: 1 }, { status: 1, unlimited_quota: false }, 403],
    ['address', { allow_ips: '10.0.0.1' }, { allow_ips: '10.0.0.1' }, 403],
  ])('%s: admits a key of %j once, and does not change it', async (rule, stored, kept, refusal) => {
    await gateway.control('PATCH', '/keys/2', stored);
    await gateway.next({ kind: 'lenient', rule });
    expect((await gateway.chat({}, 'bound')).status).toBe(200);
    expect((await gateway.storedKeys())[1]).toMatchObject(kept);
    expect(await gateway.lastEntry()).toMatchObject({ token_id: 2 });
    await gateway.control('PATCH', '/keys/2', stored);
    expect((await gateway.chat({}, 'bound')).status).toBe(refusal);
  });

  it('does not affect the other restrictions', async () => {
    await gateway.control('PATCH', '/keys/2', { status: 2 });
    await gateway.next({ kind: 'lenient', rule: 'address' });
    expect((await gateway.chat({}, 'bound')).status).toBe(401);
  });

  it('does not affect the next listing of models', async () => {
    await gateway.control('PATCH', '/keys/2', { model_limits_enabled: true, model_limits: 'chat-a' });
    const listed = async () => {
      const answer = await gateway.call('GET', '/v1/models', undefined, { authorization: 'Bearer sk-bound' });
      return ((answer.json?.data ?? []) as unknown[]).length;
    };
    await gateway.next({ kind: 'lenient', rule: 'model' });
    expect(await listed()).toBeGreaterThan(1);
    expect(await listed()).toBe(1);
  });
});

describe('a script of these failures', () => {
  it.each([
    [{ kind: 'answer' }],
    [{ kind: 'ignore-field' }],
    [{ kind: 'substitute-model', model: '' }],
    [{ kind: 'text', how: 'long' }],
    [{ kind: 'vectors' }],
    [{ kind: 'lenient', rule: 'colour' }],
    [{ kind: 'task', how: 'stuck', extra: 1 }],
  ])('is rejected when it is %j', async (wrong) => {
    expect(await gateway.control('POST', '/faults', wrong)).toHaveProperty('error');
  });
});
