import { describe, expect, it } from 'vitest';
import { DELTA_VIDEO, MEGABYTE, requestDiagnostics, requestError, tryFindFamily } from '../../../src/wire/index.ts';
import { audio, CONTENT_ROWS, clip, content, first, image, last, picture, sound, video } from './content-rows.ts';
import { every } from './row-cases.ts';
import { describeRows } from './rows.ts';

const RATIOS = ['21:9', '16:9', '4:3', '1:1', '3:4', '9:16'];
const text = { type: 'text', text: 'a red cube' };
const row = {
  family: DELTA_VIDEO,
  base: {
    model: 'delta-H3',
    prompt: 'a red cube',
    metadata: { content: [text], resolution: '768P', duration: 4, ratio: '16:9' },
  },
};

const RATIO = 'metadata.ratio';
/** Each ratio with these files, with none and with `adaptive` too. */
const withRatios = (...files: readonly object[]) =>
  every([undefined, 'adaptive', ...RATIOS], (ratio) => ({ ...content(...files), [RATIO]: ratio }));

const named = (kind: string, url: string) => ({
  type: `${kind}_url`,
  [`${kind}_url`]: { url },
  role: `reference_${kind}`,
});
const at = (kind: string): string => `metadata.content[1].${kind}_url.url`;
const uri = (mediaType: string): string => `data:${mediaType};base64,AQID`;
const PUBLIC = ['https://example.com/a.bin', 'http://example.com/a', 'mm_file://file-1'];
const NOWHERE = ['', 'a.png', 'mm_file://', 'MM_FILE://file-1', 'ftp://example.com/a', 'https://', 'oss://a/b'];
const sources = (kind: string, mediaTypes: readonly string[]) =>
  every([...PUBLIC, ...mediaTypes.map(uri)], (url) => content(named(kind, url)));
const noSources = (kind: string, mediaTypes: readonly string[]) =>
  every(
    [...NOWHERE, ...mediaTypes.map(uri), `data:${kind}/mp4,AQID`, `data:${kind}/png;base64,A`],
    (url) => [content(named(kind, url)), at(kind)] as const,
  );

/** Makes the body as long as that. */
const filler = (bytes: number): string => {
  const { metadata, ...rest } = row.base;
  return 'x'.repeat(bytes - JSON.stringify({ ...rest, metadata: { ...metadata, filler: '' } }).length);
};

describeRows('Video, family delta', [
  {
    title: '`model`: `delta-H3`, case-sensitive',
    ...row,
    accepts: [{ model: 'delta-H3' }],
    refuses: every(
      ['delta-h3', 'DELTA-H3', 'Delta-H3', 'delta-H3 ', 'delta-H4', '', undefined],
      (model) => [{ model }, 'model'] as const,
    ),
  },
  {
    title: '`prompt`: string, required',
    ...row,
    accepts: [{ prompt: 'cube' }],
    refuses: every([undefined, '', 7], (prompt) => [{ prompt }, 'prompt'] as const),
  },
  {
    title: '`metadata`: object, required',
    ...row,
    accepts: [{ 'metadata.some_field_that_is_not_shown': 1 }],
    refuses: every([undefined, 'x', []], (metadata) => [{ metadata }, 'metadata'] as const),
  },
  {
    title: '`metadata.content`: at least one non-empty `text` item',
    ...row,
    accepts: [content(), content(text), content(first), { 'metadata.content': [first, text] }],
    refuses: [
      [{ 'metadata.content': [first] }, 'metadata.content'],
      [{ 'metadata.content': [picture, clip, sound] }, 'metadata.content'],
      [{ 'metadata.content': [{ type: 'text', text: '' }] }, 'metadata.content[0].text'],
    ],
  },
  {
    title: '`metadata.resolution`: `768P` or `2K`, exact capitalization, required',
    ...row,
    accepts: [{ 'metadata.resolution': '768P' }, { 'metadata.resolution': '2K' }],
    refuses: every([undefined, '768p', '2k', '1080P', 768], (value) => [
      { 'metadata.resolution': value },
      'metadata.resolution',
    ]),
  },
  {
    title: '`metadata.duration`: integer, whole seconds 4-15 inclusive, required',
    ...row,
    accepts: [{ 'metadata.duration': 4 }, { 'metadata.duration': 15 }],
    refuses: every([undefined, 3, 16, -1, 4.5, '4'], (value) => [{ 'metadata.duration': value }, 'metadata.duration']),
  },
  {
    title: '`metadata.ratio`: `adaptive`, `21:9`, `16:9`, `4:3`, `1:1`, `3:4`, `9:16`',
    ...row,
    accepts: every(RATIOS, (ratio) => ({ [RATIO]: ratio })),
    refuses: every(['9:21', '2:1', 'auto', '', 1], (ratio) => [{ [RATIO]: ratio }, RATIO] as const),
  },
  {
    title: '`metadata.callback_url`: string',
    ...row,
    accepts: every(['https://example.com/c', 'http://127.0.0.1:1/'], (url) => ({ 'metadata.callback_url': url })),
    refuses: every(
      ['', 'example.com', 7],
      (url) => [{ 'metadata.callback_url': url }, 'metadata.callback_url'] as const,
    ),
  },
  {
    title: 'the request: at most 64 MB including Base64 overhead',
    ...row,
    accepts: [{ 'metadata.filler': filler(64 * MEGABYTE) }],
    refuses: [[{ 'metadata.filler': filler(64 * MEGABYTE + 1) }, '']],
  },
]);

