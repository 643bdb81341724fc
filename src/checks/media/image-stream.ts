import { NATIVE_IMAGE_MODELS, tryFindFamily } from '../../wire/index.ts';
import { draftText } from '../built-in-texts.ts';
import { requestModule } from '../check-module.ts';
import { type JsonFields, mergeRequest } from '../check-request.ts';
import { checkAlphaStream } from './alpha-stream.ts';
import { IMAGE_DEFAULTS } from './module-defaults.ts';
import { checkNativeStream } from './native-stream.ts';

const PROMPT = draftText('picture');

/** Models that take no size return images that are called 1K elsewhere. */
function nativeBody(model: string): JsonFields {
  const imageSize = NATIVE_IMAGE_MODELS[model]?.usesImageSize ? '1K' : undefined;
  const imageConfig = { aspectRatio: '1:1', ...(imageSize === undefined ? {} : { imageSize }) };
  return {
    contents: [{ role: 'user', parts: [{ text: PROMPT }] }],
    generationConfig: { responseModalities: ['TEXT', 'IMAGE'], imageConfig },
  };
}

const alphaBody = (model: string): JsonFields => ({
  model,
  prompt: PROMPT,
  size: '1024x1024',
  quality: 'low',
  stream: true,
  partial_images: 1,
});

const FAMILIES = ['native-image', 'alpha-image'] as const;
type StreamFamily = (typeof FAMILIES)[number];

const BODIES: { readonly [F in StreamFamily]: (model: string) => JsonFields } = {
  'native-image': nativeBody,
  'alpha-image': alphaBody,
};

/** The endpoint of native streams takes any model; names identify the models that support it. */
const NATIVE_NAME = /^eta-.*\bimage\b/;

function familyOf(model: string, named: string | undefined): StreamFamily | undefined {
  const claimed = NATIVE_NAME.test(model) ? 'native-image' : tryFindFamily('generateImages', model)?.id;
  const id = claimed ?? (named === 'native-image' ? named : undefined);
  const family = FAMILIES.find((each) => each === id);
  return named === undefined || named === family ? family : undefined;
}

export const IMAGE_STREAM = requestModule({
  ...IMAGE_DEFAULTS,
  id: 'image-stream',
  isStream: true,
  families: FAMILIES,
  accepts: (model, family) => familyOf(model, family) !== undefined,
  buildRequest(model, { request, family: named }) {
    const family = familyOf(model, named);
    return family && { family, body: mergeRequest(BODIES[family](model), request) };
  },
  proves: 'an image that arrives as a stream: its steps in order, its final event, and the requested image',
  async run(context) {
    const { request } = context;
    if (request.family === 'native-image') await checkNativeStream(context, request.body);
    else await checkAlphaStream(context, request);
  },
});
