import { readMediaFacts } from '../../media/index.ts';
import { type AnyFamily, type FamilyId, GAMMA_MODELS, tryFindFamily } from '../../wire/index.ts';
import { draftText } from '../built-in-texts.ts';
import { type CheckRecorder, type RequestContext, requestModule } from '../check-module.ts';
import { type CheckRequest, type JsonFields, mergeRequest } from '../check-request.ts';
import { checkAlphaStream } from './alpha-stream.ts';
import { type DecodedImage, decodeImage, differenceOf } from './decoded-image.ts';
import { type EditFamily, editSources } from './edit-sources.ts';
import { gammaBody } from './image.ts';
import { answeredImages, claimStorage, claimUsage } from './image-answer.ts';
import { claimImages, nameOf } from './image-claims.ts';
import { IMAGE_DEFAULTS } from './module-defaults.ts';
import { type RequestedImage, requestedImageOf } from './requested-image.ts';
import { SOURCE_URI } from './source-image.ts';

const PROMPT = draftText('pictureEdit');

/** Default requests: small and cheap, of a built-in image. The form of family alpha gets it with its files. */
const BODIES: { readonly [F in FamilyId]?: (model: string) => JsonFields } = {
  'alpha-edit': (model) => ({ model, prompt: PROMPT, size: '1024x1024', quality: 'low' }),
  'beta-edit': (model) => ({ model, prompt: PROMPT, image: { url: SOURCE_URI }, resolution: '1k' }),
  'gamma-image': (model) => gammaBody(model, [{ image: SOURCE_URI }, { text: PROMPT }]),
};

/** Family gamma edits at the endpoint that generates. */
function familyOf(model: string, named: string | undefined): AnyFamily | undefined {
  const gamma = tryFindFamily('generateImages', model);
  const edits = gamma?.id === 'gamma-image' && GAMMA_MODELS[model]?.edits !== false;
  const family = edits ? gamma : tryFindFamily('editImages', model);
  return named === undefined || named === family?.id ? family : undefined;
}

/** Several sources replace the single built-in one. */
function bodyFor(defaults: JsonFields, request: JsonFields): JsonFields {
  const { image, ...others } = defaults;
  return mergeRequest(request.images === undefined || image === undefined ? defaults : others, request);
}

/** Selects the sources that can be compared. A format that cannot be decoded here, such as BMP, proves nothing. */
async function comparable(sources: readonly (Uint8Array | undefined)[]): Promise<readonly Uint8Array[]> {
  const decoded = await Promise.all(sources.flatMap((source) => (source ? [decodeImage(source)] : [])));
  return decoded.filter(({ trouble }) => trouble === undefined).map(({ bytes }) => bytes);
}

/** Out of 255: the noise of an encoder is below it, a brush stroke above. */
const MIN_DIFFERENCE = 24;

async function claimEdited(
  recorder: CheckRecorder,
  images: readonly DecodedImage[],
  sources: readonly Uint8Array[],
): Promise<void> {
  if (sources.length === 0) return;
  for (const [index, { bytes, trouble }] of images.entries()) {
    if (trouble !== undefined) continue;
    const differences = await Promise.all(sources.map((source) => differenceOf(source, bytes)));
    const smallest = Math.min(...differences);
    const claim = `${nameOf(index, images.length)} differs from its source`;
    recorder.claim(claim, smallest >= MIN_DIFFERENCE, `colours differ by at most ${smallest} of 255`);
  }
}

async function requestedFor(
  request: CheckRequest<EditFamily>,
  sources: readonly (Uint8Array | undefined)[],
): Promise<RequestedImage> {
  const requested = requestedImageOf(request);
  const source = requested.follows === undefined ? undefined : sources.at(requested.follows === 'first' ? 0 : -1);
  const { width, height } = (source && (await readMediaFacts(source))) ?? {};
  return { ...requested, followed: width === undefined || height === undefined ? undefined : width / height };
}

async function run(context: RequestContext<EditFamily>): Promise<void> {
  const { request, inference, recorder, spec, signal } = context;
  const answered =
    request.family === 'gamma-image'
      ? await inference.generateImages(request.body, { signal })
      : await inference.editImages(request.body, { signal });
  recorder.exchange('edit', request.body, answered);
  const [images, sources] = [await answeredImages(context, answered), await editSources(request, context)];
  claimImages(recorder, images, { requested: await requestedFor(request, sources), expect: spec.expect });
  await claimEdited(recorder, images, await comparable(sources));
  claimStorage(recorder, answered, request.body);
  claimUsage(recorder, answered);
}

async function runStream(context: RequestContext<'alpha-edit'>): Promise<void> {
  const images = await checkAlphaStream(context, context.request);
  await claimEdited(context.recorder, images, await comparable(await editSources(context.request, context)));
}

export const IMAGE_EDIT = requestModule({
  ...IMAGE_DEFAULTS,
  id: 'image-edit',
  streamedBy: 'image-edit-stream',
  families: ['alpha-edit', 'beta-edit', 'gamma-image'],
  accepts: (model, family) => familyOf(model, family) !== undefined,
  buildRequest(model, { request, family: named }) {
    const family = familyOf(model, named);
    const body = family && BODIES[family.id]?.(model);
    return family && body && { family: family.id, body: bodyFor(body, request) };
  },
  proves: 'images as requested that differ from their source, and keep its proportions unless others are requested',
  run,
});

const streamFamilyOf = (model: string, named: string | undefined): AnyFamily | undefined => {
  const family = familyOf(model, named);
  return family?.id === 'alpha-edit' ? family : undefined;
};

export const IMAGE_EDIT_STREAM = requestModule({
  ...IMAGE_DEFAULTS,
  id: 'image-edit-stream',
  isStream: true,
  families: ['alpha-edit'],
  accepts: (model, family) => streamFamilyOf(model, family) !== undefined,
  buildRequest(model, { request, family: named }) {
    const defaults = { model, prompt: PROMPT, size: '1024x1024', quality: 'low', stream: true, partial_images: 1 };
    return streamFamilyOf(model, named) && { family: 'alpha-edit', body: mergeRequest(defaults, request) };
  },
  proves:
    'an edit that arrives as a stream: its steps in order, its final event, and an image that differs from its source',
  run: runStream,
});
