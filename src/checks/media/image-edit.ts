import type { EditRequest, ImageRequest } from '../../gateway/index.ts';
import { readMediaFacts } from '../../media/index.ts';
import { type AnyFamily, GAMMA_MODELS, tryFindFamily } from '../../wire/index.ts';
import type { Body, CheckModuleEntry, CheckRecorder, CheckRequest, Trial } from '../check-module.ts';
import { mergeRequest } from '../merge-request.ts';
import { answeredImages } from './answered-images.ts';
import { type DecodedImage, decodeImage, differenceOf } from './decoded-image.ts';
import { editSources } from './edit-sources.ts';
import { IMAGE_DEFAULTS } from './entry-facts.ts';
import { gammaBody } from './image.ts';
import { claimImages, nameOf } from './image-claims.ts';
import { claimUsage } from './image-usage.ts';
import { type RequestedImage, requestedImageOf } from './requested-image.ts';
import { SOURCE_URI } from './source-image.ts';

const PROMPT = 'Make the background dark blue and add a yellow star above the shapes.';

/** Small and cheap, of an image of ours. The form of family alpha gets it when its files are read. */
const BODIES: { readonly [family: string]: (model: string) => Body } = {
  'alpha-edit': (model) => ({ model, prompt: PROMPT, size: '1024x1024', quality: 'low' }),
  'beta-edit': (model) => ({ model, prompt: PROMPT, image: { url: SOURCE_URI }, resolution: '1k' }),
  'gamma-image': (model) => gammaBody(model, [{ image: SOURCE_URI }, { text: PROMPT }]),
};

/** Family gamma edits where others generate. */
function familyOf(model: string, named: string | undefined): AnyFamily | undefined {
  const gamma = tryFindFamily('generateImages', model);
  const edits = gamma?.id === 'gamma-image' && GAMMA_MODELS[model]?.edits !== false;
  const family = edits ? gamma : tryFindFamily('editImages', model);
  return named === undefined || named === family?.id ? family : undefined;
}

/** Several sources take the place of our single one. */
function bodyFor(defaults: Body, request: Body): Body {
  const { image, ...others } = defaults;
  return mergeRequest(request.images === undefined || image === undefined ? defaults : others, request);
}

/** What can not be decoded here, as a BMP, can not be compared: that says nothing of the key. */
async function comparable(sources: readonly (Uint8Array | undefined)[]): Promise<readonly Uint8Array[]> {
  const seen = await Promise.all(sources.flatMap((source) => (source ? [decodeImage(source)] : [])));
  return seen.filter(({ trouble }) => trouble === undefined).map(({ bytes }) => bytes);
}

/** Of 255: an encoder’s noise is below it, a stroke of a brush above. */
const LEAST_DIFFERENCE = 24;

async function claimEdited(
  recorder: CheckRecorder,
  images: readonly DecodedImage[],
  sources: readonly Uint8Array[],
): Promise<void> {
  for (const [index, { bytes, trouble }] of images.entries()) {
    if (trouble !== undefined) continue;
    const differences = await Promise.all(sources.map((source) => differenceOf(source, bytes)));
    if (differences.length === 0) continue;
    const least = Math.min(...differences);
    const claim = `${nameOf(index, images.length)} is not what it was made from: something was edited`;
    recorder.claim(claim, least >= LEAST_DIFFERENCE, `colours differ by ${least} of 255 at most`);
  }
}

async function requestedFor(plea: CheckRequest, sources: readonly (Uint8Array | undefined)[]): Promise<RequestedImage> {
  const requested = requestedImageOf(plea);
  const source = requested.follows === undefined ? undefined : sources.at(requested.follows === 'first' ? 0 : -1);
  const { width, height } = (source && (await readMediaFacts(source))) ?? {};
  return { ...requested, followed: width === undefined || height === undefined ? undefined : width / height };
}

async function checkEdit(trial: Trial): Promise<void> {
  const { plea, inference, recorder, spec, signal } = trial;
  if (plea === undefined) return;
  const body: unknown = plea.body;
  const answered =
    plea.family === 'gamma-image'
      ? await inference.generateImages(body as ImageRequest, { signal })
      : await inference.editImages(body as EditRequest, { signal });
  recorder.exchange('edit', body, answered);
  const [images, sources] = [await answeredImages(trial, answered), await editSources(plea, trial)];
  claimImages(recorder, images, { requested: await requestedFor(plea, sources), expect: spec.expect });
  await claimEdited(recorder, images, await comparable(sources));
  claimUsage(recorder, answered);
}

export const IMAGE_EDIT: CheckModuleEntry = {
  ...IMAGE_DEFAULTS,
  id: 'image-edit',
  takes: (model, family) => familyOf(model, family) !== undefined,
  plea(model, { request, family: named }) {
    const family = familyOf(model, named);
    const body = family && BODIES[family.id]?.(model);
    return family && body && { family: family.id, body: bodyFor(body, request) };
  },
  proves: 'images as asked for that differ from what they were made from, in its proportions where no others are asked',
  examine: checkEdit,
};
