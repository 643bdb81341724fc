import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LOG_TYPE } from '../../../../src/wire/index.ts';
import type { Body } from '../../harness.ts';
import { START } from '../../harness.ts';
import { COST, epsilon, startVideoGateway, type VideoGateway } from './video-gateway.ts';

let gateway: VideoGateway;
beforeEach(async () => {
  gateway = await startVideoGateway();
});
afterEach(() => gateway.close());

const statusOf = async (id: string): Promise<unknown> => (await gateway.query(id)).json?.status;

interface Books {
  readonly wallet: number;
  readonly used: number;
  readonly log: readonly Body[];
}

async function books(): Promise<Books> {
  const { accounts, keys, log } = (await gateway.control('GET', '/state')) as Record<string, Body[]>;
  return { wallet: Number(accounts?.[0]?.quota), used: Number(keys?.[0]?.used_quota), log: log ?? [] };
}

describe('Video task status', () => {
  it('(none): `POST /v1/video/generations` accepted, request valid: `queued`, task created; billable', async () => {
    const before = await books();
    const id = await gateway.submitted(epsilon());
    expect(await statusOf(id)).toBe('queued');
    expect((await books()).wallet).toBe(before.wallet - COST);
  });

  it('any non-terminal: execution time exceeds `execution_expires_after`, measured from task creation: `expired`', async () => {
    await gateway.at(100);
    const id = await gateway.submitted(epsilon({ execution_expires_after: 3600 }, { model: 'film-slow' }));
    await gateway.at(3699);
    expect(await statusOf(id)).toBe('in_progress');
    await gateway.at(3700);
    expect(await statusOf(id)).toBe('expired');
  });

  it('expires after two days by default', async () => {
    const id = await gateway.submitted(epsilon({}, { model: 'film-slow' }));
    await gateway.at(172_799);
    expect(await statusOf(id)).toBe('in_progress');
    await gateway.at(172_800);
    expect(await statusOf(id)).toBe('expired');
  });

  it('ends once, even if the clock is set back', async () => {
    const id = await gateway.submitted(epsilon());
    await gateway.at(5);
    expect(await statusOf(id)).toBe('succeeded');
    await gateway.at(0);
    expect(await statusOf(id)).toBe('succeeded');
    expect(await gateway.stored(id)).toMatchObject({ started_at: START + 1, settled_at: START + 5 });
  });

  it('is the same when nobody has queried it for a long time', async () => {
    const id = await gateway.submitted(epsilon());
    await gateway.at(1_000_000);
    expect(await gateway.stored(id)).toMatchObject({
      status: 'succeeded',
      started_at: START + 1,
      settled_at: START + 5,
    });
  });
});

describe('a task that did not succeed', () => {
  const refundsIn = ({ log }: Books): readonly Body[] => log.filter(({ type }) => type === LOG_TYPE.refund);

  it('is refunded once, with a log entry', async () => {
    const before = await books();
    const id = await gateway.submitted(epsilon({}, { model: 'film-failing' }));
    await gateway.at(5);
    await statusOf(id);
    await gateway.at(50);
    await statusOf(id);
    const after = await books();
    expect([after.wallet, after.used]).toEqual([before.wallet, before.used]);
    const [paid] = after.log.filter(({ type }) => type === LOG_TYPE.consumption);
    expect(refundsIn(after)).toEqual([
      expect.objectContaining({ quota: COST, request_id: paid?.request_id, token_id: 1, model_name: 'film-failing' }),
    ]);
    expect(refundsIn(after)[0]?.content).toContain('failed');
  });

  it('is refunded for every final status but success', async () => {
    for (const status of ['failed', 'expired', 'cancelled']) {
      const before = await books();
      const id = await gateway.submitted(epsilon());
      await gateway.control('PATCH', `/tasks/${id}`, { status });
      expect((await gateway.stored(id)).status).toBe(status);
      expect((await books()).wallet, status).toBe(before.wallet);
    }
    const before = await books();
    const id = await gateway.submitted(epsilon());
    await gateway.control('PATCH', `/tasks/${id}`, { status: 'succeeded' });
    expect((await books()).wallet).toBe(before.wallet - COST);
  });

  it('is refunded to the wallet when its key was deleted', async () => {
    const before = await books();
    await gateway.submitted(epsilon({}, { model: 'film-failing' }));
    await gateway.call('DELETE', '/api/token/1');
    await gateway.at(5);
    await gateway.control('GET', '/tasks');
    expect((await books()).wallet).toBe(before.wallet);
  });
});