describeRows('Video, family delta, content items', [
  ...CONTENT_ROWS.map((shared) => ({ ...row, ...shared })),
  {
    title: '`metadata.content[].text`: non-empty, at most 7000 characters per item',
    ...row,
    accepts: [
      { prompt: 'x', 'metadata.content[0].text': 'x' },
      { prompt: 'x', 'metadata.content[0].text': 'x'.repeat(7000) },
      { prompt: '🦊', 'metadata.content[0].text': '🦊'.repeat(7000) },
      { prompt: 'x', 'metadata.content': [1, 2].map(() => ({ type: 'text', text: 'x'.repeat(7000) })) },
    ],
    refuses: every(['', 'x'.repeat(7001), 7, undefined], (value) => [
      { 'metadata.content[0].text': value },
      'metadata.content[0].text',
    ]),
  },
  {
    title:
      '`metadata.content[].image_url.url`: public URL, `mm_file://<file_id>`, or `data:image/<format>;base64,...` in lower case',
    ...row,
    accepts: sources(
      'image',
      ['jpg', 'jpeg', 'png', 'webp', 'heic', 'heif'].map((format) => `image/${format}`),
    ),
    refuses: noSources('image', ['image/PNG', 'Image/png', 'image/gif', 'image/bmp', 'video/mp4']),
  },
  {
    title: '`metadata.content[].video_url.url`: public URL, `mm_file://<file_id>`, or `data:video/mp4;base64,...`',
    ...row,
    accepts: sources('video', ['video/mp4']),
    refuses: noSources('video', ['video/MP4', 'video/webm', 'video/quicktime', 'image/png']),
  },
  {
    title:
      '`metadata.content[].audio_url.url`: public URL, `mm_file://<file_id>`, or `data:audio/<format>;base64,...` in lower case',
    ...row,
    accepts: sources('audio', ['audio/wav', 'audio/mp3', 'audio/mpeg']),
    refuses: noSources('audio', ['audio/WAV', 'AUDIO/wav', 'audio/aac', 'video/mp4']),
  },
  {
    title: '`metadata.content[].role`: required, but a single image without role is the first frame',
    ...row,
    accepts: [content(image())],
    refuses: [
      [content(video()), 'metadata.content[1].role'],
      [content(audio()), 'metadata.content[1].role'],
      [content(picture, image()), 'metadata.content[2].role'],
      [content(image(), image()), ['metadata.content[1].role', 'metadata.content[2].role']],
    ],
  },
]);

describeRows('Video, family delta, input modes', [
  {
    title: 'Text-to-video: `text`, concrete ratio required, `adaptive` not allowed',
    ...row,
    accepts: every(RATIOS, (ratio) => ({ ...content(), [RATIO]: ratio })),
    refuses: [
      [{ [RATIO]: 'adaptive' }, RATIO],
      [{ [RATIO]: undefined }, RATIO],
    ],
  },
  {
    title: 'First frame: always `adaptive`, another valid ratio is ignored',
    ...row,
    accepts: [...withRatios(first), ...withRatios(image())],
    refuses: [[{ ...content(first), [RATIO]: '2:1' }, RATIO]],
  },
  {
    title: 'Last frame: always `adaptive`',
    ...row,
    accepts: withRatios(last),
    refuses: [[{ ...content(last), [RATIO]: '2:1' }, RATIO]],
  },
  {
    title: 'First and last frames: always `adaptive`, another valid ratio is ignored',
    ...row,
    accepts: withRatios(first, last),
    refuses: [[{ ...content(first, last), [RATIO]: '2:1' }, RATIO]],
  },
  {
    title: 'Reference-to-video: optional, a concrete ratio may be given',
    ...row,
    accepts: [...withRatios(picture), ...withRatios(clip), ...withRatios(sound), ...withRatios(picture, clip, sound)],
    refuses: [[{ ...content(picture), [RATIO]: '2:1' }, RATIO]],
  },
]);

describe('a model that is written delta-h3', () => {
  it('is found to be of family delta, which gives the right spelling', () => {
    const family = tryFindFamily('submitVideo', 'delta-h3');
    expect(family?.id).toBe('delta-video');
    const issues = family && requestDiagnostics(family, { ...row.base, model: 'delta-h3' });
    expect(issues).toEqual([requestError(['model'], 'must be delta-H3, in exactly these letters')]);
  });

  it('does not make a family of whatever begins so', () => {
    expect(tryFindFamily('submitVideo', 'delta-H4')).toBeUndefined();
  });
});
