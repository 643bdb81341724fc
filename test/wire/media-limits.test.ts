import { describe, expect, it } from 'vitest';
import {
  brokenMediaLimits,
  type KnownMedia,
  MEGABYTE,
  type MediaItem,
  type MediaLimits,
  type MediaSlot,
  renderMediaLimits,
} from '../../src/wire/index.ts';

type Facts = Exclude<KnownMedia, string | undefined>;

const IMAGES: MediaLimits = { kind: 'image', formats: ['png', 'jpeg'], maxBytes: 2 * MEGABYTE };
const CLIPS: MediaLimits = {
  kind: 'video',
  formats: ['mp4'],
  minSeconds: 2,
  maxSeconds: 15,
  maxTotalSeconds: 15,
  minFps: 23.976,
  maxFps: 60,
  videoCodecs: ['h264', 'h265'],
  audioCodecs: ['aac'],
};

const png: Facts = { kind: 'image', format: 'png', bytes: 10, width: 8, height: 4 };
const mp4: Facts = {
  kind: 'video',
  format: 'mp4',
  bytes: 10,
  seconds: 5,
  fps: 24,
  videoCodec: 'h264',
  audioCodec: null,
};

const slotOf = (
  limits: MediaLimits,
  more: Partial<MediaSlot<readonly MediaItem[]>> = {},
): MediaSlot<readonly MediaItem[]> => ({
  field: 'files[]',
  limits,
  items: (items) => items,
  ...more,
});

const issuesOf = (slot: MediaSlot<readonly MediaItem[]>, files: readonly KnownMedia[]) => {
  const items = files.map((_, index) => ({ path: `files[${index}]`, source: `${index}` }));
  return brokenMediaLimits(slot, items, ({ source }) => files[Number(source)]).map(
    ({ path, message }) => `${path} ${message}`,
  );
};

describe('a file in a request', () => {
  it('is not judged while nothing is known of it', () => {
    expect(issuesOf(slotOf({ ...IMAGES, maxBytes: 0 }), [undefined])).toEqual([]);
  });

  it('is in order within its limits, and where there are none', () => {
    expect(issuesOf(slotOf(IMAGES), [png])).toEqual([]);
    expect(issuesOf(slotOf({ kind: 'image', formats: ['png'] }), [{ ...png, bytes: 1e12 }])).toEqual([]);
  });

  it.each<[string, MediaLimits, KnownMedia, string]>([
    ['is not a medium', IMAGES, 'unreadable', 'cannot be read as png, jpeg'],
    ['has another format', IMAGES, { ...png, format: 'gif' }, 'is gif, and must be png, jpeg'],
    [
      'has a format of that name and is of another kind',
      { ...IMAGES, formats: ['mp4'] },
      { kind: 'video', format: 'mp4', bytes: 1 },
      'is mp4, and must be mp4',
    ],
    ['is too large', IMAGES, { ...png, bytes: 2 * MEGABYTE + 1 }, 'has 2097153 bytes, and may have at most 2 MB'],
    [
      'is as large as it must be under',
      { ...IMAGES, maxBytes: undefined as never, belowBytes: 2 * MEGABYTE },
      { ...png, bytes: 2 * MEGABYTE },
      'has 2097152 bytes, and must have fewer than 2 MB',
    ],
    [
      'has too short an edge',
      { ...IMAGES, minEdge: 5, maxEdge: 9 },
      png,
      'is 8x4, and each edge must have 5 to 9 pixels',
    ],
    [
      'is too wide for its height',
      { ...IMAGES, minRatio: 0.5, maxRatio: 1.9 },
      png,
      'is 8x4, and width / height must be 0.5 to 1.9',
    ],
    ['is too short', CLIPS, { ...mp4, seconds: 1 }, 'is 1 s long, and must be 2 to 15 s'],
    ['is too slow', CLIPS, { ...mp4, fps: 12 }, 'has 12 frames a second, and must have 23.976 to 60'],
    ['has no film in it', CLIPS, { ...mp4, videoCodec: null }, 'has no video, and must have h264 or h265'],
    ['has foreign sound', CLIPS, { ...mp4, audioCodec: 'opus' }, 'has opus audio, and must have aac'],
  ])('is refused in words when it %s', (_, limits, facts, message) => {
    expect(issuesOf(slotOf(limits), [facts])).toEqual([`files[0] ${message}`]);
  });

  it('may be silent, and may lack facts that its format does not hold', () => {
    expect(issuesOf(slotOf(CLIPS), [mp4, { kind: 'video', format: 'mp4', bytes: 1 }])).toEqual([]);
  });

  it('is reported for everything that is wrong with it', () => {
    const all = issuesOf(slotOf(CLIPS), [
      { ...mp4, format: 'mov', seconds: 1, fps: 1, videoCodec: 'av1', audioCodec: 'mp3' },
    ]);
    expect(all).toHaveLength(5);
  });
});

