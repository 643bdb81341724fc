import { DELTA_VIDEO, type KnownMedia, MEGABYTE } from '../../../src/wire/index.ts';
import { clip, content, first, last, picture, sound } from './content-rows.ts';
import { describeRows } from './rows.ts';

const metadata = { content: [], resolution: '2K', duration: 5 };
const bodyOf = (...files: readonly object[]) => ({
  model: 'delta-H3',
  prompt: 'a red cube',
  metadata: { ...metadata, content: content(...files)['metadata.content'] },
});

type Facts = Exclude<KnownMedia, string | undefined>;
type Some = { readonly [Field in keyof Facts]?: Facts[Field] | undefined };

const photo: Facts = { kind: 'image', format: 'png', bytes: 1, width: 1024, height: 1024 };
const film: Facts = {
  kind: 'video',
  format: 'mp4',
  bytes: 1,
  width: 1280,
  height: 720,
  seconds: 5,
  fps: 24,
  videoCodec: 'h264',
  audioCodec: 'aac',
};
const voice: Facts = { kind: 'audio', format: 'wav', bytes: 1, seconds: 5 };

const url = (kind: string, index = 1): string => `metadata.content[${index}].${kind}_url.url`;

/** The facts of one kind of file, otherwise in order, with some of them replaced. */
const cases = (kind: string, sound: Facts) => {
  const known = (facts: Some) => ({ files: { [url(kind)]: { ...sound, ...facts } as Facts } });
  return {
    fits: (facts: Some) => [{}, known(facts)] as const,
    breaks: (facts: Some, complaints = 1) =>
      [{}, Array.from({ length: complaints }, () => url(kind)), known(facts)] as const,
    unreadable: [{}, url(kind), { files: { [url(kind)]: 'unreadable' } }] as const,
  };
};

const images = cases('image', photo);
const videos = cases('video', film);
const sounds = cases('audio', voice);

const lengths = (kind: string, facts: Facts, seconds: readonly number[]) => ({
  files: Object.fromEntries(seconds.map((each, index) => [url(kind, index + 1), { ...facts, seconds: each }])),
});

const frame = (size: readonly [number, number]): Some => ({ width: size[0], height: size[1] });

const withImage = { family: DELTA_VIDEO, base: bodyOf(picture) };
const withVideo = { family: DELTA_VIDEO, base: bodyOf(clip) };
const withAudio = { family: DELTA_VIDEO, base: bodyOf(sound) };
const withClips = { family: DELTA_VIDEO, base: bodyOf(clip, clip, clip) };
const withSounds = { family: DELTA_VIDEO, base: bodyOf(sound, sound, sound) };

describeRows('Limits, delta images', [
  {
    title: 'JPG, JPEG, PNG, WebP, HEIC, HEIF',
    ...withImage,
    accepts: [
      images.fits({ format: 'jpeg' }),
      images.fits({ format: 'png' }),
      images.fits({ format: 'webp' }),
      images.fits({ format: 'heic' }),
      images.fits({ format: 'heif' }),
    ],
    refuses: [
      images.breaks({ format: 'gif' }),
      images.breaks({ format: 'avif' }),
      images.breaks({ kind: 'video', format: 'mp4' }),
      images.unreadable,
    ],
  },
  {
    title: 'at most 30 MB each',
    ...withImage,
    accepts: [images.fits({ bytes: 30 * MEGABYTE })],
    refuses: [images.breaks({ bytes: 30 * MEGABYTE + 1 })],
  },
  {
    title: '256-5760 px per edge',
    ...withImage,
    accepts: [images.fits(frame([256, 256])), images.fits(frame([5760, 5760]))],
    refuses: [
      images.breaks(frame([255, 256])),
      images.breaks(frame([256, 255])),
      images.breaks(frame([5761, 5760])),
      images.breaks(frame([5760, 5761])),
    ],
  },
  {
    title: 'aspect ratio 0.4-2.5',
    ...withImage,
    accepts: [images.fits(frame([400, 1000])), images.fits(frame([1000, 400]))],
    refuses: [
      images.breaks(frame([399, 1000])),
      images.breaks(frame([400, 1001])),
      images.breaks(frame([1001, 400])),
      images.breaks(frame([1000, 399])),
    ],
  },
  {
    title: 'frames too',
    family: DELTA_VIDEO,
    base: bodyOf(first, last),
    accepts: [[{}, { files: { [url('image', 1)]: photo, [url('image', 2)]: photo } }]],
    refuses: [[{}, url('image', 2), { files: { [url('image', 1)]: photo, [url('image', 2)]: 'unreadable' } }]],
  },
]);

