import { describe, expect, it } from 'vitest';
import { EPSILON_MODELS, EPSILON_VIDEO, tryFindFamily } from '../../../src/wire/index.ts';
import { audio, CONTENT_ROWS, clip, content, first, image, picture, sound, video } from './content-rows.ts';
import { every, type SharedRow } from './row-cases.ts';
import { describeRows } from './rows.ts';

const FULL = 'epsilon-video-2-0-260128';
const SMALL = ['epsilon-video-2-0-fast-260128', 'epsilon-video-2-0-mini-260615'];
const NEWER = 'epsilon-video-2-5-270101';
const EARLIER = 'epsilon-video-1-5-250528';

const row = {
  family: EPSILON_VIDEO,
  base: { model: FULL, prompt: 'a red cube', metadata: { content: [{ type: 'text', text: 'a red cube' }] } },
};

const named = (kind: string, url: string) => ({ type: `${kind}_url`, [`${kind}_url`]: { url } });
const uri = (mediaType: string): string => `data:${mediaType};base64,AQID`;
const aloneIn = (field: string, values: readonly unknown[]) =>
  every(values, (value) => ({ [`metadata.${field}`]: value }));
const refusedIn = (field: string, values: readonly unknown[]) =>
  every(values, (value) => [{ [`metadata.${field}`]: value }, `metadata.${field}`] as const);

const TEXT_LIMITS = [
  {
    title: '`model`: string, required',
    ...row,
    accepts: every([...SMALL, NEWER, EARLIER], (model) => ({ model })),
    refuses: every([undefined, '', 7], (model) => [{ model }, 'model'] as const),
  },
  {
    title: '`prompt`: string, required',
    ...row,
    accepts: [{ prompt: 'cube' }, { prompt: '', ...content(first) }],
    refuses: every([undefined, 7, null], (prompt) => [{ prompt }, 'prompt'] as const),
  },
  {
    title: '`asset`: boolean; text-only requests use false, those with media true',
    ...row,
    accepts: [
      { asset: false },
      { asset: undefined },
      { asset: true, ...content(first) },
      { asset: true, ...content(clip) },
    ],
    refuses: [
      [{ asset: true }, 'asset'],
      [{ asset: 'false' }, 'asset'],
      [{ asset: false, ...content(first) }, 'asset'],
      [{ asset: undefined, ...content(clip) }, 'asset'],
    ],
  },
  {
    title: '`metadata`: object, required',
    ...row,
    accepts: [{ 'metadata.some_field_that_is_not_shown': 1 }],
    refuses: [
      [{ metadata: undefined }, 'metadata'],
      [{ metadata: [] }, 'metadata'],
    ],
  },
  {
    title: '`metadata.content`: pure text generation needs a text item',
    ...row,
    accepts: [
      content({ type: 'text', text: 'on a table' }),
      { 'metadata.content': [first] },
      { 'metadata.content': [picture, sound] },
    ],
    refuses: [
      [{ 'metadata.content': [] }, 'metadata.content'],
      [{ 'metadata.content': [{ type: 'text', text: '' }] }, 'metadata.content[0].text'],
    ],
  },
  {
    title: '`metadata.content[]`: URLs, whose forms are not shown',
    ...row,
    accepts: [
      ...every(['https://example.com/a', 'http://example.com/a', 'asset://a-1', 'oss://b/a'], (url) =>
        content(named('image', url)),
      ),
      content(named('image', uri('image/avif'))),
      content(named('video', uri('video/mp4'))),
      content(picture, named('audio', uri('audio/ogg'))),
    ],
    refuses: [
      [content(named('image', '')), 'metadata.content[1].image_url.url'],
      [content(named('image', 'a.png')), 'metadata.content[1].image_url.url'],
      [content(named('image', uri('video/mp4'))), 'metadata.content[1].image_url.url'],
      [content(named('image', 'data:image/png;base64,A')), 'metadata.content[1].image_url.url'],
      [content(named('video', uri('image/png'))), 'metadata.content[1].video_url.url'],
      [content(picture, named('audio', uri('video/mp4'))), 'metadata.content[2].audio_url.url'],
    ],
  },
  {
    title: 'audio references require at least one image or video reference',
    ...row,
    accepts: [content(picture, sound), content(clip, sound), content(image(), audio()), content(video(), audio())],
    refuses: [
      [content(sound), 'metadata.content'],
      [content(audio()), 'metadata.content'],
      [content(sound, sound), 'metadata.content'],
    ],
  },
  {
    title: 'an item without role: one image alone is the first frame, everything else is a reference',
    ...row,
    accepts: [content(image()), content(image(), image()), content(image(), clip), content(video())],
    refuses: [[content(first, image()), 'metadata.content']],
  },
] as const;

