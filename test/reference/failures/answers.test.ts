import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Answered, Body } from '../harness.ts';
import { eventsIn, PONG, type Rig, startRig } from './rig.ts';

let rig: Rig;
beforeEach(async () => {
  rig = await startRig();
});
afterEach(() => rig.close());

const SAID = 'ping and pong';

const messageIn = ({ json }: Answered): unknown =>
  ((json?.choices ?? []) as { message: { content: unknown } }[])[0]?.message.content;
const streamedIn = (answer: Answered): string =>
  eventsIn(answer)
    .map((event) => (event as { choices?: { delta: { content?: string } }[] }).choices?.[0]?.delta.content ?? '')
    .join('');
const respond = (more: Body = {}) => rig.post('/v1/responses', { model: 'chat-a', input: PONG, ...more });
const outputIn = (body: unknown): unknown =>
  (body as { output: { content: { text: string }[] }[] }).output[0]?.content[0]?.text;

describe('an answer that was scripted', () => {
  it('is given once, and nothing is done or charged', async () => {
    await rig.next({ kind: 'answer', body: { choices: [] }, path: '/v1/chat/completions' });
    const before = await rig.lastEntry();
    const scripted = await rig.chat();
    expect([scripted.status, scripted.json]).toEqual([200, { choices: [] }]);
    expect(await rig.lastEntry()).toEqual(before);
    expect(messageIn(await rig.chat())).toBe(SAID);
  });

  it('has the status that was asked for', async () => {
    await rig.next({ kind: 'answer', status: 403, body: ['no'] });
    const scripted = await rig.call('GET', '/api/user/self');
    expect([scripted.status, scripted.json]).toEqual([403, ['no']]);
  });
});

describe('a text', () => {
  it.each([
    ['empty', ''],
    ['half', 'ping a'],
  ])('that is %s is so in a chat, which says that it stopped', async (how, left) => {
    await rig.next({ kind: 'text', how });
    const answer = await rig.chat();
    expect(messageIn(answer)).toBe(left);
    expect(answer.json).toHaveProperty('choices.0.finish_reason', 'stop');
    expect(messageIn(await rig.chat())).toBe(SAID);
  });

  it.each([
    ['empty', ''],
    ['half', 'ping a'],
  ])('that is %s is so in the stream of a chat, in good order', async (how, left) => {
    await rig.next({ kind: 'text', how });
    const answer = await rig.chat({ stream: true });
    expect(streamedIn(answer)).toBe(left);
    expect(eventsIn(answer).at(-1)).toBe('[DONE]');
    expect(streamedIn(await rig.chat({ stream: true }))).toBe(SAID);
  });

  it.each([
    ['empty', ''],
    ['half', 'ping a'],
  ])('that is %s is so in a response and in every event of its stream', async (how, left) => {
    await rig.next({ kind: 'text', how, times: 2 });
    expect(outputIn((await respond()).json)).toBe(left);
    const events = eventsIn(await respond({ stream: true })) as Body[];
    const deltas = events.filter(({ type }) => type === 'response.output_text.delta');
    expect(deltas.map(({ delta }) => delta).join('')).toBe(left);
    expect(events.find(({ type }) => type === 'response.output_text.done')?.text).toBe(left);
    expect(outputIn(events.at(-1)?.response)).toBe(left);
    expect(outputIn((await respond()).json)).toBe(SAID);
  });

  it('that is half is paid in full: the gateway pretends that it is whole', async () => {
    await rig.chat();
    const { quota } = await rig.lastEntry();
    await rig.next({ kind: 'text', how: 'half' });
    await rig.chat();
    expect((await rig.lastEntry()).quota).toBe(quota);
  });
});

