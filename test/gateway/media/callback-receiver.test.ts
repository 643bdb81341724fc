import { connect } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { type CallbackReceiver, openCallbackReceiver, type ReceiverOptions } from '../../../src/gateway/index.ts';
import { faultOf } from '../../http/client.ts';

const opened: CallbackReceiver[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((receiver) => receiver.close()));
});

async function receiver(options: ReceiverOptions = {}): Promise<CallbackReceiver> {
  const made = await openCallbackReceiver(options);
  opened.push(made);
  return made;
}

const post = (url: string, body: unknown): Promise<Response> =>
  fetch(url, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) });

const first = async <T>(items: AsyncIterable<T>): Promise<T | undefined> => {
  for await (const item of items) return item;
  return undefined;
};

describe('a callback receiver', () => {
  test('listens on loopback only, at a free port', async () => {
    expect((await receiver()).url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
  });

  test.each(['abc', 17, { nested: ['ä'] }])(
    'replies to the challenge %j immediately with the same challenge',
    async (challenge) => {
      const { url } = await receiver();
      const response = await post(url, { challenge, more: 'not this' });
      expect([response.status, await response.json()]).toEqual([200, { challenge }]);
      expect(response.headers.get('content-type')).toBe('application/json');
    },
  );

  test.each([
    ['queued', 'queued'],
    ['running', 'running'],
    ['in_progress', 'running'],
    ['succeeded', 'succeeded'],
    ['failed', 'failed'],
    ['cancelled', 'cancelled'],
    ['expired', 'expired'],
  ])('reads the status %s of a notification as %s', async (status, taken) => {
    const { url, notifications } = await receiver();
    expect((await post(url, { task_id: 't1', status })).status).toBe(200);
    expect(await first(notifications)).toMatchObject({ taskId: 't1', status: taken });
  });

  test('reports the query of the address that received it', async () => {
    const { url, notifications } = await receiver();
    await post(`${url}?task=17`, { task_id: 't1', status: 'queued' });
    await post(url, { task_id: 't1', status: 'running' });
    const came: unknown[] = [];
    for await (const { query } of notifications) {
      came.push(query);
      if (came.length === 2) break;
    }
    expect(came).toEqual(['task=17', undefined]);
  });

  test('reads the link, the last frame, and the id of the upstream', async () => {
    const { url, notifications } = await receiver();
    const content = { video_url: 'https://x/v.mp4', last_frame_url: 'https://x/f.png' };
    await post(url, { id: 'cgt-1', status: 'succeeded', content });
    expect(await first(notifications)).toMatchObject({
      taskId: 'cgt-1',
      url: 'https://x/v.mp4',
      lastFrameUrl: 'https://x/f.png',
    });
  });

  test('yields notifications in order, to a waiting reader and to a later one', async () => {
    const { url, notifications } = await receiver();
    const waiting = first(notifications);
    await post(url, { task_id: 't1', status: 'queued' });
    await post(url, { task_id: 't1', status: 'running' });
    await post(url, { task_id: 't1', status: 'succeeded' });
    expect((await waiting)?.status).toBe('queued');
    const rest: string[] = [];
    for await (const { status } of notifications) {
      rest.push(status);
      if (status === 'succeeded') break;
    }
    expect(rest).toEqual(['running', 'succeeded']);
  });

  test('calls `onNotification`, and asks for another attempt when that throws', async () => {
    const seen: string[] = [];
    const { url } = await receiver({
      onNotification: ({ status }) => {
        seen.push(status);
        if (seen.length === 1) throw new Error('busy');
      },
    });
    expect((await post(url, { task_id: 't1', status: 'queued' })).status).toBe(500);
    expect((await post(url, { task_id: 't1', status: 'queued' })).status).toBe(200);
    expect(seen).toEqual(['queued', 'queued']);
  });

  test.each(['', '{', 'null', '[]', '7', '{}', '{"status":"queued"}', '{"task_id":"t","status":"odd"}'])(
    'rejects %j with 400, and keeps listening',
    async (body) => {
      const { url } = await receiver();
      expect((await post(url, body)).status).toBe(400);
      expect((await post(url, { challenge: 1 })).status).toBe(200);
    },
  );

  test('rejects a notification that is too long with 413, and keeps listening', async () => {
    const { url } = await receiver();
    expect((await post(url, `{"challenge":"${'x'.repeat(1024 * 1024)}"}`)).status).toBe(413);
    expect((await post(url, { challenge: 1 })).status).toBe(200);
  });

  test('accepts only POST requests at its path', async () => {
    const { url } = await receiver({ path: '/hooks/abc' });
    expect(url).toMatch(/\/hooks\/abc$/);
    expect((await post(`${url}?sign=1`, { challenge: 1 })).status).toBe(200);
    expect((await post(url.replace('abc', ''), { challenge: 1 })).status).toBe(404);
    expect((await fetch(url)).status).toBe(405);
  });

  test('survives a connection that does not use HTTP', async () => {
    const { url } = await receiver();
    await new Promise<void>((done) => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1', () =>
        socket.write('POST // HTTP/1.1\r\n\r\n\u0000'),
      );
      socket.on('error', () => done()).on('close', () => done());
      socket.resume();
    });
    expect((await post(url, { challenge: 1 })).status).toBe(200);
  });

  test('ends its notifications and stops listening when it is closed', async () => {
    const { url, notifications, close } = await receiver();
    const waiting = first(notifications);
    await close();
    expect(await waiting).toBeUndefined();
    await expect(post(url, { challenge: 1 })).rejects.toThrow();
  });

  test('throws usage.invalid when the port is in use', async () => {
    const { url } = await receiver();
    const fault = await faultOf(openCallbackReceiver({ port: Number(new URL(url).port) }));
    expect(fault.code).toBe('usage.invalid');
  });
});

describe('a hostile post', () => {
  const CANARY = 'cAnArY-7f9Zq3kW8rT5';
  const receiverPath = '/hook-of-this-run';
  test.each<[string, (url: string) => Promise<Response>]>([
    ['to another path', (url) => post(new URL(`/${CANARY}`, url).href, { task_id: CANARY, status: 'succeeded' })],
    ['with another method', (url) => fetch(`${url}?${CANARY}`, { method: 'PUT', body: CANARY })],
    ['that is not JSON', (url) => post(url, CANARY)],
    ['of another kind', (url) => post(url, { [CANARY]: CANARY })],
    ['with an unknown status', (url) => post(url, { task_id: CANARY, status: CANARY })],
    ['that is too long', (url) => post(url, CANARY.repeat(60_000))],
    ['that is a notification', (url) => post(`${url}?${CANARY}`, { task_id: CANARY, status: 'failed' })],
    ['that cannot be processed', (url) => post(url, { task_id: CANARY, status: 'running' })],
  ])('is answered with none of its texts, nor the path of the receiver: %s', async (_case, send) => {
    const { url } = await receiver({
      path: receiverPath,
      onNotification: ({ status, taskId }) => {
        if (status === 'running') throw new Error(taskId);
      },
    });
    const response = await send(url);
    const seen = JSON.stringify([...response.headers]) + (await response.text());
    expect(seen).not.toContain(CANARY);
    expect(seen).not.toContain(receiverPath);
  });
});
