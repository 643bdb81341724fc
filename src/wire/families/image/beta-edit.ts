import * as z from 'zod';
import type { Family, Rule } from '../../family.ts';
import type { MediaItem, MediaLimits } from '../../media-limits.ts';
import type { BrokenLimit } from '../../request-diagnostic.ts';
import { sourceUri } from '../source-uri.ts';
import { BETA_FIELDS, BETA_RULES } from './beta-fields.ts';
import { BETA_MODELS, BETA_NAMES } from './beta-models.ts';

const EITHER = 'either `url` or `file_id`';

const Source = z
  .looseObject({
    url: sourceUri(
      { mediaTypes: ['image/jpeg', 'image/jpg', 'image/png', 'image/webp'] },
      'public URL, or Base64 data URI of a JPEG, PNG or WebP image',
    ).optional(),
    file_id: z.string().min(1).optional().describe('of a fully uploaded image, no task ID'),
  })
  .refine(({ url, file_id: id }) => (url === undefined) !== (id === undefined), { message: `must have ${EITHER}` })
  .describe(EITHER);

/** Contract: “Family beta (JSON)” of image editing. */
export const BetaEditRequest = z.looseObject({
  ...BETA_FIELDS,
  aspect_ratio: BETA_FIELDS.aspect_ratio.describe('when it is not sent, or `auto`: as the first image'),
  image: Source.optional(),
  images: z.array(Source).min(1).optional().describe('`<IMAGE_0>`, `<IMAGE_1>`, … in the prompt'),
});
export type BetaEditRequest = z.input<typeof BetaEditRequest>;

function sourceTrouble({ image, images }: BetaEditRequest): readonly BrokenLimit[] {
  if (image !== undefined && images !== undefined)
    return [{ path: 'images', message: 'must not be combined with image' }];
  if (image === undefined && images === undefined) return [{ path: 'image', message: 'is missing, and so is images' }];
  return [];
}

function tooMany({ images = [] }: BetaEditRequest, model: string): string | undefined {
  const most = BETA_MODELS[model]?.maxReferences;
  return most !== undefined && images.length > most ? `has ${images.length} images, and may have ${most}` : undefined;
}

const RULES: readonly Rule<BetaEditRequest>[] = [
  { field: 'image', limit: 'one of `image` or `images`, never both', check: sourceTrouble },
  {
    field: 'images',
    limit: Object.entries(BETA_MODELS)
      .flatMap(([model, { maxReferences: most }]) => (most === undefined ? [] : [`\`${model}\`: up to ${most}`]))
      .join('; '),
    check: tooMany,
  },
];

const LIMITS: MediaLimits = { kind: 'image', formats: ['jpeg', 'png', 'webp'] };

const itemAt = (path: string, source: string | undefined): readonly MediaItem[] =>
  source === undefined ? [] : [{ path, source }];

export const BETA_EDIT: Family<BetaEditRequest> = {
  id: 'beta-edit',
  title: 'Image editing, family beta',
  endpoint: 'editImages',
  form: 'json',
  models: BETA_NAMES,
  body: BetaEditRequest,
  rules: [...BETA_RULES, ...RULES],
  media: [
    { field: 'image.url', limits: LIMITS, items: ({ image }) => itemAt('image.url', image?.url) },
    {
      field: 'images[].url',
      limits: LIMITS,
      items: ({ images = [] }) => images.flatMap(({ url }, index) => itemAt(`images[${index}].url`, url)),
    },
  ],
};
