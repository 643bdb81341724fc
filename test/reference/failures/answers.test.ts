import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Body, TestAnswer } from '../harness.ts';
import { eventsIn, type FailureGateway, PONG, startFailureGateway } from './failure-gateway.ts';

let gateway: FailureGateway;
beforeEach(async () => {
  gateway = await startFailureGateway();
});
afterEach(() => gateway.close());

const TEXT = 'ping and pong';

const messageIn = ({ json }: TestAnswer): unknown =>
  ((json?.choices ?? []) as { message: { content: unknown } }[])[0]?.message.content;
const streamedIn = (answer: TestAnswer): string =>
  eventsIn(answer)
    .map((event) => (event as { choices?: { delta: { content?: string } }[] }).choices?.[0]?.delta.content ?? '')
    .join('');
const respond = (more: Body = {}) => gateway.post('/v1/responses', { model: 'chat-a', input: PONG, ...more });
const outputIn = (body: unknown): unknown =>
  (body as { output: { content: { text: string }[] }[] }).output[0]?.content[0]?.text;

describe('a scripted answer', () => {
  it('is returned once, and nothing is done or charged', async () => {
    await gateway.next({ kind: 'answer', body: { choices: [] }, path: '/v1/chat/completions' });
    const before = await gateway.lastEntry();
    const scripted = await gateway.chat();
    expect([scripted.status, scripted.json]).toEqual([200, { choices: [] }]);
    expect(await gateway.lastEntry()).toEqual(before);
    expect(messageIn(await gateway.chat())).toBe(TEXT);
  });

  it('has the requested status', async () => {
    await gateway.next({ kind: 'answer', status: 403, body: ['no'] });
    const scripted = await gateway.call('GET', '/api/user/self');
    expect([scripted.status, scripted.json]).toEqual([403, ['no']]);
  });
});

describe('an injected text flaw', () => {
  it.each([
    ['empty', ''],
    ['half', 'ping a'],
  ])('makes the text of a chat %s, with `stop` as the reason', async (how, left) => {
    await gateway.next({ kind: 'text', how });
    const answer = await gateway.chat();
    expect(messageIn(answer)).toBe(left);
    expect(answer.json).toHaveProperty('choices.0.finish_reason', 'stop');
    expect(messageIn(await gateway.chat())).toBe(TEXT);
  });

  it.each([
    ['empty', ''],
    ['half', 'ping a'],
  ])('makes the text of a chat stream %s, in valid events', async (how, left) => {
    await gateway.next({ kind: 'text', how });
    const answer = await gateway.chat({ stream: true });
    expect(streamedIn(answer)).toBe(left);
    expect(eventsIn(answer).at(-1)).toBe('[DONE]');
    expect(streamedIn(await gateway.chat({ stream: true }))).toBe(TEXT);
  });

  it.each([
    ['empty', ''],
    ['half', 'ping a'],
  ])('makes the text of a response %s, also in every event of its stream', async (how, left) => {
    await gateway.next({ kind: 'text', how, times: 2 });
    expect(outputIn((await respond()).json)).toBe(left);
    const events = eventsIn(await respond({ stream: true })) as Body[];
    const deltas = events.filter(({ type }) => type === 'response.output_text.delta');
    expect(deltas.map(({ delta }) => delta).join('')).toBe(left);
    expect(events.find(({ type }) => type === 'response.output_text.done')?.text).toBe(left);
    expect(outputIn(events.at(-1)?.response)).toBe(left);
    expect(outputIn((await respond()).json)).toBe(TEXT);
  });

  it('bills half a text in full, because the gateway pretends that it is whole', async () => {
    await gateway.chat();
    const { quota } = await gateway.lastEntry();
    await gateway.next({ kind: 'text', how: 'half' });
    await gateway.chat();
    expect((await gateway.lastEntry()).quota).toBe(quota);
  });
});

