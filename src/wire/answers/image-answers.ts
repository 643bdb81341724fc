import * as z from 'zod';
import { tryDecodeBase64, tryParseDataUri } from '../data-uri.ts';
import { ifAny, listOf } from './tolerant.ts';

/** The bytes of a picture. Some send a data URI where the contract has bare Base64. */
const Picture = z.string().transform((text, context): Uint8Array => {
  const bytes = tryParseDataUri(text)?.bytes ?? tryDecodeBase64(text);
  if (bytes && bytes.length > 0) return bytes;
  context.addIssue({ code: 'custom', message: 'is not Base64' });
  return z.NEVER;
});

const Usage = z.looseObject({
  input_tokens: ifAny(z.number()),
  output_tokens: ifAny(z.number()),
  total_tokens: ifAny(z.number()),
});

/** Families alpha (`b64_json`) and beta (`url` or `b64_json`, `mime_type`, `file_output`). */
export const ListedImages = z.looseObject({
  created: ifAny(z.number()),
  data: z.array(
    z.looseObject({
      b64_json: Picture.nullish(),
      url: ifAny(z.string()),
      mime_type: ifAny(z.string()),
      revised_prompt: ifAny(z.string()),
      /** The result of native storage; its failure is not a failure of the generation. */
      file_output: z.unknown().optional(),
    }),
  ),
  output_format: ifAny(z.string()),
  usage: ifAny(Usage),
});

/** Family gamma: links to PNGs. */
export const GammaImages = z.looseObject({
  output: z.looseObject({
    choices: z.array(
      z.looseObject({ message: z.looseObject({ content: z.array(z.looseObject({ image: ifAny(z.string()) })) }) }),
    ),
  }),
  request_id: ifAny(z.string()),
});

/** An event of a stream of family alpha: `image_generation.partial_image`, `image_edit.completed` and so on. */
export const ImageEvent = z.looseObject({
  type: z.string(),
  b64_json: Picture,
  partial_image_index: ifAny(z.int()),
  output_format: ifAny(z.string()),
  usage: ifAny(Usage),
});
export type ImageEvent = z.output<typeof ImageEvent>;

const NativePart = z.looseObject({
  text: ifAny(z.string()),
  inlineData: z
    .looseObject({ mimeType: ifAny(z.string()), data: Picture })
    .transform(({ data, mimeType }) => ({ bytes: data, mediaType: mimeType ?? undefined }))
    .nullish(),
});

/** One line of a native image stream, its pictures decoded. Contract: “Native streaming image generation”. */
export const NativeImageEvent = z.looseObject({
  candidates: listOf(
    z.looseObject({
      content: ifAny(z.looseObject({ parts: listOf(NativePart) })),
      finishReason: ifAny(z.string()),
    }),
  ),
  usageMetadata: ifAny(z.looseObject({ promptTokenCount: ifAny(z.number()), candidatesTokenCount: ifAny(z.number()) })),
  modelVersion: ifAny(z.string()),
  responseId: ifAny(z.string()),
});
export type NativeImageEvent = z.output<typeof NativeImageEvent>;
