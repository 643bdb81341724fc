import * as z from 'zod';
import { type Family, mustNotBeSent, type Rule } from '../../family.ts';
import { MEGABYTE, type MediaItem, type MediaSlot } from '../../media-limits.ts';
import type { BrokenLimit } from '../../request-diagnostic.ts';
import { sourceUri } from '../source-uri.ts';
import { GAMMA_MODELS, GAMMA_NAMES, renderByGammaModel } from './gamma-models.ts';
import { GammaSize, gammaSizeTrouble, renderGammaSize } from './gamma-size.ts';

const EITHER = 'either `text` or `image`';
const MOST_IMAGES = 3;
const FORMATS = ['jpeg', 'png', 'bmp', 'tiff', 'webp', 'gif'] as const;

const Image = sourceUri(
  { mediaTypes: ['jpg', ...FORMATS, 'x-ms-bmp'].map((format) => `image/${format}`), schemes: ['oss://'] },
  'public URL, URL of the native temporary object storage (`oss://`), or Base64 data URI; 384–3072 px per edge recommended; of a GIF the first frame',
);

const ContentItem = z
  .looseObject({ text: z.string().min(1).optional(), image: Image.optional() })
  .refine(({ text, image }) => (text === undefined) !== (image === undefined), { message: `must have ${EITHER}` })
  .describe(EITHER);

const Message = z.looseObject({ role: z.literal('user'), content: z.array(ContentItem) });

const Parameters = z.looseObject({
  n: z.int().min(1).max(6).default(1),
  size: GammaSize.optional(),
  /** Not rejected at 501 characters: according to the contract, the gateway truncates the rest. */
  negative_prompt: z.string().optional().describe('Chinese or English; what is beyond 500 characters is cut off'),
  prompt_extend: z.boolean().default(true).describe('rewrites the positive prompt only'),
  watermark: z.boolean().default(false).describe('true: a watermark of the model, lower right'),
  seed: z.int().min(0).max(2_147_483_647).optional(),
});

/** Contract: “Family gamma (native synchronous request)”. */
export const GammaImageRequest = z.looseObject({
  model: z.string().min(1),
  input: z.looseObject({ messages: z.array(Message).length(1).describe('single turn') }),
  parameters: Parameters.optional(),
});
export type GammaImageRequest = z.input<typeof GammaImageRequest>;

const CONTENT = 'input.messages[0].content';

const contentOf = ({ input }: GammaImageRequest) => input.messages[0]?.content ?? [];

const images = (body: GammaImageRequest): readonly MediaItem[] =>
  contentOf(body).flatMap(({ image }, index) =>
    image === undefined ? [] : [{ path: `${CONTENT}[${index}].image`, source: image }],
  );

/** Is the request an edit? Generation and editing differ by their content alone. */
export const isGammaEdit = (body: GammaImageRequest): boolean => images(body).length > 0;

function contentTrouble(body: GammaImageRequest, model: string): readonly BrokenLimit[] {
  const texts = contentOf(body).filter(({ text }) => text !== undefined).length;
  const count = images(body).length;
  const limits = GAMMA_MODELS[model];
  const found = [
    texts !== 1 && `must have exactly one text, and has ${texts}`,
    count > MOST_IMAGES && `may have ${MOST_IMAGES} images, and has ${count}`,
    count > 0 && limits?.edits === false && `must not have an image: ${model} does not edit`,
    count === 0 && limits?.generates === false && `must have an image: ${model} only edits`,
  ];
  return found.flatMap((message) => (message === false ? [] : [{ path: CONTENT, message }]));
}

function renderContent({ generates, edits }: (typeof GAMMA_MODELS)[string]): string {
  if (!edits) return 'no image';
  return generates ? `no image, or 1–${MOST_IMAGES}` : `1–${MOST_IMAGES} images`;
}

function tooManyImages({ parameters }: GammaImageRequest, model: string): string | undefined {
  const most = GAMMA_MODELS[model]?.maxImages;
  const asked = parameters?.n;
  return most !== undefined && asked !== undefined && asked > most ? `may be at most ${most} for ${model}` : undefined;
}

const RULES: readonly Rule<GammaImageRequest>[] = [
  {
    field: 'input.messages[].content',
    limit: `exactly one text, and by model: ${renderByGammaModel(renderContent)}`,
    check: contentTrouble,
  },
  {
    field: 'input.messages[].content[].text',
    limit: renderByGammaModel(({ promptTokens }) => `${promptTokens} tokens, what is beyond is cut off`),
    check: () => undefined,
  },
  {
    field: 'parameters.n',
    limit: renderByGammaModel(({ maxImages }) => (maxImages === 1 ? '1' : `1–${maxImages}`)),
    check: tooManyImages,
  },
  {
    field: 'parameters.size',
    limit: renderByGammaModel(renderGammaSize),
    check: ({ parameters }, model) => gammaSizeTrouble(parameters?.size, model),
  },
  {
    field: 'parameters.prompt_extend',
    limit: 'must not be sent for `gamma-image-edit`',
    check: ({ parameters }, model) =>
      parameters?.prompt_extend !== undefined && GAMMA_MODELS[model]?.promptExtend === false
        ? `must not be sent for ${model}`
        : undefined,
  },
  mustNotBeSent('prompt', `must not be sent: the prompt is the text in \`${CONTENT}\``),
];

const IMAGES: MediaSlot<GammaImageRequest> = {
  field: 'input.messages[].content[].image',
  limits: { kind: 'image', formats: FORMATS, maxBytes: 10 * MEGABYTE },
  items: images,
};

export const GAMMA_IMAGE: Family<GammaImageRequest> = {
  id: 'gamma-image',
  title: 'Image generation and editing, family gamma',
  endpoint: 'generateImages',
  form: 'json',
  models: GAMMA_NAMES,
  body: GammaImageRequest,
  rules: RULES,
  media: [IMAGES],
};