describeRows('Limits, delta reference video', [
  {
    title: 'MP4 or MOV',
    ...withVideo,
    accepts: [videos.fits({ format: 'mp4' }), videos.fits({ format: 'mov' })],
    refuses: [videos.breaks({ format: 'webm' }), videos.breaks({ kind: 'image', format: 'gif' }), videos.unreadable],
  },
  {
    title: 'H.264 or H.265 video',
    ...withVideo,
    accepts: [videos.fits({ videoCodec: 'h264' }), videos.fits({ videoCodec: 'h265' })],
    refuses: [videos.breaks({ videoCodec: 'av1' }), videos.breaks({ videoCodec: null })],
  },
  {
    title: 'AAC or MP3 audio, or none',
    ...withVideo,
    accepts: [
      videos.fits({ audioCodec: 'aac' }),
      videos.fits({ audioCodec: 'mp3' }),
      videos.fits({ audioCodec: null }),
    ],
    refuses: [videos.breaks({ audioCodec: 'opus' }), videos.breaks({ audioCodec: 'pcm' })],
  },
  {
    title: 'at most 50 MB each',
    ...withVideo,
    accepts: [videos.fits({ bytes: 50 * MEGABYTE })],
    refuses: [videos.breaks({ bytes: 50 * MEGABYTE + 1 })],
  },
  {
    title: '2-15 s per clip',
    ...withVideo,
    accepts: [videos.fits({ seconds: 2 }), videos.fits({ seconds: 15 })],
    refuses: [
      videos.breaks({ seconds: 1.8 }),
      [{}, [url('video'), 'metadata.content[].video_url.url'], lengths('video', film, [15.2])],
    ],
  },
  {
    title: 'at most 15 s in total',
    ...withClips,
    accepts: [
      [{}, lengths('video', film, [5, 5, 5])],
      [{}, lengths('video', film, [2, 2, 11])],
    ],
    refuses: [
      [{}, 'metadata.content[].video_url.url', lengths('video', film, [5, 5, 5.5])],
      [{}, 'metadata.content[].video_url.url', lengths('video', film, [2, 2, 12])],
    ],
  },
  {
    title: '256-5760 px',
    ...withVideo,
    accepts: [videos.fits(frame([256, 256])), videos.fits(frame([5760, 2304]))],
    refuses: [videos.breaks(frame([254, 256])), videos.breaks(frame([5762, 2400]))],
  },
  {
    title: 'ratio 0.4-2.5',
    ...withVideo,
    accepts: [videos.fits(frame([400, 1000])), videos.fits(frame([1000, 400]))],
    refuses: [videos.breaks(frame([398, 1000])), videos.breaks(frame([1002, 400]))],
  },
  {
    title: '23.976-60 fps',
    ...withVideo,
    accepts: [videos.fits({ fps: 23.976 }), videos.fits({ fps: 24_000 / 1001 }), videos.fits({ fps: 60 })],
    refuses: [videos.breaks({ fps: 23.97 }), videos.breaks({ fps: 60.1 }), videos.breaks({ fps: 15 })],
  },
]);

describeRows('Limits, delta reference audio', [
  {
    title: 'WAV or MP3',
    ...withAudio,
    accepts: [sounds.fits({ format: 'wav' }), sounds.fits({ format: 'mp3' })],
    refuses: [sounds.breaks({ format: 'm4a' }), sounds.breaks({ kind: 'video', format: 'mp4' }), sounds.unreadable],
  },
  {
    title: 'at most 15 MB each',
    ...withAudio,
    accepts: [sounds.fits({ bytes: 15 * MEGABYTE })],
    refuses: [sounds.breaks({ bytes: 15 * MEGABYTE + 1 })],
  },
  {
    title: '2-15 s per clip',
    ...withAudio,
    accepts: [sounds.fits({ seconds: 2 }), sounds.fits({ seconds: 15 })],
    refuses: [
      sounds.breaks({ seconds: 1.8 }),
      [{}, [url('audio'), 'metadata.content[].audio_url.url'], lengths('audio', voice, [15.2])],
    ],
  },
  {
    title: 'at most 15 s in total',
    ...withSounds,
    accepts: [[{}, lengths('audio', voice, [5, 5, 5])]],
    refuses: [[{}, 'metadata.content[].audio_url.url', lengths('audio', voice, [5, 5, 5.5])]],
  },
]);
