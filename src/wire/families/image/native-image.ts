import * as z from 'zod';
import { tryDecodeBase64 } from '../../data-uri.ts';
import type { Family } from '../../family.ts';
import type { MediaItem, MediaSlot } from '../../media-limits.ts';

const RATIOS = ['1:1', '2:3', '3:2', '3:4', '4:3', '4:5', '5:4', '9:16', '16:9', '21:9'] as const;
const WIDE_RATIOS = [...RATIOS, '1:4', '4:1', '1:8', '8:1'] as const;
const SIZES = ['1K', '2K', '4K'] as const;
const FORMATS = ['png', 'jpeg', 'webp'] as const;

interface NativeImageLimits {
  readonly aspectRatios: readonly string[];
  /** False: the model does not use the field, and the side of its images is always that of `1K`. */
  readonly usesImageSize: boolean;
}

/** Contract: “Native streaming image generation”. */
export const NATIVE_IMAGE_MODELS: Readonly<Record<string, NativeImageLimits>> = {
  'eta-2.5-flash-image': { aspectRatios: RATIOS, usesImageSize: false },
  'eta-3.1-flash-image': { aspectRatios: WIDE_RATIOS, usesImageSize: true },
  'eta-3.1-flash-image-preview': { aspectRatios: WIDE_RATIOS, usesImageSize: true },
  'eta-3-pro-image': { aspectRatios: RATIOS, usesImageSize: true },
};

const sizeless = Object.entries(NATIVE_IMAGE_MODELS).flatMap(([model, { usesImageSize }]) =>
  usesImageSize ? [] : [`\`${model}\``],
);

const EITHER = 'either `text` or `inlineData`';

const Base64 = z
  .string()
  .min(1)
  .refine((text) => !/^data:/i.test(text), { message: 'must be without the prefix of a data URI', abort: true })
  .refine((text) => tryDecodeBase64(text) !== undefined, { message: 'is not Base64' })
  .describe('Base64 without prefix');

const Part = z
  .looseObject({
    text: z.string().optional(),
    inlineData: z
      .looseObject({ mimeType: z.enum(FORMATS.map((format) => `image/${format}` as const)), data: Base64 })
      .optional(),
  })
  .refine(({ text, inlineData }) => (text === undefined) !== (inlineData === undefined), {
    message: `must have ${EITHER}`,
  })
  .describe(EITHER);

export const NativeImageRequest = z.looseObject({
  contents: z
    .array(z.looseObject({ role: z.string().optional().describe('usually `user`'), parts: z.array(Part).min(1) }))
    .min(1),
  generationConfig: z
    .looseObject({
      responseModalities: z
        .array(z.string())
        .refine((modalities) => modalities.includes('IMAGE'), { message: 'must include IMAGE' })
        .optional()
        .describe('must include `IMAGE`'),
      imageConfig: z
        .looseObject({
          aspectRatio: z.enum(WIDE_RATIOS).optional(),
          imageSize: z
            .enum(SIZES)
            .optional()
            .describe(`not used by ${sizeless.join(', ')}`),
        })
        .optional(),
    })
    .optional(),
});
export type NativeImageRequest = z.input<typeof NativeImageRequest>;

const quoted = (values: readonly string[]): string => values.map((value) => `\`${value}\``).join(', ');

const renderRatios = (): string =>
  Object.entries(NATIVE_IMAGE_MODELS)
    .map(([model, { aspectRatios }]) => `\`${model}\`: ${quoted(aspectRatios)}`)
    .join('; ');

/** A ratio that other models take. Models that are not known take all. */
function foreignRatio(model: string, ratio: string | undefined): string | undefined {
  const allowed = NATIVE_IMAGE_MODELS[model]?.aspectRatios;
  if (ratio === undefined || allowed === undefined || allowed.includes(ratio)) return undefined;
  return `must be one of ${allowed.join(', ')} for ${model}`;
}

const IMAGE_CONFIG = 'generationConfig.imageConfig';

/** Each picture as a data URI: equal texts are one source, bytes that are decoded twice are not. */
const pictures = ({ contents }: NativeImageRequest): readonly MediaItem[] =>
  contents.flatMap(({ parts }, at) =>
    parts.flatMap(({ inlineData }, index) => {
      const path = `contents[${at}].parts[${index}].inlineData.data`;
      return inlineData ? [{ path, source: `data:${inlineData.mimeType};base64,${inlineData.data}` }] : [];
    }),
  );

const PICTURES: MediaSlot<NativeImageRequest> = {
  field: 'contents[].parts[].inlineData.data',
  limits: { kind: 'image', formats: FORMATS },
  items: pictures,
};

export const NATIVE_IMAGE: Family<NativeImageRequest> = {
  id: 'native-image',
  title: 'Native streaming image generation',
  endpoint: 'streamGenerateContent',
  form: 'json',
  models: { known: Object.keys(NATIVE_IMAGE_MODELS) },
  body: NativeImageRequest,
  rules: [
    {
      field: `${IMAGE_CONFIG}.aspectRatio`,
      limit: renderRatios(),
      check: ({ generationConfig }, model) => foreignRatio(model, generationConfig?.imageConfig?.aspectRatio),
    },
  ],
  media: [PICTURES],
};
