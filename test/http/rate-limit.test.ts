import { describe, expect, test } from 'vitest';
import type { HttpOptions, HttpRequest, TraceEvent } from '../../src/http/index.ts';
import { afterLimited, afterPassed, openPace } from '../../src/http/pace.ts';
import { tryParseRetryAfter } from '../../src/http/retry.ts';
import { client, faultOf, get, post } from './client.ts';
import { type Handler, inSequence, respondWith, serve } from './loopback.ts';
import { virtualClock } from './virtual-clock.ts';

describe('Retry-After', () => {
  const now = Date.parse('2027-01-01T00:00:00Z');

  test('is parsed as seconds or as an HTTP date', () => {
    expect(tryParseRetryAfter('120', now)).toBe(120_000);
    expect(tryParseRetryAfter(' 1.5 ', now)).toBe(1500);
    expect(tryParseRetryAfter('0.001', now)).toBe(1);
    expect(tryParseRetryAfter('Fri, 01 Jan 2027 00:01:30 GMT', now)).toBe(90_000);
  });

  test('is ignored when it is missing, malformed, zero or in the past', () => {
    const useless = [undefined, '', '0', '-5', 'soon', 'Thu, 31 Dec 2026 23:00:00 GMT'];
    expect(useless.map((text) => tryParseRetryAfter(text, now))).toEqual(useless.map(() => undefined));
  });
});

describe('a pace', () => {
  const limited = { now: 0, random: 1, retryAfterMs: undefined };

  test('doubles its wait with each 429 up to a minute, and halves it with each passing request', () => {
    let pace = openPace(8);
    const delays: number[] = [];
    for (let n = 0; n < 8; n++) {
      pace = afterLimited(pace, { ...limited, epoch: pace.epoch });
      delays.push(pace.delay);
    }
    expect(delays).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
    expect(afterPassed(pace, pace.epoch, 8)).toMatchObject({ delay: 30_000, width: 2 });
    expect([2000, 1999].map((delay) => afterPassed({ ...pace, delay }, pace.epoch, 8).delay)).toEqual([1000, 0]);
  });

  test('randomly shortens its own waits by at most a quarter', () => {
    const untils = [0, 0.5, 1].map((random) => afterLimited(openPace(8), { ...limited, epoch: 0, random }).until);
    expect(untils).toEqual([750, 875, 1000]);
  });

  test('counts many 429s of one burst once', () => {
    const first = afterLimited(openPace(8), { ...limited, epoch: 0 });
    expect(afterLimited(first, { ...limited, epoch: 0 })).toEqual(first);
  });

  test('ignores the response to a request from an earlier epoch', () => {
    let pace = openPace(8);
    for (const retryAfterMs of [5000, undefined, 5000, undefined]) {
      pace = afterLimited(pace, { ...limited, epoch: pace.epoch, retryAfterMs });
      expect(afterPassed(pace, 0, 8)).toBe(pace);
    }
  });

  test('admits one request after a 429, then one more for each that passes', () => {
    let pace = afterLimited(openPace(3), { ...limited, epoch: 0 });
    const widths = [pace.width];
    for (let n = 0; n < 4; n++) {
      pace = afterPassed(pace, pace.epoch, 3);
      widths.push(pace.width);
    }
    expect(widths).toEqual([1, 2, 3, 3, 3]);
  });
});

