import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LOG_TYPE } from '../../../../src/wire/index.ts';
import type { Body } from '../../harness.ts';
import { COST, DELTA, delta, downloadable, EPSILON, epsilon, type Studio, startStudio } from './studio.ts';

let studio: Studio;
beforeEach(async () => {
  studio = await startStudio();
});
afterEach(() => studio.close());

const state = () => studio.control('GET', '/state');
const walletOf = async () => Number(((await state()).accounts as Body[])[0]?.quota);

describe('Video submission response', () => {
  it('`task_id`: string, the task ID to keep and poll', async () => {
    const { json } = await studio.submit(epsilon());
    expect(json?.task_id).toEqual(expect.stringMatching(/^\w{20,}$/));
    expect((await studio.query(String(json?.task_id))).status).toBe(200);
  });

  it('`id`: string, same value', async () => {
    const { json } = await studio.submit(epsilon());
    expect(json?.id).toBe(json?.task_id);
  });

  it('`object`: string, `video`', async () => {
    expect((await studio.submit(delta())).json?.object).toBe('video');
  });

  it('`model`: string, model ID submitted', async () => {
    expect((await studio.submit(epsilon())).json?.model).toBe(EPSILON);
    expect((await studio.submit(delta())).json?.model).toBe(DELTA);
  });

  it('`status`: string, `queued`', async () => {
    expect((await studio.submit(epsilon())).json?.status).toBe('queued');
  });

  it('another shape for the download-required family: `task_id`, `status` (`submitted`), `format` (`mp4`)', async () => {
    const { json } = await studio.submit(downloadable());
    expect(json).toEqual({ task_id: expect.any(String), status: 'submitted', format: 'mp4' });
  });

  it('takes the requests of all six structures', async () => {
    const prompt = 'a lighthouse';
    const bodies = [
      epsilon(),
      delta(),
      downloadable(),
      { model: 'film-asset-video', prompt, asset: false, metadata: {} },
      { model: 'film-flat-video', prompt, metadata: { durationSeconds: 6, aspectRatio: '1:1' } },
      { model: 'film-nested-video', metadata: { input: { prompt }, parameters: { size: '640*360' } } },
      { model: 'film-dedicated-video', prompt, style: 'noir' },
    ];
    const ids = await Promise.all(bodies.map(studio.submitted));
    expect(new Set(ids).size).toBe(bodies.length);
  });
});

describe('an accepted request', () => {
  it('makes a billable task: wallet, key and log move by its price', async () => {
    const before = await walletOf();
    await studio.submitted(epsilon());
    const { keys, log } = await state();
    expect(await walletOf()).toBe(before - COST);
    expect((keys as Body[])[0]?.used_quota).toBe(COST);
    expect(log).toEqual([expect.objectContaining({ type: LOG_TYPE.consumption, quota: COST, model_name: EPSILON })]);
  });
});

describe('a refused request', () => {
  it('makes no task and costs nothing', async () => {
    const before = await walletOf();
    const refused = [
      await studio.submit(epsilon({ resolution: '8k' })),
      await studio.submit(delta({ duration: 3 })),
      await studio.submit(downloadable({ seconds: 4 })),
    ];
    expect(refused.map(({ status }) => status)).toEqual([400, 400, 400]);
    expect((await studio.control('GET', '/tasks')).tasks).toEqual([]);
    expect(await walletOf()).toBe(before);
  });

  it('is one with a key that is none', async () => {
    expect((await studio.submit(epsilon(), 'sk-nobody')).status).toBe(401);
    expect((await studio.control('GET', '/tasks')).tasks).toEqual([]);
  });
});
