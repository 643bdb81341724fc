import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Bench, type Body, SEED, send, startBench } from '../harness.ts';

let bench: Bench;
beforeAll(async () => {
  const keys = [{ id: 1, name: 'plain', key: 'plain', unlimited_quota: true }];
  const models = { ...SEED.models, 'alpha-image-1': { price: 0.01 } };
  bench = await startBench({ seed: { ...SEED, models, keys } });
});
afterAll(() => bench.close());

const post = (path: string, body: string | FormData, headers: Record<string, string> = {}) =>
  fetch(bench.url + path, { method: 'POST', body, headers: { authorization: 'Bearer sk-plain', ...headers } });
const errorOf = async (answer: Response): Promise<unknown> => {
  const { error } = (await answer.json()) as { error: Body };
  return [answer.status, error.code];
};
const JSON_TYPE = { 'content-type': 'application/json' };

describe('a request that can not be read', () => {
  it.each(['{bad', '[1,', '"'])('as %s is no JSON', async (body) => {
    expect(await errorOf(await post('/v1/chat/completions', body, JSON_TYPE))).toEqual([400, 'unreadable_body']);
  });

  it.each(['', '{}', 'null', '[]', '7'])('as %s names no model', async (body) => {
    expect(await errorOf(await post('/v1/chat/completions', body, JSON_TYPE))).toEqual([400, 'invalid_request']);
  });

  it('is refused for its key before anybody reads it', async () => {
    const foreign = { ...JSON_TYPE, authorization: 'Bearer sk-unknown' };
    expect((await post('/v1/chat/completions', '{bad', foreign)).status).toBe(401);
  });

  it('of a media type that no family takes', async () => {
    const xml = { 'content-type': 'application/xml' };
    expect((await post('/v1/chat/completions', '<a/>', xml)).status).toBe(400);
  });

  it('as a form where JSON is taken, and as JSON where a form is', async () => {
    const form = new FormData();
    form.set('model', 'chat-a');
    expect(await errorOf(await post('/v1/chat/completions', form))).toEqual([400, 'invalid_request']);
    const body = JSON.stringify({ model: 'alpha-image-1', prompt: 'x' });
    expect(await errorOf(await post('/v1/images/edits', body, JSON_TYPE))).toEqual([400, 'invalid_request']);
  });

  it('as a form that breaks off', async () => {
    const broken = { 'content-type': 'multipart/form-data; boundary=x' };
    const answer = await post(
      '/v1/images/edits',
      '--x\r\nContent-Disposition: form-data; name="model"\r\n\r\nalp',
      broken,
    );
    expect(answer.status).toBe(400);
  });

  it('costs nothing and leaves the gateway well', async () => {
    const answer = await send(`${bench.url}/_reference/state`, 'GET');
    expect(answer.json?.log).toEqual([]);
    expect(answer.json?.holds).toEqual([]);
  });
});
