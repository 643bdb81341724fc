import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LOG_TYPE } from '../../../../src/wire/index.ts';
import type { Body } from '../../harness.ts';
import { START } from '../../harness.ts';
import { COST, epsilon, type Studio, startStudio } from './studio.ts';

let studio: Studio;
beforeEach(async () => {
  studio = await startStudio();
});
afterEach(() => studio.close());

const statusOf = async (id: string): Promise<unknown> => (await studio.query(id)).json?.status;

interface Books {
  readonly wallet: number;
  readonly used: number;
  readonly log: readonly Body[];
}

async function books(): Promise<Books> {
  const { accounts, keys, log } = (await studio.control('GET', '/state')) as Record<string, Body[]>;
  return { wallet: Number(accounts?.[0]?.quota), used: Number(keys?.[0]?.used_quota), log: log ?? [] };
}

describe('Video task status', () => {
  it('(none): `POST /v1/video/generations` accepted, request valid: `queued`, task created; billable', async () => {
    const before = await books();
    const id = await studio.submitted(epsilon());
    expect(await statusOf(id)).toBe('queued');
    expect((await books()).wallet).toBe(before.wallet - COST);
  });

  it('any non-terminal: execution time exceeds `execution_expires_after`, measured from task creation: `expired`', async () => {
    await studio.at(100);
    const id = await studio.submitted(epsilon({ execution_expires_after: 3600 }, { model: 'film-slow' }));
    await studio.at(3699);
    expect(await statusOf(id)).toBe('in_progress');
    await studio.at(3700);
    expect(await statusOf(id)).toBe('expired');
  });

  it('expires after two days where nothing is said', async () => {
    const id = await studio.submitted(epsilon({}, { model: 'film-slow' }));
    await studio.at(172_799);
    expect(await statusOf(id)).toBe('in_progress');
    await studio.at(172_800);
    expect(await statusOf(id)).toBe('expired');
  });

  it('ends once: what has ended stays so, wherever the clock is set', async () => {
    const id = await studio.submitted(epsilon());
    await studio.at(5);
    expect(await statusOf(id)).toBe('succeeded');
    await studio.at(0);
    expect(await statusOf(id)).toBe('succeeded');
    expect(await studio.stored(id)).toMatchObject({ started_at: START + 1, settled_at: START + 5 });
  });

  it('is the same when nobody has looked for a long time', async () => {
    const id = await studio.submitted(epsilon());
    await studio.at(1_000_000);
    expect(await studio.stored(id)).toMatchObject({
      status: 'succeeded',
      started_at: START + 1,
      settled_at: START + 5,
    });
  });
});

describe('a task that came to nothing', () => {
  const refundsIn = ({ log }: Books): readonly Body[] => log.filter(({ type }) => type === LOG_TYPE.refund);

  it('gives back its price, once, with an entry in the log', async () => {
    const before = await books();
    const id = await studio.submitted(epsilon({}, { model: 'film-failing' }));
    await studio.at(5);
    await statusOf(id);
    await studio.at(50);
    await statusOf(id);
    const after = await books();
    expect([after.wallet, after.used]).toEqual([before.wallet, before.used]);
    const [paid] = after.log.filter(({ type }) => type === LOG_TYPE.consumption);
    expect(refundsIn(after)).toEqual([
      expect.objectContaining({ quota: COST, request_id: paid?.request_id, token_id: 1, model_name: 'film-failing' }),
    ]);
    expect(refundsIn(after)[0]?.content).toContain('failed');
  });

  it('gives it back for every end but success', async () => {
    for (const status of ['failed', 'expired', 'cancelled']) {
      const before = await books();
      const id = await studio.submitted(epsilon());
      await studio.control('PATCH', `/tasks/${id}`, { status });
      expect(await statusOf(id)).toBe(status);
      expect((await books()).wallet, status).toBe(before.wallet);
    }
    const before = await books();
    const id = await studio.submitted(epsilon());
    await studio.control('PATCH', `/tasks/${id}`, { status: 'succeeded' });
    expect((await books()).wallet).toBe(before.wallet - COST);
  });

  it('gives it back to the wallet when the key is gone', async () => {
    const before = await books();
    await studio.submitted(epsilon({}, { model: 'film-failing' }));
    await studio.call('DELETE', '/api/token/1');
    await studio.at(5);
    await studio.control('GET', '/tasks');
    expect((await books()).wallet).toBe(before.wallet);
  });
});

