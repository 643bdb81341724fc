import type { SharedRow } from './row-cases.ts';

const CONTENT = 'metadata.content';
const url = 'https://example.com/a';
const text = { type: 'text', text: 'a red cube' };

/** An item of `metadata.content`: `image('first_frame')`. */
const itemOf = (kind: string) => (role?: string) => ({
  type: `${kind}_url`,
  [`${kind}_url`]: { url },
  ...(role === undefined ? {} : { role }),
});
export const image = itemOf('image');
export const video = itemOf('video');
export const audio = itemOf('audio');

export const first = image('first_frame');
export const last = image('last_frame');
export const picture = image('reference_image');
export const clip = video('reference_video');
export const sound = audio('reference_audio');

/** A body's content: a text, and these. */
export const content = (...files: readonly object[]) => ({ [CONTENT]: [text, ...files] });

const times = (count: number, item: object): readonly object[] => Array.from({ length: count }, () => item);

/** The rows on content that families delta and epsilon have in common. */
export const CONTENT_ROWS: readonly SharedRow[] = [
  {
    title: '`prompt`: consistent with the text item of `metadata.content`',
    accepts: [
      { prompt: 'A red\n  cube' },
      { prompt: 'a red cube on a table' },
      { prompt: 'red' },
      { prompt: 'a blue cube', ...content({ type: 'text', text: 'a blue cube' }) },
      { prompt: 'a red cube on a table', ...content({ type: 'text', text: 'on a table' }) },
    ],
    refuses: [
      [{ prompt: 'a blue cube' }, 'prompt'],
      [{ prompt: 'a red cube', [CONTENT]: [{ type: 'text', text: 'a blue ball' }] }, 'prompt'],
    ],
  },
  {
    title: 'every field of the provider is inside of `metadata`, not at the root',
    accepts: [{ some_field_that_is_not_shown: 1 }, { 'metadata.some_field_that_is_not_shown': 1 }],
    refuses: [
      [{ resolution: '480p', duration: 5, ratio: '1:1' }, ['resolution', 'ratio', 'duration']],
      [{ content: [text] }, 'content'],
      [{ callback_url: 'https://example.com/c' }, 'callback_url'],
    ],
  },
  {
    title: '`metadata.content`: object[], required',
    accepts: [content(picture)],
    refuses: [
      [{ [CONTENT]: undefined }, CONTENT],
      [{ [CONTENT]: [] }, CONTENT],
      [{ [CONTENT]: 'a red cube' }, CONTENT],
      [{ [CONTENT]: ['a red cube'] }, `${CONTENT}[0]`],
    ],
  },
  {
    title: '`metadata.content[].type`: `text`, `image_url`, `video_url`, `audio_url`, each with the field of its name',
    accepts: [content(text), content(picture), content(clip), content(picture, clip, sound)],
    refuses: [
      [content({ type: 'image', image_url: { url } }), `${CONTENT}[1].type`],
      [content({ image_url: { url } }), `${CONTENT}[1].type`],
      [content({ type: 'image_url' }), `${CONTENT}[1].image_url`],
      [content({ type: 'image_url', image_url: url }), `${CONTENT}[1].image_url`],
      [content({ type: 'image_url', image_url: {} }), `${CONTENT}[1].image_url.url`],
      [content({ type: 'video_url', image_url: { url }, role: 'reference_video' }), `${CONTENT}[1].video_url`],
      [content(picture, { type: 'audio_url', audio_url: { url: 7 } }), `${CONTENT}[2].audio_url.url`],
      [content({ type: 'text' }), `${CONTENT}[1].text`],
    ],
  },
  {
    title: '`metadata.content[].role`: frames for images, `reference_*` matching the type',
    accepts: [content(image()), content(first), content(last), content(first, last), content(picture, clip, sound)],
    refuses: [
      [content(image('reference_video')), `${CONTENT}[1].role`],
      [content(image('reference')), `${CONTENT}[1].role`],
      [content(image('')), `${CONTENT}[1].role`],
      [content(video('first_frame')), `${CONTENT}[1].role`],
      [content(video('reference_image')), `${CONTENT}[1].role`],
      [content(picture, audio('reference_video')), `${CONTENT}[2].role`],
    ],
  },
  {
    title: 'frame roles are not mixed with `reference_*` roles',
    accepts: [content(first, last), content(picture, clip, sound)],
    refuses: [
      [content(first, picture), CONTENT],
      [content(last, picture), CONTENT],
      [content(first, clip), CONTENT],
      [content(first, sound), CONTENT],
      [content(first, last, picture, clip, sound), CONTENT],
    ],
  },
  {
    title: 'at most one first frame and one last frame',
    accepts: [content(first), content(last), content(last, first)],
    refuses: [
      [content(first, first), CONTENT],
      [content(last, last), CONTENT],
      [content(first, first, last), CONTENT],
    ],
  },
  {
    title: 'references (images / videos / audio): 9 / 3 / 3',
    accepts: [
      content(...times(9, picture)),
      content(...times(3, clip)),
      content(picture, ...times(3, sound)),
      content(...times(9, picture), ...times(3, clip), ...times(3, sound)),
    ],
    refuses: [
      [content(...times(10, picture)), CONTENT],
      [content(...times(4, clip)), CONTENT],
      [content(picture, ...times(4, sound)), CONTENT],
      [content(...times(10, picture), ...times(4, clip)), [CONTENT, CONTENT]],
    ],
  },
];
