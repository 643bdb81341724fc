import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Body, START } from '../../harness.ts';
import { accept, type Receiver, type Reply, returnChallenge, startReceiver } from './receiver.ts';
import { delta, epsilon, startVideoGateway, VIDEO_SEED, type VideoGateway } from './video-gateway.ts';

let gateway: VideoGateway;
const opened: Receiver[] = [];
beforeEach(async () => {
  gateway = await startVideoGateway();
});
afterEach(async () => {
  await gateway.close();
  for (const receiver of opened.splice(0)) await receiver.close();
});

async function receiving(reply: Reply = accept): Promise<Receiver> {
  const receiver = await startReceiver(reply);
  opened.push(receiver);
  return receiver;
}

const QUICK = {
  ...VIDEO_SEED,
  models: { 'film-quick': { price: 0.5, family: 'epsilon-video', task: { queueSeconds: 0, runSeconds: 1 } } },
} as const;

const statusesIn = (bodies: readonly Body[]): readonly unknown[] => bodies.map(({ status }) => status);

interface StoredCallback {
  readonly due: readonly string[];
  readonly delivered: readonly string[];
  readonly failures: readonly { readonly status: string; readonly problem: string }[];
}

/** The stored callback of a task, once every notification was sent. */
async function settledCallback(id: string, where = gateway): Promise<StoredCallback> {
  for (;;) {
    const { callback } = await where.stored(id);
    if ((callback as StoredCallback).due.length === 0) return callback as StoredCallback;
  }
}

describe('Events', () => {
  it('epsilon family: notification statuses are `queued`, `running`, `succeeded`', async () => {
    const receiver = await receiving();
    const id = await gateway.submitted(epsilon({ callback_url: receiver.url }));
    await receiver.received(1);
    await gateway.at(1);
    await receiver.received(2);
    await gateway.at(5);
    const bodies = await receiver.received(3);
    expect(statusesIn(bodies)).toEqual(['queued', 'running', 'succeeded']);
    expect(bodies.map(({ task_id }) => task_id)).toEqual([id, id, id]);
  });

  it('epsilon family: `failed`, with its error', async () => {
    const receiver = await receiving();
    await gateway.submitted(epsilon({ callback_url: receiver.url }, { model: 'film-failing' }));
    await gateway.at(5);
    const bodies = await receiver.received(3);
    expect(statusesIn(bodies)).toEqual(['queued', 'running', 'failed']);
    expect(bodies[2]?.error).toEqual({ code: 4711, message: 'the set is on fire' });
  });

  it('epsilon family: `expired`', async () => {
    const receiver = await receiving();
    await gateway.submitted(
      epsilon({ callback_url: receiver.url, execution_expires_after: 3600 }, { model: 'film-slow' }),
    );
    await gateway.at(3600);
    expect(statusesIn(await receiver.received(3))).toEqual(['queued', 'running', 'expired']);
  });

  it('sends the task-query structure', async () => {
    const receiver = await receiving();
    const id = await gateway.submitted(epsilon({ callback_url: receiver.url, return_last_frame: true }));
    await gateway.at(5);
    const bodies = await receiver.received(3);
    expect(bodies[2]).toEqual((await gateway.query(id)).json);
    expect(bodies[1]).not.toHaveProperty('url');
  });

  it('delta family: the first request carries `challenge`, the later ones the statuses', async () => {
    const receiver = await receiving(returnChallenge);
    await gateway.submitted(delta({ callback_url: receiver.url }));
    await gateway.at(5);
    const [first, ...rest] = await receiver.received(4);
    expect(first).toEqual({ challenge: expect.stringMatching(/^\w{16,}$/) });
    expect(statusesIn(rest)).toEqual(['queued', 'running', 'succeeded']);
  });

  it('delta family: `cancelled`, and `failed`', async () => {
    for (const status of ['cancelled', 'failed']) {
      const receiver = await receiving(returnChallenge);
      const id = await gateway.submitted(delta({ callback_url: receiver.url }));
      await gateway.control('PATCH', `/tasks/${id}`, { status });
      expect(statusesIn(await receiver.received(3)).slice(1)).toEqual(['queued', status]);
    }
  });

  it('delta family: accepts the challenge as plain text too', async () => {
    const receiver = await receiving(({ challenge }, response) => void response.end(challenge as string | undefined));
    await gateway.submitted(delta({ callback_url: receiver.url }));
    expect(statusesIn(await receiver.received(2))[1]).toBe('queued');
  });

  it('delta family: does not notify a receiver that returns another challenge', async () => {
    const replies: readonly Reply[] = [
      accept,
      ({ challenge }, response) => void response.end(JSON.stringify({ challenge: `${challenge}!` })),
      ({ challenge }, response) => void response.writeHead(500).end(String(challenge)),
    ];
    for (const reply of replies) {
      const receiver = await receiving(reply);
      const id = await gateway.submitted(delta({ callback_url: receiver.url }));
      const { failures } = await settledCallback(id);
      expect(failures).toEqual([expect.objectContaining({ status: 'challenge', problem: expect.any(String) })]);
      await gateway.control('PATCH', `/tasks/${id}`, { status: 'succeeded' });
      expect((await settledCallback(id)).delivered).toEqual([]);
      expect(receiver.bodies).toHaveLength(1);
    }
  });

  it('delta family: the challenge must be returned within 3 seconds', async () => {
    const receiver = await receiving(() => undefined);
    const began = performance.now();
    const id = await gateway.submitted(delta({ callback_url: receiver.url }));
    const { failures } = await settledCallback(id);
    expect(failures[0]?.problem).toContain('3 s');
    expect(performance.now() - began).toBeGreaterThan(2900);
    expect((await gateway.query(id)).status).toBe(200);
  });
});

