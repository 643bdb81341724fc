import { expect, it } from 'vitest';
import { type AnyFamily, findFamily } from '../../../src/wire/index.ts';

const BOTH = '`gamma-image-2.0-pro`, `gamma-image-2.0`';
const GENERATING = '`gamma-image-max`, `gamma-image-plus`, `gamma-image`';
const EDGED = '`gamma-image-edit-max`, `gamma-image-edit-plus`';
const PLAIN_EDIT = '`gamma-image-edit`';
const THREE = '`1024x1024`, `1536x1024`, `1024x1536`';
const AS_LAST = "default of an edit about 1024*1024 pixels in the last image's proportions";

const linesOf = (family: AnyFamily, field: string) =>
  family.rules.filter((rule) => rule.field === field).map(({ limit }) => limit);

it.each<[AnyFamily['id'], string, string]>([
  [
    'alpha-image',
    'size',
    '`auto`, or by model: `alpha-image-2`: both edges divisible by 16, each at most 3840 px, long to short at most 3:1, ' +
      `655360–8294400 pixels in all (above 3686400 experimental); \`alpha-image-1.5\`: ${THREE}; \`alpha-image-1\`: ${THREE}`,
  ],
  ['beta-image', 'aspect_ratio', '`21:9`, `5:2` only on `beta-imagine-image-2.0`'],
  [
    'beta-edit',
    'quality',
    'only on `beta-imagine-image-2.0`; must not be sent for `beta-imagine-image-quality`, `beta-imagine-image`',
  ],
  ['beta-edit', 'images', '`beta-imagine-image-2.0`: up to 5'],
  [
    'gamma-image',
    'input.messages[].content',
    `exactly one text, and by model: ${BOTH}: no image, or 1–3; ${GENERATING}: no image; ${EDGED}, ${PLAIN_EDIT}: 1–3 images`,
  ],
  [
    'gamma-image',
    'input.messages[].content[].text',
    `${BOTH}: 1300 tokens, what is beyond is cut off; ${GENERATING}, ${EDGED}, ${PLAIN_EDIT}: 800 tokens, what is beyond is cut off`,
  ],
  ['gamma-image', 'parameters.n', `${BOTH}, ${EDGED}: 1–6; ${GENERATING}, ${PLAIN_EDIT}: 1`],
  [
    'gamma-image',
    'parameters.size',
    `${BOTH}: 262144–4194304 pixels in all, default of a generation \`2048*2048\`, ${AS_LAST}; ` +
      `${GENERATING}: \`1664*928\`, \`1472*1104\`, \`1328*1328\`, \`1104*1472\`, \`928*1664\`, default of a generation \`1664*928\`; ` +
      `${EDGED}: each edge 512–2048 px, ${AS_LAST}; ${PLAIN_EDIT}: must not be sent`,
  ],
  [
    'epsilon-video',
    'metadata.resolution',
    '`epsilon-video-2-0-260128`: `480p`, `720p`, `1080p`, `4k`; `epsilon-video-2-0-fast-260128`: `480p`, `720p`; `epsilon-video-2-0-mini-260615`: `480p`, `720p`',
  ],
  [
    'delta-video',
    'metadata.content[].role',
    'required, except for an image that is the single file: it is the first frame',
  ],
  ['delta-video', '', 'at most 64 MB as it is sent, with its Base64'],
  [
    'delta-video',
    'metadata.content',
    'at most 1 `first_frame`, 1 `last_frame`, 9 `reference_image`, 3 `reference_video`, 3 `reference_audio`',
  ],
])('The limits of %s state for `%s` the values of each model', (id, field, line) => {
  expect(linesOf(findFamily(id), field)).toContain(line);
});