const METADATA_LIMITS = [
  {
    title: '`metadata.resolution` of `epsilon-video-2-0-260128`: `480p`, `720p`, `1080p`, `4k`, case-sensitive',
    ...row,
    accepts: aloneIn('resolution', ['480p', '720p', '1080p', '4k']),
    refuses: refusedIn('resolution', ['480P', '720P', '4K', '2k', '360p', 720]),
  },
  {
    title: '`metadata.resolution` of the fast and mini models: `480p`, `720p`',
    ...row,
    accepts: every(
      SMALL.flatMap((model) => ['480p', '720p'].map((resolution) => [model, resolution])),
      ([model, resolution]) => ({ model, 'metadata.resolution': resolution }),
    ),
    refuses: every(
      SMALL.flatMap((model) => ['1080p', '4k', '720P'].map((resolution) => [model, resolution])),
      ([model, resolution]) => [{ model, 'metadata.resolution': resolution }, 'metadata.resolution'] as const,
    ),
  },
  {
    title: '`metadata.resolution` of a model that the contract does not list: any of the family',
    ...row,
    accepts: every(['480p', '4k'], (resolution) => ({ model: NEWER, 'metadata.resolution': resolution })),
    refuses: [[{ model: NEWER, 'metadata.resolution': '4K' }, 'metadata.resolution']],
  },
  {
    title: '`metadata.ratio`: `16:9`, `4:3`, `1:1`, `3:4`, `9:16`, `21:9`, `adaptive`',
    ...row,
    accepts: aloneIn('ratio', ['16:9', '4:3', '1:1', '3:4', '9:16', '21:9', 'adaptive']),
    refuses: refusedIn('ratio', ['9:21', '2:1', 'auto', 'Adaptive', 1]),
  },
  {
    title: '`metadata.duration`: integer, 4-15 seconds, or `-1` for automatic',
    ...row,
    accepts: aloneIn('duration', [4, 15, -1]),
    refuses: refusedIn('duration', [3, 16, 0, -2, 4.5, '5']),
  },
  ...['generate_audio', 'watermark', 'return_last_frame'].map((field) => ({
    title: `\`metadata.${field}\`: boolean`,
    ...row,
    accepts: aloneIn(field, [true, false]),
    refuses: refusedIn(field, ['true', 1]),
  })),
  {
    title: '`metadata.callback_url`: string',
    ...row,
    accepts: aloneIn('callback_url', ['https://example.com/c?x=1', 'http://127.0.0.1:8080/']),
    refuses: refusedIn('callback_url', ['', 'example.com', 'ftp://example.com', 7]),
  },
  {
    title: '`metadata.execution_expires_after`: integer, 3600-259200 seconds',
    ...row,
    accepts: aloneIn('execution_expires_after', [3600, 259_200]),
    refuses: refusedIn('execution_expires_after', [3599, 259_201, 3600.5, '3600']),
  },
  {
    title: '`metadata.priority`: integer, 0-9',
    ...row,
    accepts: aloneIn('priority', [0, 9]),
    refuses: refusedIn('priority', [-1, 10, 0.5, '1']),
  },
  {
    title: '`metadata.priority`: not supported with `flex`',
    ...row,
    accepts: [{ 'metadata.priority': 9, 'metadata.service_tier': 'default' }, { 'metadata.service_tier': 'flex' }],
    refuses: [
      [{ 'metadata.priority': 9, 'metadata.service_tier': 'flex' }, 'metadata.priority'],
      [{ 'metadata.priority': 0, 'metadata.service_tier': 'flex' }, 'metadata.priority'],
    ],
  },
  {
    title: '`metadata.priority`: only for the 2.5 and 2.0 versions',
    ...row,
    accepts: every([FULL, ...SMALL, NEWER], (model) => ({ model, 'metadata.priority': 1 })),
    refuses: [[{ model: EARLIER, 'metadata.priority': 1 }, 'metadata.priority']],
  },
  {
    title: '`metadata.safety_identifier`: string, at most 64 English characters',
    ...row,
    accepts: aloneIn('safety_identifier', ['a', 'a'.repeat(64), 'sha256:0f-_.']),
    refuses: refusedIn('safety_identifier', ['a'.repeat(65), 'é', '用户', 'a\n', 7]),
  },
  {
    title: '`metadata.tools`: object[], each needs `type`, supported value `web_search`; 2.5 and 2.0 only',
    ...row,
    accepts: [
      { 'metadata.tools': [] },
      ...every([FULL, ...SMALL, NEWER], (model) => ({ model, 'metadata.tools': [{ type: 'web_search' }] })),
    ],
    refuses: [
      [{ 'metadata.tools': [{ type: 'code' }] }, 'metadata.tools[0].type'],
      [{ 'metadata.tools': [{}] }, 'metadata.tools[0].type'],
      [{ 'metadata.tools': { type: 'web_search' } }, 'metadata.tools'],
      [{ model: EARLIER, 'metadata.tools': [{ type: 'web_search' }] }, 'metadata.tools'],
    ],
  },
] as const;

type Patch = Readonly<Record<string, unknown>>;

const CONTENT = 'metadata.content';
const hasFiles = (items: unknown): boolean =>
  Array.isArray(items) && items.some((item) => ['image_url', 'video_url', 'audio_url'].includes(item?.type));

/** Switches the processing of media on where a patch adds files. */
const withAsset = (patch: Patch): Patch => (hasFiles(patch[CONTENT]) ? { asset: true, ...patch } : patch);

const processed = ({ accepts, refuses, ...more }: SharedRow) => ({
  ...row,
  ...more,
  accepts: every(accepts, (patch) => withAsset(patch as Patch)),
  refuses: every(refuses, ([patch, paths]) => [withAsset(patch), paths] as const),
});

describeRows('Video, family epsilon', [...TEXT_LIMITS, ...CONTENT_ROWS, ...METADATA_LIMITS].map(processed));

describe('the models of family epsilon', () => {
  it('are three, and whatever else begins so', () => {
    expect(Object.keys(EPSILON_MODELS)).toEqual([FULL, ...SMALL]);
    for (const model of [FULL, ...SMALL, NEWER, EARLIER]) {
      expect(tryFindFamily('submitVideo', model)?.id).toBe('epsilon-video');
    }
    expect(tryFindFamily('submitVideo', 'epsilon')).toBeUndefined();
  });
});
