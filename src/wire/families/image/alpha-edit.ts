import * as z from 'zod';
import { type Family, mustNotBeSent } from '../../family.ts';
import { MEGABYTE, type MediaItem, type MediaSlot, type Upload } from '../../media-limits.ts';
import { ALPHA_FIELDS, ALPHA_RULES } from './alpha-fields.ts';
import { ALPHA_MODELS, ALPHA_NAMES } from './alpha-models.ts';

const isUpload = (value: unknown): boolean =>
  (value as Partial<Upload> | null | undefined)?.bytes instanceof Uint8Array;

const MOST_IMAGES = 16;

const FileField = z.custom<Upload>(isUpload, 'must be a file');

/** Contract: “Family alpha (multipart form)”. `moderation` is none of its fields, and passes like any that is not shown. */
export const AlphaEditRequest = z.looseObject({
  ...ALPHA_FIELDS,
  image: z
    .array(FileField)
    .min(1)
    .refine(({ length }) => length <= MOST_IMAGES, { message: `too many: at most ${MOST_IMAGES} files` })
    .meta({ maxItems: MOST_IMAGES })
    .describe('one file as `image`, several as `image[]`'),
  mask: FileField.optional().describe(
    'where it is fully transparent the first image is edited; as many pixels wide and high as that',
  ),
  input_fidelity: z.enum(['high', 'low']).optional(),
});
export type AlphaEditRequest = z.input<typeof AlphaEditRequest>;

const sources = ({ image }: AlphaEditRequest): readonly MediaItem[] =>
  image.map((source, index) => ({ path: `image[${index}]`, source }));

const IMAGES: MediaSlot<AlphaEditRequest> = {
  field: 'image',
  limits: { kind: 'image', formats: ['png', 'jpeg', 'webp'], belowBytes: 50 * MEGABYTE },
  items: sources,
};

const MASK: MediaSlot<AlphaEditRequest> = {
  field: 'mask',
  limits: { kind: 'image', formats: ['png'], belowBytes: 4 * MEGABYTE },
  items: ({ mask }) => (mask ? [{ path: 'mask', source: mask }] : []),
  sameFrameAs: (body) => sources(body)[0],
};

export const ALPHA_EDIT: Family<AlphaEditRequest> = {
  id: 'alpha-edit',
  title: 'Image editing, family alpha',
  endpoint: 'editImages',
  form: 'multipart',
  models: ALPHA_NAMES,
  body: AlphaEditRequest,
  rules: [
    ...ALPHA_RULES,
    mustNotBeSent(
      'input_fidelity',
      'must not be sent for `alpha-image-2`',
      (model) => ALPHA_MODELS[model]?.inputFidelity === false,
    ),
    mustNotBeSent('images', 'must not be sent: sources are `image`'),
  ],
  media: [IMAGES, MASK],
};
