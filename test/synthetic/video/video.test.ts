import { BufferSource, EncodedPacketSink, Input, MP4 } from 'mediabunny';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { readMediaFacts } from '../../../src/media/index.ts';
import { renderLastFrame, renderVideo, type VideoSpec } from '../../../src/synthetic/index.ts';
import { unit } from '../../../src/synthetic/video/units.ts';
import { cpuTimeOf } from '../../cpu-time.ts';
import { colourAt, distance, painted, pixelsOf } from '../pixels.ts';

const order = (rest: Partial<VideoSpec> = {}): VideoSpec => ({
  text: 'A boat sails past a lighthouse',
  seed: 5,
  width: 320,
  height: 180,
  seconds: 2,
  audio: true,
  watermark: false,
  ...rest,
});

async function packetsOf(bytes: Uint8Array, kind: 'video' | 'audio') {
  const input = new Input({ source: new BufferSource(bytes), formats: [MP4] });
  const track = kind === 'video' ? await input.getPrimaryVideoTrack() : await input.getPrimaryAudioTrack();
  if (!track) throw new Error(`the video has no ${kind}`);
  const packets = [];
  for await (const packet of new EncodedPacketSink(track as never).packets()) packets.push(packet);
  return packets;
}

describe('a video', () => {
  it.each([
    [64, 64, 1, 24],
    [854, 480, 4, 24],
    [720, 1280, 15, 30],
    [1920, 1080, 5, 24],
    [3840, 2160, 15, 24],
    [5040, 2160, 2, 24],
    [338, 150, 60, 12],
    [16, 16, 3, 60],
    [2, 2, 1, 24],
  ])('is %d by %d pixels, %d seconds long, at %d frames a second', async (width, height, seconds, fps) => {
    const facts = await readMediaFacts(await renderVideo(order({ width, height, seconds, fps })));
    expect(facts).toMatchObject({ kind: 'video', format: 'mp4', width, height, videoCodec: 'h264', audioCodec: 'aac' });
    expect(Math.abs((facts?.seconds ?? 0) - seconds)).toBeLessThanOrEqual(1 / fps);
    expect(facts?.fps).toBeCloseTo(fps, 1);
  });

  it('loses the last pixel of an odd edge, because colour has half the resolution', async () => {
    const facts = await readMediaFacts(await renderVideo(order({ width: 321, height: 181 })));
    expect(facts).toMatchObject({ width: 320, height: 180 });
    expect(await readMediaFacts(await renderLastFrame(order({ width: 321, height: 181 })))).toMatchObject({
      width: 320,
      height: 180,
    });
  });

  it('has all frames of its duration, and an IDR frame at least every five seconds', async () => {
    for (const [seconds, fps] of [
      [12, 24],
      [12, 23.976],
    ] as const) {
      const packets = await packetsOf(await renderVideo(order({ seconds, fps })), 'video');
      expect(packets.length).toBe(Math.round(seconds * fps));
      const own = packets.filter(({ type }) => type === 'key').map(({ timestamp }) => timestamp);
      expect(own.length).toBe(3);
      for (const [at, moment] of own.entries()) expect(moment).toBeCloseTo(at * 5, 1);
    }
  });

  it('contains no bytes that a decoder could take for a start code', async () => {
    const black = await painted(64, 64, (x, y) => [0, 0, 0, x === y ? 0 : 255]);
    for (const packet of await packetsOf(
      await renderVideo(order({ width: 128, height: 128, firstFrame: black })),
      'video',
    )) {
      const unit = Buffer.from(packet.data.subarray(4));
      expect(unit.length).toBe(Buffer.from(packet.data).readUInt32BE(0));
      for (const start of ['000000', '000001', '000002']) expect(unit.includes(Buffer.from(start, 'hex'))).toBe(false);
    }
  });

  it('has sound of its own length only where sound is requested', async () => {
    const packets = await packetsOf(await renderVideo(order({ seconds: 7 })), 'audio');
    const last = packets.at(-1);
    expect(Math.abs((last?.timestamp ?? 0) + (last?.duration ?? 0) - 7)).toBeLessThan(1 / 24);
    expect((await readMediaFacts(await renderVideo(order({ audio: false }))))?.audioCodec).toBeNull();
  });

  it('is equal for equal specs, and differs by text, seed or watermark', async () => {
    const [first, again, ...others] = await Promise.all(
      [{}, {}, { text: 'A boot sails past a lighthouse' }, { seed: 6 }, { watermark: true }].map((rest) =>
        renderVideo(order(rest)),
      ),
    );
    expect(again).toEqual(first);
    for (const other of others) expect(other).not.toEqual(first);
  });

  it('is small and rendered quickly, even with fifteen seconds in 4k', async () => {
    await renderVideo(order());
    let bytes = new Uint8Array();
    const cpuMs = await cpuTimeOf(async () => {
      bytes = new Uint8Array(await renderVideo(order({ width: 3840, height: 2160, seconds: 15 })));
    });
    expect(cpuMs).toBeLessThan(30_000);
    expect(bytes.length).toBeLessThan(6_000_000);
  });

  it('accepts any text', async () => {
    for (const text of ['', '长'.repeat(7000), '\ud800 <b>', 'word '.repeat(1400)]) {
      expect(await readMediaFacts(await renderVideo(order({ text })))).toMatchObject({ width: 320, height: 180 });
    }
  });
});