describe('the queue of a model with one slot', () => {
  const narrow = (metadata: Body = {}) => gateway.submitted(epsilon(metadata, { model: 'film-narrow-2-0' }));

  it('orders tasks by `metadata.priority`, then by submission, and interrupts none', async () => {
    const [first, second] = [await narrow(), await narrow()];
    await gateway.at(1);
    expect([await statusOf(first), await statusOf(second)]).toEqual(['in_progress', 'queued']);
    const urgent = await narrow({ priority: 9 });
    await gateway.at(5);
    expect([await statusOf(first), await statusOf(urgent)]).toEqual(['in_progress', 'queued']);
    await gateway.at(11);
    expect([await statusOf(first), await statusOf(urgent), await statusOf(second)]).toEqual([
      'succeeded',
      'in_progress',
      'queued',
    ]);
    await gateway.at(21);
    expect([await statusOf(urgent), await statusOf(second)]).toEqual(['succeeded', 'in_progress']);
  });

  it('starts the next task immediately when the running one is cancelled', async () => {
    const [first, second] = [await narrow(), await narrow()];
    await gateway.at(3);
    await gateway.control('PATCH', `/tasks/${first}`, { status: 'cancelled' });
    expect(await statusOf(second)).toBe('in_progress');
    expect(await gateway.stored(second)).toMatchObject({ started_at: START + 3 });
  });
});

describe('a task that the control endpoints change', () => {
  it('fails with the given error at the end of its run', async () => {
    const id = await gateway.submitted(epsilon());
    await gateway.control('PATCH', `/tasks/${id}`, { error: { code: 42, message: 'no film in the camera' } });
    expect(await statusOf(id)).toBe('queued');
    await gateway.at(5);
    expect((await gateway.query(id)).json).toMatchObject({
      status: 'failed',
      error: { code: 42, message: 'no film in the camera' },
    });
  });

  it('shows the given result', async () => {
    const id = await gateway.submitted(epsilon());
    await gateway.control('PATCH', `/tasks/${id}`, { status: 'succeeded', url: 'https://example.com/film.mp4' });
    expect((await gateway.query(id)).json?.url).toBe('https://example.com/film.mp4');
  });

  it('starts when the control endpoint starts it, and ends its run time later', async () => {
    const id = await gateway.submitted(epsilon());
    await gateway.control('PATCH', `/tasks/${id}`, { status: 'in_progress' });
    expect(await statusOf(id)).toBe('in_progress');
    await gateway.at(4);
    expect(await statusOf(id)).toBe('succeeded');
  });

  it('rejects impossible statuses and invalid patches', async () => {
    const id = await gateway.submitted(epsilon());
    await gateway.control('PATCH', `/tasks/${id}`, { status: 'succeeded' });
    const refused = [
      await gateway.control('PATCH', `/tasks/${id}`, { status: 'failed' }),
      await gateway.control('PATCH', `/tasks/${id}`, { status: 'lost' }),
      await gateway.control('PATCH', `/tasks/${id}`, { colour: 'red' }),
      await gateway.control('PATCH', '/tasks/task_nobody', { status: 'failed' }),
    ];
    for (const answer of refused) expect(answer).toEqual({ error: { message: expect.any(String) } });
    expect(await statusOf(id)).toBe('succeeded');
  });
});

describe('a task after a restart', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'keyplane-video-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('continues if it was unsettled, and is unchanged if it had ended', async () => {
    const data = join(folder, 'ledger.db');
    const before = await startVideoGateway({ data });
    const ended = await before.submitted(epsilon());
    await before.at(5);
    const underWay = await before.submitted(epsilon());
    expect((await before.query(ended)).json?.status).toBe('succeeded');
    await before.close();
    const after = await startVideoGateway({ data, now: () => START + 7 });
    try {
      expect((await after.query(ended)).json?.status).toBe('succeeded');
      expect((await after.query(underWay)).json?.status).toBe('in_progress');
      await after.at(10);
      const { json } = await after.query(underWay);
      expect(json?.status).toBe('succeeded');
      expect((await fetch(String(json?.url))).status).toBe(200);
    } finally {
      await after.close();
    }
  });
});
