import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Body } from '../../harness.ts';
import { downloadable, epsilon, startVideoGateway, type VideoGateway } from './video-gateway.ts';

let gateway: VideoGateway;
beforeEach(async () => {
  gateway = await startVideoGateway();
});
afterEach(() => gateway.close());

describe('Video task record (query result)', () => {
  it('`task_id`: string, task ID returned at submission', async () => {
    const id = await gateway.submitted(epsilon());
    expect((await gateway.query(id)).json?.task_id).toBe(id);
  });

  it('`status`: string, see States and transitions', async () => {
    const id = await gateway.submitted(epsilon());
    const seen: unknown[] = [];
    for (const second of [0, 1, 4, 5]) {
      await gateway.at(second);
      seen.push((await gateway.query(id)).json?.status);
    }
    expect(seen).toEqual(['queued', 'in_progress', 'in_progress', 'succeeded']);
  });

  it('`format`: string, `mp4`', async () => {
    const id = await gateway.submitted(epsilon());
    expect((await gateway.query(id)).json?.format).toBe('mp4');
  });

  it('`url`: string, present on success for families that return it directly', async () => {
    const id = await gateway.submitted(epsilon());
    expect((await gateway.query(id)).json).not.toHaveProperty('url');
    await gateway.at(5);
    const { json } = await gateway.query(id);
    expect(json?.url).toBe(`${gateway.url}/files/${id}.mp4`);
    expect((await fetch(String(json?.url), { method: 'HEAD' })).status).toBe(200);
    expect(await gateway.finished(downloadable())).not.toHaveProperty('url');
  });

  it('`error`: object, on failure: `code` (integer) and `message` (string)', async () => {
    const record = await gateway.finished(epsilon({}, { model: 'film-failing' }));
    expect(record).toMatchObject({ status: 'failed', error: { code: 4711, message: 'the set is on fire' } });
    expect(record).not.toHaveProperty('url');
    expect(await gateway.finished(epsilon())).not.toHaveProperty('error');
  });

  it('`status`: a cancelled task is a failed one', async () => {
    const id = await gateway.submitted(epsilon());
    await gateway.control('PATCH', `/tasks/${id}`, { status: 'cancelled' });
    expect((await gateway.query(id)).json).toMatchObject({
      status: 'failed',
      error: { code: expect.any(Number), message: 'the task was cancelled' },
    });
  });

  it('`usage.tool_usage.web_search`: count of searches, where tools were given', async () => {
    const record = await gateway.finished(epsilon({ tools: [{ type: 'web_search' }] }));
    const { tool_usage } = record.usage as { tool_usage: { web_search: unknown } };
    expect(Number.isInteger(tool_usage.web_search)).toBe(true);
    expect(await gateway.finished(epsilon())).not.toHaveProperty('usage');
  });

  it('a final-frame PNG when requested', async () => {
    const record = await gateway.finished(epsilon({ return_last_frame: true }));
    const answer = await fetch(String(record.last_frame_url));
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png']);
    const plain = await gateway.finished(epsilon());
    expect(plain).not.toHaveProperty('last_frame_url');
    expect((await fetch(String(plain.url).replace(/mp4$/, 'png'))).status).toBe(404);
  });
});

describe('the owner of a task', () => {
  it('is the account: every key of it can query the task', async () => {
    const id = await gateway.submitted(epsilon());
    expect((await gateway.query(id, gateway.credentials.other)).json?.task_id).toBe(id);
  });

  it('excludes other accounts, and unknown IDs do not exist', async () => {
    const id = await gateway.submitted(epsilon());
    for (const answer of [
      await gateway.query(id, gateway.credentials.foreign),
      await gateway.query('task_nobody'),
      await gateway.query('%00'),
    ]) {
      expect(answer.status).toBe(404);
      expect(answer.json).toMatchObject({ error: { message: expect.any(String), code: 'task_not_exist' } });
    }
  });

  it('is not looked up for an unknown key', async () => {
    const id = await gateway.submitted(epsilon());
    expect((await gateway.query(id, 'sk-nobody')).status).toBe(401);
  });

  it('pays nothing for a query', async () => {
    const id = await gateway.submitted(epsilon());
    const before = ((await gateway.control('GET', '/state')).log as unknown[]).length;
    await gateway.query(id);
    expect((await gateway.control('GET', '/state')).log).toHaveLength(before);
  });
});

describe('a task record in the deployed profile', () => {
  let deployed: VideoGateway;
  beforeEach(async () => {
    deployed = await startVideoGateway({ profile: 'deployed' });
  });
  afterEach(() => deployed.close());

  it('has its own format, from QUEUED to SUCCESS', async () => {
    const id = await deployed.submitted(epsilon());
    const seen: unknown[] = [];
    for (const second of [0, 1, 5]) {
      await deployed.at(second);
      const { code, data } = (await deployed.query(id)).json as { code: unknown; data: Body };
      seen.push([code, data.task_id, data.status, data.progress, data.result_url !== '']);
    }
    expect(seen).toEqual([
      ['success', id, 'QUEUED', '20%', false],
      ['success', id, 'IN_PROGRESS', '50%', false],
      ['success', id, 'SUCCESS', '100%', true],
    ]);
  });

  it('gives the reason for a failure', async () => {
    const id = await deployed.submitted(epsilon({}, { model: 'film-failing' }));
    await deployed.at(5);
    expect((await deployed.query(id)).json?.data).toMatchObject({
      status: 'FAILURE',
      fail_reason: 'the set is on fire',
      result_url: '',
    });
  });

  it.each(['cancelled', 'expired'])('has the status %s in the record of the provider', async (status) => {
    const id = await deployed.submitted(epsilon());
    await deployed.control('PATCH', `/tasks/${id}`, { status });
    expect((await deployed.query(id)).json?.data).toMatchObject({ status: 'FAILURE', data: { status } });
  });

  it('has its own message for a task that does not exist', async () => {
    const answer = await deployed.query('task_nobody');
    expect(answer.status).toBe(400);
    expect(answer.json).toEqual({ code: 'task_not_exist', message: expect.any(String), data: null });
  });
});
