import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readMediaFacts } from '../../../../src/media/index.ts';
import type { Body } from '../../harness.ts';
import { downloadable, epsilon, startVideoGateway, type VideoGateway } from './video-gateway.ts';

let gateway: VideoGateway;
let id: string;
beforeEach(async () => {
  gateway = await startVideoGateway();
  id = await gateway.submitted(downloadable());
});
afterEach(() => gateway.close());

async function downloaded(): Promise<Body> {
  await gateway.at(10);
  return (await gateway.download(id)).json ?? {};
}

describe('Video download result', () => {
  it('`success`: boolean, request succeeded', async () => {
    expect((await downloaded()).success).toBe(true);
  });

  it('`generation_id`: string, same as the video ID', async () => {
    expect((await downloaded()).generation_id).toBe(id);
  });

  it('`task_id`: string, task ID', async () => {
    expect((await downloaded()).task_id).toBe(id);
  });

  it('`format`: string, fixed `mp4`', async () => {
    const { format, base64 } = await downloaded();
    expect(format).toBe('mp4');
    expect(await readMediaFacts(Buffer.from(String(base64), 'base64'))).toMatchObject({ format: 'mp4' });
  });

  it('`size`: number, file size in bytes', async () => {
    const { size, base64 } = await downloaded();
    expect(size).toBe(Buffer.from(String(base64), 'base64').length);
  });

  it('`base64`: string, Base64 video data, as it was asked for', async () => {
    const film = Buffer.from(String((await downloaded()).base64), 'base64');
    expect(await readMediaFacts(film)).toMatchObject({ kind: 'video', width: 320, height: 180, seconds: 4 });
  });

  it('`data_url`: string, `data:video/mp4;base64,...` form of the same data', async () => {
    const { data_url, base64 } = await downloaded();
    expect(data_url).toBe(`data:video/mp4;base64,${base64}`);
  });
});

describe('a download that is refused', () => {
  it('is one before success: polling must reach `succeeded` first', async () => {
    for (const second of [0, 1]) {
      await gateway.at(second);
      const answer = await gateway.download(id);
      expect([answer.status, answer.json]).toEqual([
        400,
        { error: expect.objectContaining({ code: 'task_not_ready' }) },
      ]);
    }
  });

  it('is one of a task that failed', async () => {
    await gateway.control('PATCH', `/tasks/${id}`, { status: 'failed' });
    expect((await gateway.download(id)).status).toBe(400);
  });

  it('is one of a family that links to its result', async () => {
    const linked = await gateway.submitted(epsilon());
    await gateway.at(10);
    const answer = await gateway.download(linked);
    expect([answer.status, answer.json]).toEqual([
      400,
      { error: expect.objectContaining({ code: 'not_downloadable' }) },
    ]);
  });

  it('is one of a task that is not there, or of none', async () => {
    expect((await gateway.download('task_nobody')).status).toBe(404);
    expect((await gateway.download('')).status).toBe(400);
  });

  it('is one by way of the files that are hosted', async () => {
    await gateway.at(10);
    expect((await fetch(`${gateway.url}/files/${id}.mp4`)).status).toBe(404);
  });
});
