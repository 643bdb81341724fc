import { ALL_FORMATS, BufferSource, EncodedPacketSink, Input } from 'mediabunny';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readMediaFacts } from '../../../src/media/index.ts';
import type { Body } from '../harness.ts';
import { startReceiver } from '../media/video/receiver.ts';
import { COST, downloadable, epsilon, type Studio, startStudio } from '../media/video/studio.ts';

let studio: Studio;
beforeEach(async () => {
  studio = await startStudio();
});
afterEach(() => studio.close());

const next = async (how: string): Promise<void> => {
  const { error } = await studio.control('POST', '/faults', {
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
  new Uint8Array(Buffer.from(String((await studio.download(String(id))).json?.base64), 'base64'));

const entries = async (type: number): Promise<number> => {
  const { log } = await studio.control('GET', '/state');
  return (log as Body[]).filter((entry) => entry.type === type && entry.quota === COST).length;
};
const REFUND = 6;

/** Are all coded pictures where the tables say, each with the length that it says itself? */
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

describe('a video task that was made to go wrong', () => {
  it('never ends, and keeps nobody waiting', async () => {
    await next('stuck');
    const stuck = await studio.submitted(epsilon({ execution_expires_after: 3600 }));
    const honest = await studio.submitted(epsilon());
    await studio.at(30 * 86_400);
    expect((await studio.query(stuck)).json?.status).toBe('in_progress');
    expect((await studio.query(honest)).json?.status).toBe('succeeded');
  });

  it('expires, and is paid back', async () => {
    await next('expires');
    expect((await studio.finished(epsilon())).status).toBe('expired');
    expect(await entries(REFUND)).toBe(1);
    expect((await studio.finished(epsilon())).status).toBe('succeeded');
  });

  it('fails with a reason, and is paid back', async () => {
    await next('fails');
    expect(await studio.finished(epsilon())).toMatchObject({
      status: 'failed',
      error: { code: 1000, message: 'the upstream failed as asked' },
    });
    expect(await entries(REFUND)).toBe(1);
    expect((await studio.finished(epsilon())).status).toBe('succeeded');
  });

  it.each([
    ['short', { seconds: 2, width: 854, height: 480, audioCodec: 'aac' }],
    ['resized', { seconds: 4, width: 426, height: 480, audioCodec: 'aac' }],
    ['no-sound', { seconds: 4, width: 854, height: 480, audioCodec: null }],
  ])('makes a film that is %s', async (how, facts) => {
    await next(how);
    const film = await linked(await studio.finished(epsilon()));
    const { seconds, ...rest } = facts;
    const found = await readMediaFacts(film);
    expect(found).toMatchObject(rest);
    expect(found?.seconds).toBeCloseTo(seconds, 0);
    expect(await isWhole(film)).toBe(true);
    expect(await readMediaFacts(await linked(await studio.finished(epsilon())))).toMatchObject({
      ...{ width: 854, height: 480, audioCodec: 'aac' },
    });
  });

  it('links to a film of the right length whose second half never came', async () => {
    const honest = await linked(await studio.finished(epsilon()));
    await next('corrupt');
    const broken = await linked(await studio.finished(epsilon()));
    expect(broken).toHaveLength(honest.length);
    expect(await readMediaFacts(broken)).toMatchObject({ width: 854, height: 480 });
    expect([await isWhole(honest), await isWhole(broken)]).toEqual([true, false]);
    expect(await isWhole(await linked(await studio.finished(epsilon())))).toBe(true);
  });

  it('gives half of a film to download', async () => {
    await next('corrupt');
    const broken = await studio.finished(downloadable());
    const { size } = (await studio.download(String(broken.task_id))).json ?? {};
    const bytes = await downloaded(broken);
    expect(bytes.length).toBeLessThan(Number(size));
    expect(await isWhole(bytes)).toBe(false);
    expect(await isWhole(await downloaded(await studio.finished(downloadable())))).toBe(true);
  });

  it.each(['contract', 'deployed'] as const)('succeeds without a link, profile %s', async (profile) => {
    await studio.close();
    studio = await startStudio({ profile });
    await next('no-url');
    expect(JSON.stringify(await studio.finished(epsilon()))).not.toContain('http');
    expect(JSON.stringify(await studio.finished(epsilon()))).toContain('http');
  });

  it('succeeds without anything to download', async () => {
    await next('no-url');
    const record = await studio.finished(downloadable());
    const answer = await studio.download(String(record.task_id));
    expect([record.status, answer.status, Object.keys(answer.json ?? {})]).toEqual([
      'succeeded',
      200,
      ['success', 'generation_id', 'task_id', 'format', 'size'],
    ]);
  });

  it('tells its receiver that it failed, and whoever asks that it succeeded', async () => {
    const receiver = await startReceiver();
    await next('lying-callback');
    const record = await studio.finished(epsilon({ callback_url: receiver.url }));
    const notifications = await receiver.received(3);
    expect(notifications.map(({ status }) => status)).toEqual(['queued', 'running', 'failed']);
    expect(notifications[2]).toHaveProperty('error.code');
    expect(notifications[2]).not.toHaveProperty('url');
    expect([record.status, await entries(REFUND)]).toEqual(['succeeded', 0]);
    await studio.finished(epsilon({ callback_url: receiver.url }));
    expect((await receiver.received(6)).at(-1)?.status).toBe('succeeded');
    await receiver.close();
  });

  it('tells its receiver nothing', async () => {
    const receiver = await startReceiver();
    await next('no-callback');
    const silent = await studio.finished(epsilon({ callback_url: receiver.url }));
    const honest = await studio.finished(epsilon({ callback_url: receiver.url }));
    const notifications = await receiver.received(3);
    expect(new Set(notifications.map(({ task_id }) => task_id))).toEqual(new Set([honest.task_id]));
    expect(silent.status).toBe('succeeded');
    await receiver.close();
  });
});
