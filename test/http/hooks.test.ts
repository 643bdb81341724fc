import { describe, expect, it } from 'vitest';
import type { HttpHooks, RequestEvent } from '../../src/http/index.ts';
import { client, faultOf, get, post } from './client.ts';
import { serve } from './loopback.ts';

const OK = '{"success":true}';

function recording(): { readonly hooks: HttpHooks; readonly events: (RequestEvent & { kind: string })[] } {
  const events: (RequestEvent & { kind: string })[] = [];
  const record = (kind: string) => (event: RequestEvent) => void events.push({ kind, ...event });
  return {
    events,
    hooks: { onRequest: record('request'), onResponse: record('response'), onRetry: record('retry') },
  };
}

describe('hooks', () => {
  it('see each attempt, its end with the id of the server, and each wait', async () => {
    let calls = 0;
    const { url } = await serve((_, response) => {
      calls += 1;
      response.writeHead(calls === 1 ? 503 : 200, { 'x-request-id': `req-${calls}` });
      response.end(OK);
    });
    const { hooks, events } = recording();
    const http = client({ hooks: [hooks] });
    await http.send(get(`${url}/api/token/?p=1&keyword=canary-name`));
    await http.send(get(`${url}/b`));
    const path = '/api/token/?p=1&keyword=…';
    const first = { id: 0, method: 'GET', path, host: new URL(url).host };
    expect(events).toMatchObject([
      { kind: 'request', ...first, attempt: 1 },
      { kind: 'response', ...first, attempt: 1, status: 503, requestId: 'req-1' },
      { kind: 'retry', ...first, attempt: 1, reason: 'retry', ms: 300 },
      { kind: 'request', ...first, attempt: 2 },
      { kind: 'response', ...first, attempt: 2, status: 200, requestId: 'req-2' },
      { kind: 'request', id: 1, attempt: 1 },
      { kind: 'response', id: 1, attempt: 1, status: 200 },
    ]);
    expect(JSON.stringify(events)).not.toContain('canary');
  });

  it('see an attempt without a response by its code', async () => {
    const { url } = await serve((_, response) => {
      response.destroy();
    });
    const { hooks, events } = recording();
    await faultOf(client({ hooks: [hooks] }).send(post(`${url}/a`)));
    expect(events[1]).toMatchObject({ kind: 'response', code: 'gateway.connection-lost' });
    expect(events[1]).not.toHaveProperty('status');
  });

  it('that throw, or reject, change nothing', async () => {
    const { url, seen } = await serve((_, response) => {
      response.end(OK);
    });
    const broken: HttpHooks = {
      onRequest() {
        throw new Error('from a hook');
      },
      onResponse: async () => Promise.reject(new Error('later')),
    };
    const { hooks, events } = recording();
    const onTrace = () => {
      throw new Error('from a trace');
    };
    const { status } = await client({ hooks: [broken, hooks], onTrace }).send(post(`${url}/a`));
    expect([status, seen.length, events.length]).toEqual([200, 1, 2]);
  });
});