describe('a stream without its final event', () => {
  it('is a chat that neither says why it stopped nor that it is done, and is billed', async () => {
    await rig.next({ kind: 'no-final-event' });
    const answer = await rig.chat({ stream: true, stream_options: { include_usage: true } });
    expect(streamedIn(answer)).toBe(SAID);
    expect(answer.text).not.toMatch(/\[DONE\]|"stop"|prompt_tokens/);
    expect((await rig.lastEntry()).quota).toBeGreaterThan(0);
    expect((await rig.chat({ stream: true })).text).toMatch(/"stop".*\[DONE\]/s);
  });

  it('is a response that is never completed', async () => {
    await rig.next({ kind: 'no-final-event' });
    expect(eventsIn(await respond({ stream: true })).at(-1)).toMatchObject({ type: 'response.output_item.done' });
    expect(eventsIn(await respond({ stream: true })).at(-1)).toMatchObject({ type: 'response.completed' });
  });

  it('is an image of which only partial pictures come', async () => {
    const body = { model: 'alpha-image-2', prompt: 'a fox', size: '1024x640', stream: true, partial_images: 1 };
    const types = async () =>
      eventsIn(await rig.post('/v1/images/generations', body)).map((event) => (event as Body).type);
    await rig.next({ kind: 'no-final-event' });
    expect(await types()).toEqual(['image_generation.partial_image']);
    expect(await types()).toEqual(['image_generation.partial_image', 'image_generation.completed']);
  });

  it('is a native stream that gives no reason for its end', async () => {
    const path = '/v1/models/eta-2.5-flash-image:streamGenerateContent?alt=sse';
    const body = { contents: [{ role: 'user', parts: [{ text: 'a fox' }] }] };
    await rig.next({ kind: 'no-final-event' });
    const answer = await rig.post(path, body);
    expect(answer.text).toMatch(/inlineData/);
    expect(answer.text).not.toMatch(/finishReason/);
    expect((await rig.post(path, body)).text).toMatch(/finishReason/);
  });
});

describe('usage figures', () => {
  it('are missing', async () => {
    await rig.next({ kind: 'usage', how: 'missing', times: 3 });
    expect((await rig.chat()).json).not.toHaveProperty('usage');
    expect((await rig.chat({ stream: true, stream_options: { include_usage: true } })).text).not.toContain('usage');
    expect((await rig.post('/v1/embeddings', { model: 'text-embedding-3-small', input: 'a' })).json).not.toHaveProperty(
      'usage',
    );
    expect((await rig.chat()).json).toHaveProperty('usage.total_tokens');
  });

  it('do not add up, and the log does not know', async () => {
    await rig.next({ kind: 'usage', how: 'wrong' });
    const figures = (await rig.chat()).json?.usage as Record<string, number>;
    const sum = Number(figures.prompt_tokens) + Number(figures.completion_tokens);
    expect(figures.total_tokens).not.toBe(sum);
    const entry = await rig.lastEntry();
    expect(Number(entry.prompt_tokens) + Number(entry.completion_tokens)).toBe(sum);
    const honest = (await rig.chat()).json?.usage as Record<string, number>;
    expect(honest.total_tokens).toBe(sum);
  });

  it('do not add up at the end of a stream', async () => {
    await rig.next({ kind: 'usage', how: 'wrong' });
    const last = eventsIn(await respond({ stream: true })).at(-1) as { response: { usage: Record<string, number> } };
    const { input_tokens: input = 0, output_tokens: output = 0, total_tokens: total } = last.response.usage;
    expect(total).not.toBe(input + output);
  });
});

describe('token counting', () => {
  const count = async (content: string) =>
    (await rig.post('/v1/messages/count_tokens', { model: 'chat-a', messages: [{ role: 'user', content }] })).json
      ?.input_tokens;

  it('answers zero, or the same for any text', async () => {
    const honest = await count('a few words');
    expect(honest).toBeGreaterThan(0);
    await rig.next({ kind: 'tokens', how: 'zero' });
    expect(await count('a few words')).toBe(0);
    await rig.next({ kind: 'tokens', how: 'constant', times: 2 });
    expect(await count('a')).toBe(await count('a few words more than there were '.repeat(20)));
    expect(await count('a few words')).toBe(honest);
  });
});
