import { type AnyFamily, type FamilyId, GAMMA_MODELS, tryFindFamily, tryParseGammaSize } from '../../wire/index.ts';
import { draftText } from '../built-in-texts.ts';
import { type RequestContext, requestModule } from '../check-module.ts';
import { type JsonFields, mergeRequest } from '../check-request.ts';
import { answeredImages, claimStorage, claimUsage } from './image-answer.ts';
import { claimImages } from './image-claims.ts';
import { IMAGE_DEFAULTS } from './module-defaults.ts';
import { requestedImageOf } from './requested-image.ts';

const PROMPT = draftText('picture');

/** Models with limits on edges or pixels all support this size. */
const SMALLEST = '512*512';

const pixelsOf = (size: string): number => {
  const { width, height } = tryParseGammaSize(size) ?? { width: Infinity, height: Infinity };
  return width * height;
};

/** The smallest size that a model supports; undefined where it is not known, or the model takes no size. */
function smallestGammaSize(model: string): string | undefined {
  const size = GAMMA_MODELS[model]?.size;
  if (size === undefined || size === 'never') return undefined;
  if (!('sizes' in size)) return SMALLEST;
  return [...size.sizes].sort((one, other) => pixelsOf(one) - pixelsOf(other))[0];
}

/** A request of family gamma with this content. */
export function gammaBody(model: string, content: readonly JsonFields[]): JsonFields {
  const size = smallestGammaSize(model);
  const parameters = size === undefined ? {} : { parameters: { size } };
  return { model, input: { messages: [{ role: 'user', content: [...content] }] }, ...parameters };
}

/** Default requests: small and cheap. */
const BODIES: { readonly [F in FamilyId]?: (model: string) => JsonFields } = {
  'alpha-image': (model) => ({ model, prompt: PROMPT, size: '1024x1024', quality: 'low' }),
  'beta-image': (model) => ({ model, prompt: PROMPT, aspect_ratio: '1:1', resolution: '1k' }),
  'gamma-image': (model) => gammaBody(model, [{ text: PROMPT }]),
};

function familyOf(model: string, named: string | undefined): AnyFamily | undefined {
  const family = tryFindFamily('generateImages', model);
  const onlyEdits = GAMMA_MODELS[model]?.generates === false;
  return family === undefined || onlyEdits || (named !== undefined && named !== family.id) ? undefined : family;
}

type ImageContext = RequestContext<'alpha-image' | 'beta-image' | 'gamma-image'>;

async function run(context: ImageContext): Promise<void> {
  const { request, inference, recorder, spec, signal } = context;
  const answered = await inference.generateImages(request.body, { signal });
  recorder.exchange('generation', request.body, answered);
  const images = await answeredImages(context, answered);
  claimImages(recorder, images, { requested: requestedImageOf(request), expect: spec.expect });
  claimStorage(recorder, answered, request.body);
  claimUsage(recorder, answered);
}

export const IMAGE = requestModule({
  ...IMAGE_DEFAULTS,
  id: 'image',
  streamedBy: 'image-stream',
  families: ['alpha-image', 'beta-image', 'gamma-image'],
  accepts: (model, family) => familyOf(model, family) !== undefined,
  buildRequest(model, { request, family: named }) {
    const family = familyOf(model, named);
    const body = family && BODIES[family.id]?.(model);
    return family && body && { family: family.id, body: mergeRequest(body, request) };
  },
  proves: 'as many images as requested, each complete, in the requested format and size, and not a single colour',
  run,
});
