import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Body, START } from '../../harness.ts';
import { accept, type Receiver, type Reply, returnChallenge, startReceiver } from './receiver.ts';
import { delta, epsilon, type Studio, startStudio, VIDEO_SEED } from './studio.ts';

let studio: Studio;
const opened: Receiver[] = [];
beforeEach(async () => {
  studio = await startStudio();
});
afterEach(async () => {
  await studio.close();
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

interface Told {
  readonly due: readonly string[];
  readonly delivered: readonly string[];
  readonly failures: readonly { readonly status: string; readonly problem: string }[];
}

/** What is stored of a task's callback, once it has nothing left to tell. */
async function settledCallback(id: string, where = studio): Promise<Told> {
  for (;;) {
    const { callback } = await where.stored(id);
    if ((callback as Told).due.length === 0) return callback as Told;
  }
}

describe('Events', () => {
  it('epsilon family: notification statuses are `queued`, `running`, `succeeded`', async () => {
    const receiver = await receiving();
    const id = await studio.submitted(epsilon({ callback_url: receiver.url }));
    await receiver.received(1);
    await studio.at(1);
    await receiver.received(2);
    await studio.at(5);
    const bodies = await receiver.received(3);
    expect(statusesIn(bodies)).toEqual(['queued', 'running', 'succeeded']);
    expect(bodies.map(({ task_id }) => task_id)).toEqual([id, id, id]);
  });

  it('epsilon family: `failed`, with its error', async () => {
    const receiver = await receiving();
    await studio.submitted(epsilon({ callback_url: receiver.url }, { model: 'film-failing' }));
    await studio.at(5);
    const bodies = await receiver.received(3);
    expect(statusesIn(bodies)).toEqual(['queued', 'running', 'failed']);
    expect(bodies[2]?.error).toEqual({ code: 4711, message: 'the set is on fire' });
  });

  it('epsilon family: `expired`', async () => {
    const receiver = await receiving();
    await studio.submitted(
      epsilon({ callback_url: receiver.url, execution_expires_after: 3600 }, { model: 'film-slow' }),
    );
    await studio.at(3600);
    expect(statusesIn(await receiver.received(3))).toEqual(['queued', 'running', 'expired']);
  });

  it('sends the task-query structure', async () => {
    const receiver = await receiving();
    const id = await studio.submitted(epsilon({ callback_url: receiver.url, return_last_frame: true }));
    await studio.at(5);
    const bodies = await receiver.received(3);
    expect(bodies[2]).toEqual((await studio.query(id)).json);
    expect(bodies[1]).not.toHaveProperty('url');
  });

  it('delta family: the first request carries `challenge`, and those after it the statuses', async () => {
    const receiver = await receiving(returnChallenge);
    await studio.submitted(delta({ callback_url: receiver.url }));
    await studio.at(5);
    const [first, ...rest] = await receiver.received(4);
    expect(first).toEqual({ challenge: expect.stringMatching(/^\w{16,}$/) });
    expect(statusesIn(rest)).toEqual(['queued', 'running', 'succeeded']);
  });

  it('delta family: `cancelled`, and `failed`', async () => {
    for (const status of ['cancelled', 'failed']) {
      const receiver = await receiving(returnChallenge);
      const id = await studio.submitted(delta({ callback_url: receiver.url }));
      await studio.control('PATCH', `/tasks/${id}`, { status });
      expect(statusesIn(await receiver.received(3)).slice(1)).toEqual(['queued', status]);
    }
  });

  it('delta family: takes the challenge back as plain text too', async () => {
    const receiver = await receiving(({ challenge }, response) => void response.end(challenge as string | undefined));
    await studio.submitted(delta({ callback_url: receiver.url }));
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
      const id = await studio.submitted(delta({ callback_url: receiver.url }));
      const { failures } = await settledCallback(id);
      expect(failures).toEqual([expect.objectContaining({ status: 'challenge', problem: expect.any(String) })]);
      await studio.control('PATCH', `/tasks/${id}`, { status: 'succeeded' });
      expect((await settledCallback(id)).delivered).toEqual([]);
      expect(receiver.bodies).toHaveLength(1);
    }
  });

  it('delta family: the challenge is to be returned within 3 seconds', async () => {
    const receiver = await receiving(() => undefined);
    const began = performance.now();
    const id = await studio.submitted(delta({ callback_url: receiver.url }));
    const { failures } = await settledCallback(id);
    expect(failures[0]?.problem).toContain('3 s');
    expect(performance.now() - began).toBeGreaterThan(2900);
    expect((await studio.query(id)).status).toBe(200);
  });
});

describe('a notification', () => {
  it('is not sent where no callback URL was given', async () => {
    const id = await studio.submitted(epsilon());
    expect(await studio.stored(id)).not.toHaveProperty('callback');
  });

  it('that does not arrive is noted, and leaves the task as it is', async () => {
    const gone = await startReceiver();
    await gone.close();
    const id = await studio.submitted(epsilon({ callback_url: gone.url }));
    await studio.at(5);
    const { delivered, failures } = await settledCallback(id);
    expect(delivered).toEqual([]);
    expect(failures.map(({ status }) => status)).toEqual(['queued', 'running', 'succeeded']);
    expect((await studio.query(id)).json?.status).toBe('succeeded');
  });

  it('that is refused is noted, and the next one is sent nevertheless', async () => {
    let turn = 0;
    const receiver = await receiving((_body, response) => void response.writeHead(turn++ === 0 ? 503 : 200).end());
    const id = await studio.submitted(epsilon({ callback_url: receiver.url }));
    await studio.at(5);
    const { delivered, failures } = await settledCallback(id);
    expect(failures).toEqual([expect.objectContaining({ status: 'queued', problem: expect.stringContaining('503') })]);
    expect(delivered).toEqual(['in_progress', 'succeeded']);
  });

  it('follows no redirect and takes no credentials along', async () => {
    const elsewhere = await receiving();
    const receiver = await receiving(
      (_body, response) => void response.writeHead(307, { location: elsewhere.url }).end(),
    );
    const id = await studio.submitted(epsilon({ callback_url: receiver.url }));
    expect((await settledCallback(id)).failures).toHaveLength(1);
    expect(elsewhere.bodies).toEqual([]);
    const secret = receiver.url.replace('//', '//user:password@');
    const withSecret = await studio.submitted(epsilon({ callback_url: secret }));
    expect((await settledCallback(withSecret)).failures[0]?.problem).toContain('credentials');
    expect(receiver.bodies).toHaveLength(1);
  });

  it('of what moved while the receiver was slow comes in its order', async () => {
    const held: (() => void)[] = [];
    const receiver = await receiving((_body, response) => void held.push(() => response.end()));
    await studio.submitted(epsilon({ callback_url: receiver.url }));
    await receiver.received(1);
    await studio.at(5);
    expect(statusesIn(receiver.bodies)).toEqual(['queued']);
    for (let count = 1; count <= 3; count += 1) {
      await receiver.received(count);
      held.shift()?.();
    }
    expect(statusesIn(receiver.bodies)).toEqual(['queued', 'running', 'succeeded']);
  });

  it('that was not sent before the gateway ended is sent after a restart', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'keyplane-events-'));
    const receiver = await receiving();
    try {
      const data = join(folder, 'ledger.db');
      const before = await startStudio({ data });
      await settledCallback(await before.submitted(epsilon({ callback_url: receiver.url })), before);
      await before.close();
      const after = await startStudio({ data, now: () => START + 5 });
      const bodies = await receiver.received(3);
      await after.close();
      expect(statusesIn(bodies)).toEqual(['queued', 'running', 'succeeded']);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('comes by itself when the clock runs', async () => {
    const receiver = await receiving();
    const running = await startStudio({ now: () => Date.now() / 1000, seed: QUICK });
    try {
      await running.submitted(epsilon({ callback_url: receiver.url }, { model: 'film-quick' }));
      expect(statusesIn(await receiver.received(3))).toEqual(['queued', 'running', 'succeeded']);
    } finally {
      await running.close();
    }
  });
});