describe('a 429', () => {
  test('without Retry-After leads to a wait and a retry, even for a create', async () => {
    const server = await serve(inSequence(respondWith(429), respondWith(429), respondWith(200, 'made')));
    const clock = virtualClock();
    expect((await client({ clock }).send(post(server.url))).text).toBe('made');
    expect(clock.waits).toEqual([1000, 2000]);
  });

  test('with Retry-After leads to a wait of at least that long', async () => {
    const server = await serve(inSequence(respondWith(429, '', { 'retry-after': '30' }), respondWith(200)));
    const clock = virtualClock();
    const http = client({ clock, random: () => 0 });
    await http.send(get(server.url));
    expect(clock.waits).toEqual([30_000]);
  });

  test('that never ends is gateway.rate-limited when patience runs out', async () => {
    const server = await serve(respondWith(429));
    const clock = virtualClock();
    const began = clock.now();
    const fault = await faultOf(client({ clock, patienceMs: 100_000 }).send(post(`${server.url}/w`)));
    expect(fault.code).toBe('gateway.rate-limited');
    expect(fault.message).toBe(
      'POST /w: the gateway responds with 429 (too many requests), after 63 s of waiting. The next attempt would be in 60 s, and a request waits 100 s in all.',
    );
    expect(fault.hint).toBe('Try again later. The rejected request had no effect.');
    expect(fault.detail).toMatchObject({ method: 'POST', path: '/w', sent: 'no' });
    expect(clock.now() - began).toBe(63_000);
  });

  test('with a Retry-After beyond patience is gateway.rate-limited immediately', async () => {
    const server = await serve(respondWith(429, '', { 'retry-after': '7200' }));
    const clock = virtualClock();
    expect((await faultOf(client({ clock }).send(get(server.url)))).code).toBe('gateway.rate-limited');
    expect(clock.waits).toEqual([]);
  });

  test('that asks for the whole window each time opens when the oldest own request leaves the window', async () => {
    const clock = virtualClock(0);
    const limits = { api: { windowMs: 180_000 } };
    const http = client({ clock, limits, random: () => 0 });
    const whole = respondWith(429, '', { 'retry-after': '180' });
    const server = await serve(inSequence(respondWith(200), respondWith(200), whole, respondWith(200, 'opened')));
    await http.send(get(server.url));
    await clock.sleep(100_000);
    await http.send(get(server.url));
    await clock.sleep(20_000);
    expect((await http.send(get(server.url))).text).toBe('opened');
    expect(clock.waits.at(-1)).toBe(60_000);
  });

  test.each([
    ['is less than the window', '30', 30_000],
    ['is the window, and no own request is in it', '180', 180_000],
  ])('whose Retry-After %s is believed', async (_title, seconds, ms) => {
    const clock = virtualClock(0);
    const http = client({ clock, limits: { api: { windowMs: 180_000 } }, random: () => 0 });
    const server = await serve(inSequence(respondWith(429, '', { 'retry-after': seconds }), respondWith(200)));
    await http.send(get(server.url));
    expect(clock.waits).toEqual([ms]);
  });

  const critical = { api: { windowMs: 1_200_000, note: 'Logins count too.' } };

  test('of a limit with a long window ends the request after three probes, with the time to come back', async () => {
    const server = await serve(respondWith(429));
    const clock = virtualClock(0);
    const traced: TraceEvent[] = [];
    const http = client({ clock, limits: critical, onTrace: (event) => traced.push(event) });
    const fault = await faultOf(http.send(get(`${server.url}/r`)));
    expect(server.seen).toHaveLength(3);
    expect(fault).toMatchObject({
      code: 'gateway.rate-limited',
      message: 'GET /r: a rate limit of the gateway is reached, until 1970-01-01T00:20:04Z at the latest.',
      hint: 'Try again in 20 minutes. Logins count too. The rejected request had no effect.',
    });
    expect(fault.remedy).toBeUndefined();
    expect(traced.flatMap((event) => (event.kind === 'wait' ? [event.ms] : []))).toEqual([1000, 2000]);
    expect((await faultOf(http.send(get(server.url)))).code).toBe('gateway.rate-limited');
    expect(server.seen).toHaveLength(3);
  });

  test('of a limit with a long window is waited for when the oldest own request leaves it soon', async () => {
    const clock = virtualClock(0);
    const http = client({ clock, limits: critical, random: () => 0 });
    const limited = respondWith(429, '', { 'retry-after': '1200' });
    const server = await serve(inSequence(respondWith(200), limited, respondWith(200, 'opened')));
    await http.send(get(server.url));
    await clock.sleep(1_100_000);
    expect((await http.send(get(server.url))).text).toBe('opened');
    expect(clock.waits.at(-1)).toBe(100_000);
  });

  test('slows down requests of its own pace only', async () => {
    const clock = virtualClock();
    const began = clock.now();
    const times: Record<string, number> = {};
    const server = await serve(
      inSequence(respondWith(429, '', { 'retry-after': '60' }), (request, response) => {
        times[request.url] = clock.now() - began;
        return respondWith(200)(request, response);
      }),
    );
    const http = client({ clock, random: () => 0 });
    const limited = http.send(get(`${server.url}/held`));
    await http.send(get(`${server.url}/other`, { pace: 'search' }));
    await limited;
    expect(times).toEqual({ '/held': 60_000, '/other': 0 });
  });
});

/** A sliding window: so many answers in so many milliseconds, then empty 429s. Refusals do not count. */
function window(limit: number, ms: number, now: () => number) {
  const passed: number[] = [];
  const counts = { refused: 0 };
  const handler: Handler = (request, response) => {
    const full = passed.length >= limit && now() - (passed[passed.length - limit] ?? 0) < ms;
    counts.refused += full ? 1 : 0;
    if (!full) passed.push(now());
    return respondWith(full ? 429 : 200)(request, response);
  };
  return { handler, counts };
}

async function ride(total: number, options: HttpOptions, request: (n: number) => HttpRequest) {
  const http = client(options);
  let next = 0;
  const worker = async () => {
    while (next < total) await http.send(request(next++));
  };
  await Promise.all(Array.from({ length: 8 }, worker));
}

