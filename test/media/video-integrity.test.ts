import { beforeAll, describe, expect, test, vi } from 'vitest';
import { readMediaFacts, tryFindVideoFlaw } from '../../src/media/index.ts';
import { renderVideo } from '../../src/synthetic/index.ts';
import { box, encoded, hasFfmpeg, picturesOf, toneOf, uint32, wav } from './samples.ts';

let whole: Uint8Array;
beforeAll(async () => {
  const order = { text: 'a fox', seed: 1, width: 320, height: 180, seconds: 2, audio: true, watermark: false };
  whole = await renderVideo(order);
});

/** The video with its second half changed; its tables come first. */
const damaged = (change: (byte: number) => number): Uint8Array =>
  whole.map((byte, at) => (at < whole.length / 2 ? byte : change(byte)));

describe('a video', () => {
  test('has no flaw when it is complete', async () => {
    expect(await tryFindVideoFlaw(whole)).toBeUndefined();
  });

  test.for<readonly [string, string, readonly string[]]>([
    ['H.264', 'a.mp4', ['-c:v', 'libx264', '-c:a', 'aac']],
    ['H.264 in MOV', 'a.mov', ['-c:v', 'libx264', '-c:a', 'aac']],
    ['H.265', 'a.mp4', ['-c:v', 'libx265', '-x265-params', 'log-level=none', '-c:a', 'aac']],
    ['fragmented', 'a.mp4', ['-c:v', 'libx264', '-movflags', 'frag_keyframe+empty_moov']],
  ])('of another encoder that is whole has none: %s', async ([_title, name, options], context) => {
    if (!hasFfmpeg) context.skip('ffmpeg is not installed');
    const bytes = encoded(name, [...picturesOf('320x180', '24', 2), ...toneOf(2), ...options]);
    expect(await tryFindVideoFlaw(bytes)).toBeUndefined();
  });

  test.each([
    ['zeros', () => 0],
    ['the same bits turned round', (byte: number) => byte ^ 0xff],
    ['one and the same byte', () => 0x55],
  ])('whose pictures are overwritten by %s has a flaw, though its tables can be read', async (_title, change) => {
    const bytes = damaged(change);
    expect((await readMediaFacts(bytes))?.kind).toBe('video');
    expect(await tryFindVideoFlaw(bytes)).toMatch(/^frame \d+ cannot be played/);
  });

  test.each([0.01, 0.3, 0.7, 0.999])('has a flaw when only the first %f is present', async (share) => {
    expect(await tryFindVideoFlaw(whole.slice(0, whole.length * share))).toEqual(expect.any(String));
  });

  test.each([
    ['nothing', new Uint8Array(0)],
    ['text', new TextEncoder().encode('this is not a video, whatever its name is')],
    ['sound', wav(1)],
  ])('that is %s has a flaw', async (_title, bytes) => {
    expect(await tryFindVideoFlaw(bytes)).toEqual(expect.any(String));
  });
});

/** A video of one track without a decoder's configuration, whose chunks of `samples` samples all begin at the same byte. */
function overlapping({ chunks, samples, entry = 'xxxx' }: { chunks: number; samples: number; entry?: string }) {
  const words = (count: number) => new Uint8Array(count * 4);
  const sizes = uint32(0, 1, chunks * samples);
  const tables = [
    box('stsd', uint32(0, 1), box(entry, words(19), [0, 0])),
    box('stts', uint32(0, 1, chunks * samples, 1)),
    box('stsc', uint32(0, 1, 1, samples, 1)),
    box('stsz', sizes),
    box('stco', uint32(0, chunks, ...Array.from({ length: chunks }, () => 0))),
  ];
  const media = [
    box('mdhd', uint32(0, 0, 0, 1000, 4000, 0)),
    box('hdlr', uint32(0, 0), Buffer.from('vide'), words(3), [0]),
    box('minf', box('stbl', ...tables)),
  ];
  const track = box('trak', box('tkhd', uint32(3, 0, 0, 1), words(17)), box('mdia', ...media));
  const bytes = [
    box('ftyp', Buffer.from('isom'), uint32(0)),
    box('moov', box('mvhd', uint32(0, 0, 0, 1000), words(21)), track),
  ];
  return new Uint8Array(Buffer.concat(bytes));
}

describe('a video that a server made to harm its reader', () => {
  test('has a flaw when its tables show the same bytes again and again, and is not read to its end', async () => {
    expect(await tryFindVideoFlaw(overlapping({ chunks: 1, samples: 100 }))).toBeUndefined();
    const flaw = await tryFindVideoFlaw(overlapping({ chunks: 20_000, samples: 100 }));
    expect(flaw).toBe('its tables show more bytes than it has');
  });

  test('prints nothing to the terminal', async () => {
    const printed = ['error', 'warn', 'info'].map((each) => vi.spyOn(console, each as 'warn').mockReturnValue());
    await tryFindVideoFlaw(overlapping({ chunks: 1, samples: 1, entry: '\u001bc\u001bc' }));
    expect(printed.flatMap(({ mock }) => mock.calls)).toEqual([]);
    vi.restoreAllMocks();
  });
});
