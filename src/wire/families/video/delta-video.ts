import * as z from 'zod';
import { type Family, type Rule, textUpTo } from '../../family.ts';
import { MEGABYTE } from '../../media-limits.ts';
import type { BrokenLimit } from '../../request-diagnostic.ts';
import { jsonBytes } from '../json-bytes.ts';
import { CallbackUrl, sourceUri } from '../source-uri.ts';
import { DELTA_MEDIA } from './delta-media.ts';
import { videoContent, videoItems, videoMode } from './video-content.ts';
import { CONTENT_RULES, DELTA_FIELDS, onlyInMetadata, PROMPT_RULE } from './video-rules.ts';

const MODEL = 'delta-H3';
const MOST_BYTES = 64 * MEGABYTE;

const fileOf = (kind: string, formats: readonly string[]) =>
  sourceUri(
    { mediaTypes: formats.map((format) => `${kind}/${format}`), lowerCase: true, schemes: ['mm_file://'] },
    `public URL, \`mm_file://<file_id>\`, or Base64 data URI of ${formats.map((format) => `\`${kind}/${format}\``).join(', ')}, in lower case`,
  );

const Content = videoContent({
  text: textUpTo(7000).min(1),
  image: fileOf('image', ['jpg', 'jpeg', 'png', 'webp', 'heic', 'heif']),
  video: fileOf('video', ['mp4']),
  /** The media type registered for MP3 passes in addition to the one that the contract gives. */
  audio: fileOf('audio', ['wav', 'mp3', 'mpeg']),
});

/** Contract: “delta family (`delta-H3`)”. */
export const DeltaVideoRequest = z.looseObject({
  model: z.string().min(1),
  prompt: z.string().min(1).describe('consistent with the text in `metadata.content`'),
  metadata: z.looseObject({
    content: Content,
    resolution: z.enum(['768P', '2K']).describe('always explicit'),
    duration: z.int().min(4).max(15).describe('seconds, always explicit'),
    ratio: z
      .enum(['adaptive', '21:9', '16:9', '4:3', '1:1', '3:4', '9:16'])
      .optional()
      .describe('`adaptive` when it is not sent, and whenever there is a frame'),
    callback_url: CallbackUrl.optional(),
  }),
});
export type DeltaVideoRequest = z.input<typeof DeltaVideoRequest>;

function ratioTrouble(body: DeltaVideoRequest): string | undefined {
  const { ratio } = body.metadata;
  if (videoMode(body) !== 'text') return undefined;
  if (ratio === undefined) return 'is missing: without a file there is nothing to adapt to';
  return ratio === 'adaptive' ? 'must not be adaptive: without a file there is nothing to adapt to' : undefined;
}

const untold = (body: DeltaVideoRequest): readonly BrokenLimit[] =>
  videoItems(body).flatMap(({ at, role, hasRole }) =>
    hasRole || role === 'first_frame'
      ? []
      : [{ path: `${at}.role`, message: 'is missing: only an image that is the single file may go without' }],
  );

function bytesTrouble(body: DeltaVideoRequest): readonly BrokenLimit[] {
  const bytes = jsonBytes(body);
  if (bytes <= MOST_BYTES) return [];
  const message = `has ${bytes} bytes, and may have at most ${MOST_BYTES / MEGABYTE} MB: name large files by public URLs`;
  return [{ path: '', message }];
}

const RULES: readonly Rule<DeltaVideoRequest>[] = [
  {
    field: 'model',
    limit: `\`${MODEL}\`, in exactly these letters`,
    check: (_, model) => (model === MODEL ? undefined : `must be ${MODEL}, in exactly these letters`),
  },
  {
    field: 'metadata.content',
    limit: 'at least one text',
    check: ({ metadata: { content } }) =>
      content.some(({ type }) => type === 'text') ? undefined : 'must have at least one text',
  },
  {
    field: 'metadata.content[].role',
    limit: 'required, except for an image that is the single file: it is the first frame',
    check: untold,
  },
  { field: 'metadata.ratio', limit: 'required, and not `adaptive`, without a file', check: ratioTrouble },
  { field: '', limit: `at most ${MOST_BYTES / MEGABYTE} MB as it is sent, with its Base64`, check: bytesTrouble },
];

export const DELTA_VIDEO: Family<DeltaVideoRequest> = {
  id: 'delta-video',
  title: 'Video, family delta',
  endpoint: 'submitVideo',
  form: 'json',
  models: { known: [MODEL] },
  body: DeltaVideoRequest,
  rules: [...RULES, PROMPT_RULE, onlyInMetadata(DELTA_FIELDS), ...CONTENT_RULES],
  media: DELTA_MEDIA,
  maxBytes: MOST_BYTES,
};