describe('many requests', () => {
  test('stay within a limit of 360 requests in 180 seconds with few rejections', async () => {
    let underWay = 0;
    const clock = virtualClock(0, () => underWay > 0);
    const { handler, counts } = window(360, 180_000, clock.now);
    const server = await serve((request, response) => {
      underWay += 1;
      response.on('close', () => {
        underWay -= 1;
      });
      return handler(request, response);
    });
    await ride(1000, { clock }, () => post(server.url));
    expect(server.seen.length - counts.refused).toBe(1000);
    expect(counts.refused).toBeLessThan(60);
    expect(clock.now()).toBeLessThan(2 * 180_000 + 180_000);
  });

  test('never exceed the concurrency limit, over all paces', async () => {
    let most = 0;
    const held: (() => void)[] = [];
    const server = await serve((request, response) => {
      held.push(() => respondWith(200)(request, response));
      most = Math.max(most, held.length);
      // Nobody is answered before three are here, and a fourth has its chance to come.
      if (held.length === 3) setTimeout(() => held.splice(0).forEach((release) => void release()), 5);
    });
    const http = client({ concurrency: 3 });
    const paces = ['api', 'search', 'reveal'];
    await Promise.all(Array.from({ length: 30 }, (_, n) => http.send(get(server.url, { pace: paces[n % 3] ?? '' }))));
    expect(most).toBe(3);
  });

  test('are sent in order of arrival after a 429', async () => {
    const server = await serve(inSequence(respondWith(429), respondWith(200)));
    const http = client({ concurrency: 1 });
    await Promise.all(['/1', '/2', '/3'].map((path) => http.send(get(server.url + path))));
    expect(server.seen.map(({ url }) => url)).toEqual(['/1', '/1', '/2', '/3']);
  });
});

describe('an interrupted run', () => {
  test('does not send another write: gateway.interrupted with `sent: no`', async () => {
    const server = await serve(respondWith(200));
    const fault = await faultOf(client({ signal: AbortSignal.abort() }).send(post(`${server.url}/w`)));
    expect(fault.code).toBe('gateway.interrupted');
    expect(fault.detail).toEqual({ method: 'POST', path: '/w', sent: 'no' });
    expect(server.seen).toHaveLength(0);
  });

  test('still sends and retries reads', async () => {
    const server = await serve(inSequence(respondWith(503), respondWith(200, 'read')));
    expect((await client({ signal: AbortSignal.abort() }).send(get(server.url))).text).toBe('read');
  });

  test('ends the wait of a write for a rate limit', async () => {
    const stop = new AbortController();
    const server = await serve((request, response) => {
      response.on('close', () => stop.abort());
      return respondWith(429, '', { 'retry-after': '100' })(request, response);
    });
    const clock = { now: () => 0, sleep: () => new Promise<void>(() => undefined) };
    const fault = await faultOf(client({ clock, signal: stop.signal }).send(post(server.url)));
    expect(fault.code).toBe('gateway.interrupted');
    expect(fault.detail.sent).toBe('no');
  });

  test('does not wait for a long rate limit before a read', async () => {
    const server = await serve(respondWith(429, '', { 'retry-after': '100' }));
    const fault = await faultOf(client({ signal: AbortSignal.abort() }).send(get(server.url)));
    expect(fault.code).toBe('gateway.interrupted');
    expect(server.seen).toHaveLength(1);
  });

  test('lets a write under way finish', async () => {
    const stop = new AbortController();
    const server = await serve((request, response) => {
      stop.abort();
      return respondWith(200, 'ended')(request, response);
    });
    expect((await client({ signal: stop.signal }).send(post(server.url))).text).toBe('ended');
  });

  test('reports a write without a connection as never sent, and does not retry it', async () => {
    const stop = new AbortController();
    const clock = virtualClock();
    const onTrace = ({ kind }: TraceEvent) => kind === 'failure' && stop.abort();
    const fault = await faultOf(client({ clock, onTrace, signal: stop.signal }).send(post('http://127.0.0.1:1/w')));
    expect(fault.code).toBe('gateway.unreachable');
    expect(fault.detail.sent).toBe('no');
    expect(clock.waits).toEqual([]);
  });

  test('reports a write with a lost response as lost, and does not retry it', async () => {
    const stop = new AbortController();
    const server = await serve((_request, response) => {
      stop.abort();
      response.socket?.destroy();
    });
    const clock = virtualClock();
    const fault = await faultOf(client({ clock, signal: stop.signal }).send(post(server.url, { retry: 'yes' })));
    expect(fault.code).toBe('gateway.connection-lost');
    expect(clock.waits).toEqual([]);
    expect(server.seen).toHaveLength(1);
  });
});