describe('a unit of the stream', () => {
  it('escapes every two zeros that a decoder could take for a start code', () => {
    const escaped = (...payload: number[]): number[] => [...unit(7, 3, Uint8Array.from(payload))].slice(1);
    expect(escaped(0, 0, 1)).toEqual([0, 0, 3, 1]);
    expect(escaped(0, 0, 0, 0, 0, 0)).toEqual([0, 0, 3, 0, 0, 3, 0, 0]);
    expect(escaped(0, 0, 3, 0, 0, 4)).toEqual([0, 0, 3, 3, 0, 0, 4]);
    expect(escaped(0, 0, 4, 0, 1, 0, 0, 2)).toEqual([0, 0, 4, 0, 1, 0, 0, 3, 2]);
  });
});

describe('the last frame of a video', () => {
  it('is a PNG of the size of the video', async () => {
    for (const [width, height] of [
      [64, 64],
      [854, 480],
      [3840, 2160],
      [338, 150],
    ] as const) {
      const picture = await renderLastFrame(order({ width, height }));
      expect(await sharp(picture).metadata()).toMatchObject({ format: 'png', width, height, hasAlpha: false });
    }
  });

  it('has no watermark', async () => {
    const green = await painted(64, 36, () => [0, 160, 0, 255]);
    for (const pictures of [{}, { lastFrame: green }]) {
      const plain = await renderLastFrame(order(pictures));
      expect(await renderLastFrame(order({ ...pictures, watermark: true }))).toEqual(plain);
      if (!('lastFrame' in pictures)) continue;
      const { data, width, height } = await pixelsOf(plain);
      // But for the marker in the lower right, all of it is the picture.
      const first = data.subarray(0, 4).join();
      for (let x = 0; x < width; x += 1) expect(colourAt({ data, width, height }, x, height - 20).join()).toBe(first);
    }
  });

  it.each([
    [320, 320],
    [1280, 720],
    [3840, 2160],
  ])('looks like the picture that the video was to end with (%d by %d)', async (width, height) => {
    const wanted = await painted(16, 9, (x, y) => [x * 16, 255 - x * 16, y * 28, 255]);
    const shown = async (picture: Uint8Array) =>
      pixelsOf(await sharp(picture).resize(16, 9, { fit: 'cover' }).png().toBuffer());
    const pictured = await shown(await renderLastFrame(order({ width, height, lastFrame: wanted })));
    const drawn = await shown(await renderLastFrame(order({ width, height })));
    expect(
      distance(pictured, await shown(await sharp(wanted).resize(width, height, { fit: 'cover' }).png().toBuffer())),
    ).toBeLessThan(14);
    expect(distance(pictured, drawn)).toBeGreaterThan(30);
  });

  it('continues the first image where there is no last one', async () => {
    const green = await painted(64, 64, () => [0, 160, 0, 255]);
    const { data } = await pixelsOf(await renderLastFrame(order({ firstFrame: green })));
    expect([...data.subarray(0, 4)].map((value) => Math.round(value / 4) * 4)).toEqual([0, 160, 0, 256]);
  });
});