describe('a notification', () => {
  it('is not sent without a callback URL', async () => {
    const id = await gateway.submitted(epsilon());
    expect(await gateway.stored(id)).not.toHaveProperty('callback');
  });

  it('is recorded when it cannot be delivered, and does not affect the task', async () => {
    const gone = await startReceiver();
    await gone.close();
    const id = await gateway.submitted(epsilon({ callback_url: gone.url }));
    await gateway.at(5);
    const { delivered, failures } = await settledCallback(id);
    expect(delivered).toEqual([]);
    expect(failures.map(({ status }) => status)).toEqual(['queued', 'running', 'succeeded']);
    expect((await gateway.query(id)).json?.status).toBe('succeeded');
  });

  it('is recorded when it is rejected, and the next one is still sent', async () => {
    let turn = 0;
    const receiver = await receiving((_body, response) => void response.writeHead(turn++ === 0 ? 503 : 200).end());
    const id = await gateway.submitted(epsilon({ callback_url: receiver.url }));
    await gateway.at(5);
    const { delivered, failures } = await settledCallback(id);
    expect(failures).toEqual([expect.objectContaining({ status: 'queued', problem: expect.stringContaining('503') })]);
    expect(delivered).toEqual(['in_progress', 'succeeded']);
  });

  it('follows no redirects and carries no credentials', async () => {
    const elsewhere = await receiving();
    const receiver = await receiving(
      (_body, response) => void response.writeHead(307, { location: elsewhere.url }).end(),
    );
    const id = await gateway.submitted(epsilon({ callback_url: receiver.url }));
    expect((await settledCallback(id)).failures).toHaveLength(1);
    expect(elsewhere.bodies).toEqual([]);
    const secret = receiver.url.replace('//', '//user:password@');
    const withSecret = await gateway.submitted(epsilon({ callback_url: secret }));
    expect((await settledCallback(withSecret)).failures[0]?.problem).toContain('credentials');
    expect(receiver.bodies).toHaveLength(1);
  });

  it('arrives in order although the receiver was slow', async () => {
    const waiting: (() => void)[] = [];
    const receiver = await receiving((_body, response) => void waiting.push(() => response.end()));
    await gateway.submitted(epsilon({ callback_url: receiver.url }));
    await receiver.received(1);
    await gateway.at(5);
    expect(statusesIn(receiver.bodies)).toEqual(['queued']);
    for (let count = 1; count <= 3; count += 1) {
      await receiver.received(count);
      waiting.shift()?.();
    }
    expect(statusesIn(receiver.bodies)).toEqual(['queued', 'running', 'succeeded']);
  });

  it('is sent after a restart if the gateway closed before', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'keyplane-events-'));
    const receiver = await receiving();
    try {
      const data = join(folder, 'ledger.db');
      const before = await startVideoGateway({ data });
      await settledCallback(await before.submitted(epsilon({ callback_url: receiver.url })), before);
      await before.close();
      const after = await startVideoGateway({ data, now: () => START + 5 });
      const bodies = await receiver.received(3);
      await after.close();
      expect(statusesIn(bodies)).toEqual(['queued', 'running', 'succeeded']);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('is sent as the clock runs, without any request', async () => {
    const receiver = await receiving();
    const running = await startVideoGateway({ now: () => Date.now() / 1000, seed: QUICK });
    try {
      await running.submitted(epsilon({ callback_url: receiver.url }, { model: 'film-quick' }));
      expect(statusesIn(await receiver.received(3))).toEqual(['queued', 'running', 'succeeded']);
    } finally {
      await running.close();
    }
  });
});
