import { ALL_FORMATS, BufferSource, EncodedPacketSink, Input } from 'mediabunny';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readMediaFacts } from '../../../src/media/index.ts';
import type { Body } from '../harness.ts';
import { startReceiver } from '../media/video/receiver.ts';
import { COST, downloadable, epsilon, startVideoGateway, type VideoGateway } from '../media/video/video-gateway.ts';

let gateway: VideoGateway;
beforeEach(async () => {
  gateway = await startVideoGateway();
});
afterEach(() => gateway.close());

const next = async (how: string): Promise<void> => {
  const { error } = await gateway.control('POST', '/faults', {
    kind: 'task',
    how,
    method: 'POST',
    path: '/v1/video/generations',
  });
  if (error !== undefined) throw new Error(JSON.stringify(error));
};

const linked = async ({ url }: Body): Promise<Uint8Array> =>
  new Uint8Array(await (await fetch(String(url))).arrayBuffer());
const downloaded = async ({ task_id: id }: Body): Promise<Uint8Array> =>
  new Uint8Array(Buffer.from(String((await gateway.download(String(id))).json?.base64), 'base64'));

const entries = async (type: number): Promise<number> => {
  const { log } = await gateway.control('GET', '/state');
  return (log as Body[]).filter((entry) => entry.type === type && entry.quota === COST).length;
};
const REFUND = 6;

/** Is every coded picture where the tables place it, with the length in its own header? */
async function isWhole(film: Uint8Array): Promise<boolean> {
  const input = new Input({ formats: ALL_FORMATS, source: new BufferSource(film) });
  const track = await input.getPrimaryVideoTrack();
  if (track === null) return false;
  const sink = new EncodedPacketSink(track);
  let promised = 0;
  for await (const packet of sink.packets(undefined, undefined, { metadataOnly: true })) promised += packet ? 1 : 0;
  let read = 0;
  try {
    for await (const { data } of sink.packets()) {
      read += 1;
      const view = Buffer.from(data);
      let at = 0;
      while (at + 4 <= view.length && view.readUInt32BE(at) > 0) at += 4 + view.readUInt32BE(at);
      if (at !== view.length) return false;
    }
    // Reading ends without a word where the bytes do.
    return read === promised;
  } catch {
    return false;
  }
}

describe('a video task with an injected flaw', () => {
  it('never ends, and does not block others', async () => {
    await next('stuck');
    const stuck = await gateway.submitted(epsilon({ execution_expires_after: 3600 }));
    const honest = await gateway.submitted(epsilon());
    await gateway.at(30 * 86_400);
    expect((await gateway.query(stuck)).json?.status).toBe('in_progress');
    expect((await gateway.query(honest)).json?.status).toBe('succeeded');
  });

  it('expires, and is refunded', async () => {
    await next('expires');
    expect((await gateway.finished(epsilon())).status).toBe('expired');
    expect(await entries(REFUND)).toBe(1);
    expect((await gateway.finished(epsilon())).status).toBe('succeeded');
  });

  it('fails with a reason, and is refunded', async () => {
    await next('fails');
    expect(await gateway.finished(epsilon())).toMatchObject({
      status: 'failed',
      error: { code: 1000, message: 'the upstream failed as asked' },
    });
    expect(await entries(REFUND)).toBe(1);
    expect((await gateway.finished(epsilon())).status).toBe('succeeded');
  });

  it.each([
    ['short', { seconds: 2, width: 854, height: 480, audioCodec: 'aac' }],
    ['resized', { seconds: 4, width: 426, height: 480, audioCodec: 'aac' }],
    ['no-sound', { seconds: 4, width: 854, height: 480, audioCodec: null }],
  ])('makes a video that is %s', async (how, facts) => {
    await next(how);
    const film = await linked(await gateway.finished(epsilon()));
    const { seconds, ...rest } = facts;
    const found = await readMediaFacts(film);
    expect(found).toMatchObject(rest);
    expect(found?.seconds).toBeCloseTo(seconds, 0);
    expect(await isWhole(film)).toBe(true);
    expect(await readMediaFacts(await linked(await gateway.finished(epsilon())))).toMatchObject({
      ...{ width: 854, height: 480, audioCodec: 'aac' },
    });
  });

  it('links to a video of the right length whose second half is missing', async () => {
    const honest = await linked(await gateway.finished(epsilon()));
    await next('corrupt');
    const broken = await linked(await gateway.finished(epsilon()));
    expect(broken).toHaveLength(honest.length);
    expect(await readMediaFacts(broken)).toMatchObject({ width: 854, height: 480 });
    expect([await isWhole(honest), await isWhole(broken)]).toEqual([true, false]);
    expect(await isWhole(await linked(await gateway.finished(epsilon())))).toBe(true);
  });

  it('returns half of a video for download', async () => {
    await next('corrupt');
    const broken = await gateway.finished(downloadable());
    const { size } = (await gateway.download(String(broken.task_id))).json ?? {};
    const bytes = await downloaded(broken);
    expect(bytes.length).toBeLessThan(Number(size));
    expect(await isWhole(bytes)).toBe(false);
    expect(await isWhole(await downloaded(await gateway.finished(downloadable())))).toBe(true);
  });

  it.each(['contract', 'deployed'] as const)('succeeds without a link, profile %s', async (profile) => {
    await gateway.close();
    gateway = await startVideoGateway({ profile });
    await next('no-url');
    expect(JSON.stringify(await gateway.finished(epsilon()))).not.toContain('http');
    expect(JSON.stringify(await gateway.finished(epsilon()))).toContain('http');
  });

  it('succeeds without anything to download', async () => {
    await next('no-url');
    const record = await gateway.finished(downloadable());
    const answer = await gateway.download(String(record.task_id));
    expect([record.status, answer.status, Object.keys(answer.json ?? {})]).toEqual([
      'succeeded',
      200,
      ['success', 'generation_id', 'task_id', 'format', 'size'],
    ]);
  });

  it('notifies its receiver of a failure, while queries report success', async () => {
    const receiver = await startReceiver();
    await next('lying-callback');
    const record = await gateway.finished(epsilon({ callback_url: receiver.url }));
    const notifications = await receiver.received(3);
    expect(notifications.map(({ status }) => status)).toEqual(['queued', 'running', 'failed']);
    expect(notifications[2]).toHaveProperty('error.code');
    expect(notifications[2]).not.toHaveProperty('url');
    expect([record.status, await entries(REFUND)]).toEqual(['succeeded', 0]);
    await gateway.finished(epsilon({ callback_url: receiver.url }));
    expect((await receiver.received(6)).at(-1)?.status).toBe('succeeded');
    await receiver.close();
  });

  it('does not notify its receiver', async () => {
    const receiver = await startReceiver();
    await next('no-callback');
    const silent = await gateway.finished(epsilon({ callback_url: receiver.url }));
    const honest = await gateway.finished(epsilon({ callback_url: receiver.url }));
    const notifications = await receiver.received(3);
    expect(new Set(notifications.map(({ task_id }) => task_id))).toEqual(new Set([honest.task_id]));
    expect(silent.status).toBe('succeeded');
    await receiver.close();
  });
});
