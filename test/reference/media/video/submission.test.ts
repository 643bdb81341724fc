import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseVideoRequest } from '../../../../src/reference/media/video/video-request.ts';
import { LOG_TYPE } from '../../../../src/wire/index.ts';
import type { Body } from '../../harness.ts';
import {
  COST,
  DELTA,
  delta,
  downloadable,
  EPSILON,
  epsilon,
  startVideoGateway,
  type VideoGateway,
} from './video-gateway.ts';

let gateway: VideoGateway;
beforeEach(async () => {
  gateway = await startVideoGateway();
});
afterEach(() => gateway.close());

const state = () => gateway.control('GET', '/state');
const walletOf = async () => Number(((await state()).accounts as Body[])[0]?.quota);

describe('Video submission response', () => {
  it('`task_id`: string, the task ID to keep and poll', async () => {
    const { json } = await gateway.submit(epsilon());
    expect(json?.task_id).toEqual(expect.stringMatching(/^\w{20,}$/));
    expect((await gateway.query(String(json?.task_id))).status).toBe(200);
  });

  it('`id`: string, same value', async () => {
    const { json } = await gateway.submit(epsilon());
    expect(json?.id).toBe(json?.task_id);
  });

  it('`object`: string, `video`', async () => {
    expect((await gateway.submit(delta())).json?.object).toBe('video');
  });

  it('`model`: string, model ID submitted', async () => {
    expect((await gateway.submit(epsilon())).json?.model).toBe(EPSILON);
    expect((await gateway.submit(delta())).json?.model).toBe(DELTA);
  });

  it('`status`: string, `queued`', async () => {
    expect((await gateway.submit(epsilon())).json?.status).toBe('queued');
  });

  it('another shape for the download-required family: `task_id`, `status` (`submitted`), `format` (`mp4`)', async () => {
    const { json } = await gateway.submit(downloadable());
    expect(json).toEqual({ task_id: expect.any(String), status: 'submitted', format: 'mp4' });
  });

  it('accepts requests in all six structures', async () => {
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
    const ids = await Promise.all(bodies.map(gateway.submitted));
    expect(new Set(ids).size).toBe(bodies.length);
  });
});

describe('an accepted request', () => {
  it('creates a billable task: wallet, key and log change by its price', async () => {
    const before = await walletOf();
    await gateway.submitted(epsilon());
    const { keys, log } = await state();
    expect(await walletOf()).toBe(before - COST);
    expect((keys as Body[])[0]?.used_quota).toBe(COST);
    expect(log).toEqual([expect.objectContaining({ type: LOG_TYPE.consumption, quota: COST, model_name: EPSILON })]);
  });
});

describe('the fields of a request', () => {
  const OTHERS = { resolution: '4k', ratio: '1:1', duration: 15, generate_audio: false, watermark: true };

  it.each([
    ['epsilon-video', epsilon({}, OTHERS)],
    ['delta-video', { ...delta(), ...OTHERS }],
  ] as const)('of %s are those in `metadata` alone', (family, body) => {
    const { resolution, ratio, seconds, audio, watermark } = parseVideoRequest(family, body);
    const metadata = family === 'epsilon-video' ? ['480p', '16:9', 4] : ['768P', '16:9', 4];
    expect([resolution, ratio, seconds, audio, watermark]).toEqual([...metadata, true, false]);
  });

  it('of family delta do not include those of family epsilon', () => {
    const search = [{ type: 'web_search' }];
    const more = { generate_audio: false, watermark: true, return_last_frame: true, tools: search, priority: 9 };
    expect(parseVideoRequest('delta-video', delta(more))).toEqual(parseVideoRequest('delta-video', delta()));
    expect(parseVideoRequest('epsilon-video', epsilon(more))).toMatchObject({
      audio: false,
      watermark: true,
      returnsLastFrame: true,
      searches: true,
      priority: 9,
    });
  });
});

describe('a rejected request', () => {
  it('creates no task and costs nothing', async () => {
    const before = await walletOf();
    const refused = [
      await gateway.submit(epsilon({ resolution: '8k' })),
      await gateway.submit(delta({ duration: 3 })),
      await gateway.submit(downloadable({ seconds: 4 })),
      await gateway.submit(epsilon({}, { duration: 5 })),
      await gateway.submit({ ...delta(), resolution: '2K' }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400]);
    expect((await gateway.control('GET', '/tasks')).tasks).toEqual([]);
    expect(await walletOf()).toBe(before);
  });

  it('includes one with an unknown key', async () => {
    expect((await gateway.submit(epsilon(), 'sk-nobody')).status).toBe(401);
    expect((await gateway.control('GET', '/tasks')).tasks).toEqual([]);
  });
});