describe('the queue of a model that runs one at once', () => {
  const narrow = (metadata: Body = {}) => studio.submitted(epsilon(metadata, { model: 'film-narrow-2-0' }));

  it('goes by `metadata.priority`, then first in, first out; running tasks are not interrupted', async () => {
    const [first, second] = [await narrow(), await narrow()];
    await studio.at(1);
    expect([await statusOf(first), await statusOf(second)]).toEqual(['in_progress', 'queued']);
    const urgent = await narrow({ priority: 9 });
    await studio.at(5);
    expect([await statusOf(first), await statusOf(urgent)]).toEqual(['in_progress', 'queued']);
    await studio.at(11);
    expect([await statusOf(first), await statusOf(urgent), await statusOf(second)]).toEqual([
      'succeeded',
      'in_progress',
      'queued',
    ]);
    await studio.at(21);
    expect([await statusOf(urgent), await statusOf(second)]).toEqual(['succeeded', 'in_progress']);
  });

  it('goes on at once when the running task is cancelled', async () => {
    const [first, second] = [await narrow(), await narrow()];
    await studio.at(3);
    await studio.control('PATCH', `/tasks/${first}`, { status: 'cancelled' });
    expect(await statusOf(second)).toBe('in_progress');
    expect(await studio.stored(second)).toMatchObject({ started_at: START + 3 });
  });
});

describe('a task that is played by the control endpoints', () => {
  it('fails with the error that it was given, when its time has come', async () => {
    const id = await studio.submitted(epsilon());
    await studio.control('PATCH', `/tasks/${id}`, { error: { code: 42, message: 'no film in the camera' } });
    expect(await statusOf(id)).toBe('queued');
    await studio.at(5);
    expect((await studio.query(id)).json).toMatchObject({
      status: 'failed',
      error: { code: 42, message: 'no film in the camera' },
    });
  });

  it('shows another result', async () => {
    const id = await studio.submitted(epsilon());
    await studio.control('PATCH', `/tasks/${id}`, { status: 'succeeded', url: 'https://example.com/film.mp4' });
    expect((await studio.query(id)).json?.url).toBe('https://example.com/film.mp4');
  });

  it('starts when the control endpoint starts it, and ends its run time later', async () => {
    const id = await studio.submitted(epsilon());
    await studio.control('PATCH', `/tasks/${id}`, { status: 'in_progress' });
    expect(await statusOf(id)).toBe('in_progress');
    await studio.at(4);
    expect(await statusOf(id)).toBe('succeeded');
  });

  it('is refused what it can not become, and a patch that is none', async () => {
    const id = await studio.submitted(epsilon());
    await studio.control('PATCH', `/tasks/${id}`, { status: 'succeeded' });
    const refused = [
      await studio.control('PATCH', `/tasks/${id}`, { status: 'failed' }),
      await studio.control('PATCH', `/tasks/${id}`, { status: 'lost' }),
      await studio.control('PATCH', `/tasks/${id}`, { colour: 'red' }),
      await studio.control('PATCH', '/tasks/task_nobody', { status: 'failed' }),
    ];
    for (const answer of refused) expect(answer).toEqual({ error: { message: expect.any(String) } });
    expect(await statusOf(id)).toBe('succeeded');
  });
});

describe('after a restart', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'keyplane-video-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('goes on with what was under way, and keeps what had ended', async () => {
    const data = join(folder, 'ledger.db');
    const before = await startStudio({ data });
    const ended = await before.submitted(epsilon());
    await before.at(5);
    const underWay = await before.submitted(epsilon());
    expect((await before.query(ended)).json?.status).toBe('succeeded');
    await before.close();
    const after = await startStudio({ data, now: () => START + 7 });
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