describe('the length of recordings', () => {
  it('may be off by a tenth of a second, which time bases and frames of sound make', () => {
    expect(issuesOf(slotOf(CLIPS), [{ ...mp4, seconds: 15.09 }])).toEqual([]);
    expect(issuesOf(slotOf(CLIPS), [{ ...mp4, seconds: 1.91 }])).toEqual([]);
    expect(issuesOf(slotOf(CLIPS), [{ ...mp4, seconds: 15.11 }])).not.toEqual([]);
    expect(issuesOf(slotOf(CLIPS), [{ ...mp4, seconds: 1.89 }])).not.toEqual([]);
  });

  it('is summed up, and may be off by as much for each', () => {
    const clips = (...seconds: number[]) => seconds.map((each) => ({ ...mp4, seconds: each }));
    expect(issuesOf(slotOf(CLIPS), clips(5.09, 5.09, 5.09))).toEqual([]);
    expect(issuesOf(slotOf(CLIPS), clips(5.11, 5.11, 5.11))).toEqual([
      'files[] is 15.33 s long in all, and may be at most 15 s',
    ]);
    expect(issuesOf(slotOf(CLIPS), [undefined, 'unreadable', ...clips(5)])).toEqual(['files[1] cannot be read as mp4']);
  });
});

describe('a file that must be as large as another', () => {
  const slot = slotOf(IMAGES, { items: ([, ...others]) => others, sameFrameAs: ([first]) => first });

  it('is refused in any other size, with the other named', () => {
    expect(issuesOf(slot, [png, png])).toEqual([]);
    expect(issuesOf(slot, [png, { ...png, width: 9 }])).toEqual(['files[1] is 9x4, and must be 8x4 as files[0]']);
    expect(issuesOf(slot, [png, png, { ...png, height: 5 }])).toEqual(['files[2] is 8x5, and must be 8x4 as files[0]']);
  });

  it('is in order while the other is not known', () => {
    expect(issuesOf(slot, [undefined, png])).toEqual([]);
    expect(issuesOf(slot, ['unreadable', png])).toEqual([]);
  });
});

it.each<[MediaLimits, string]>([
  [{ kind: 'image', formats: ['png', 'webp'] }, 'PNG, WEBP'],
  [IMAGES, 'PNG, JPEG; at most 2 MB each'],
  [{ kind: 'image', formats: ['png'], belowBytes: 4 * MEGABYTE }, 'PNG; each under 4 MB'],
  [
    { kind: 'image', formats: ['heic'], minEdge: 256, maxEdge: 5760, minRatio: 0.4, maxRatio: 2.5 },
    'HEIC; 256–5760 px per edge; width / height 0.4–2.5',
  ],
  [CLIPS, 'MP4; 2–15 s each; at most 15 s in all; 23.976–60 frames a second; video h264 or h265; audio aac'],
])('Limits of files are rendered in one line: %j', (limits, line) => {
  expect(renderMediaLimits(limits)).toBe(line);
});
