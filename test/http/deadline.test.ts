import { describe, expect, it } from 'vitest';
import { client, faultOf, get, post } from './client.ts';
import { serve } from './loopback.ts';

const SOON_MS = 30;
/** Long enough for a request to be sent, and answered at once, by a machine that is busy. */
const AFTER_SENT_MS = 1000;
const hanging = () => serve(() => undefined);

describe('a deadline', () => {
  it('ends a request that is not answered, and names itself', async () => {
    const { url } = await hanging();
    const fault = await faultOf(client().send(get(`${url}/a`, { deadlineMs: AFTER_SENT_MS })));
    expect(fault).toMatchObject({
      code: 'gateway.timeout',
      message: `GET /a: it was not finished within ${AFTER_SENT_MS} ms, the time limit of the call.`,
      detail: { sent: 'maybe' },
    });
  });

  it('ends a body that does not end', async () => {
    const { url } = await serve((_, response) => {
      response.writeHead(200);
      response.write('x');
    });
    const open = await client().open(get(`${url}/a`, { deadlineMs: AFTER_SENT_MS }));
    const read = async () => {
      for await (const chunk of open.body) expect(chunk.length).toBe(1);
    };
    expect((await faultOf(read())).code).toBe('gateway.timeout');
  });

  it('ends a wait for a rate limit', async () => {
    const { url } = await serve((_, response) => {
      response.writeHead(429, { 'retry-after': '60' });
      response.end();
    });
    const clock = { now: () => Date.now(), sleep: () => new Promise<void>(() => undefined) };
    const fault = await faultOf(client({ clock }).send(get(`${url}/a`, { deadlineMs: AFTER_SENT_MS })));
    expect(fault).toMatchObject({ code: 'gateway.timeout', detail: { sent: 'no' } });
  });

  it('leaves a write that was sent to its response, if it completes once sent', async () => {
    const { url } = await serve((_, response) => {
      setTimeout(() => response.end('{}'), AFTER_SENT_MS + SOON_MS);
    });
    const { status } = await client().send(post(`${url}/a`, { deadlineMs: AFTER_SENT_MS, completesOnceSent: true }));
    expect(status).toBe(200);
  });
});

describe('a signal', () => {
  it('gives its reason as the cause, in the queue and under way', async () => {
    const { url, seen } = await hanging();
    const http = client({ concurrency: 1 });
    const stop = new AbortController();
    const both = [
      http.send(get(`${url}/a`, { signal: stop.signal })),
      http.send(get(`${url}/b`, { signal: stop.signal })),
    ];
    const reason = new Error('the user went away');
    stop.abort(reason);
    for (const each of both) expect(await faultOf(each)).toMatchObject({ code: 'gateway.interrupted', cause: reason });
    expect(seen.length).toBeLessThan(2);
  });

  it('of the client gives its reason to the writes that it ends', async () => {
    const stop = new AbortController();
    const http = client({ signal: stop.signal });
    stop.abort('shutdown');
    expect(await faultOf(http.send(post('http://127.0.0.1:9/a')))).toMatchObject({ cause: 'shutdown' });
  });

  it('that comes before a write that completes once sent keeps it from being sent', async () => {
    const { url, seen } = await hanging();
    const signal = AbortSignal.abort();
    const fault = await faultOf(client().send(post(`${url}/a`, { signal, completesOnceSent: true })));
    expect([fault.detail.sent, seen.length]).toEqual(['no', 0]);
  });
});

describe('a number of retries', () => {
  it.each([0, 1, 5])('of %d is kept after failures', async (maxRetries) => {
    const { url, seen } = await serve((_, response) => {
      response.writeHead(503);
      response.end();
    });
    expect((await faultOf(client().send(get(`${url}/a`, { maxRetries })))).code).toBe('gateway.unavailable');
    expect(seen).toHaveLength(maxRetries + 1);
  });

  it('is kept after a 429, which otherwise patience limits', async () => {
    const { url, seen } = await serve((_, response) => {
      response.writeHead(429);
      response.end();
    });
    const fault = await faultOf(client().send(get(`${url}/a`, { maxRetries: 1 })));
    expect([fault.code, seen.length]).toEqual(['gateway.rate-limited', 2]);
  });
});