describe('a stream without its final event', () => {
  it('is a chat without a finish reason and without [DONE], and is billed', async () => {
    await gateway.next({ kind: 'no-final-event' });
    const answer = await gateway.chat({ stream: true, stream_options: { include_usage: true } });
    expect(streamedIn(answer)).toBe(TEXT);
    expect(answer.text).not.toMatch(/\[DONE\]|"stop"|prompt_tokens/);
    expect((await gateway.lastEntry()).quota).toBeGreaterThan(0);
    expect((await gateway.chat({ stream: true })).text).toMatch(/"stop".*\[DONE\]/s);
  });

  it('is a response without its completed event', async () => {
    await gateway.next({ kind: 'no-final-event' });
    expect(eventsIn(await respond({ stream: true })).at(-1)).toMatchObject({ type: 'response.output_item.done' });
    expect(eventsIn(await respond({ stream: true })).at(-1)).toMatchObject({ type: 'response.completed' });
  });

  it('is an image with partial images only', async () => {
    const body = { model: 'alpha-image-2', prompt: 'a fox', size: '1024x640', stream: true, partial_images: 1 };
    const types = async () =>
      eventsIn(await gateway.post('/v1/images/generations', body)).map((event) => (event as Body).type);
    await gateway.next({ kind: 'no-final-event' });
    expect(await types()).toEqual(['image_generation.partial_image']);
    expect(await types()).toEqual(['image_generation.partial_image', 'image_generation.completed']);
  });

  it('is a native stream without a finish reason', async () => {
    const path = '/v1/models/eta-2.5-flash-image:streamGenerateContent?alt=sse';
    const body = { contents: [{ role: 'user', parts: [{ text: 'a fox' }] }] };
    await gateway.next({ kind: 'no-final-event' });
    const answer = await gateway.post(path, body);
    expect(answer.text).toMatch(/inlineData/);
    expect(answer.text).not.toMatch(/finishReason/);
    expect((await gateway.post(path, body)).text).toMatch(/finishReason/);
  });
});

describe('injected usage flaws', () => {
  it('remove the figures', async () => {
    await gateway.next({ kind: 'usage', how: 'missing', times: 3 });
    expect((await gateway.chat()).json).not.toHaveProperty('usage');
    expect((await gateway.chat({ stream: true, stream_options: { include_usage: true } })).text).not.toContain('usage');
    expect(
      (await gateway.post('/v1/embeddings', { model: 'text-embedding-3-small', input: 'a' })).json,
    ).not.toHaveProperty('usage');
    expect((await gateway.chat()).json).toHaveProperty('usage.total_tokens');
  });

  it('make the total differ from the sum, but not in the log', async () => {
    await gateway.next({ kind: 'usage', how: 'wrong' });
    const figures = (await gateway.chat()).json?.usage as Record<string, number>;
    const sum = Number(figures.prompt_tokens) + Number(figures.completion_tokens);
    expect(figures.total_tokens).not.toBe(sum);
    const entry = await gateway.lastEntry();
    expect(Number(entry.prompt_tokens) + Number(entry.completion_tokens)).toBe(sum);
    const honest = (await gateway.chat()).json?.usage as Record<string, number>;
    expect(honest.total_tokens).toBe(sum);
  });

  it('make the total differ at the end of a stream', async () => {
    await gateway.next({ kind: 'usage', how: 'wrong' });
    const last = eventsIn(await respond({ stream: true })).at(-1) as { response: { usage: Record<string, number> } };
    const { input_tokens: input = 0, output_tokens: output = 0, total_tokens: total } = last.response.usage;
    expect(total).not.toBe(input + output);
  });
});

describe('an injected flaw of token counting', () => {
  const count = async (content: string) =>
    (await gateway.post('/v1/messages/count_tokens', { model: 'chat-a', messages: [{ role: 'user', content }] })).json
      ?.input_tokens;

  it('returns zero, or the same number for any text', async () => {
    const honest = await count('a few words');
    expect(honest).toBeGreaterThan(0);
    await gateway.next({ kind: 'tokens', how: 'zero' });
    expect(await count('a few words')).toBe(0);
    await gateway.next({ kind: 'tokens', how: 'constant', times: 2 });
    expect(await count('a')).toBe(await count('a few words more than there were '.repeat(20)));
    expect(await count('a few words')).toBe(honest);
  });
});
