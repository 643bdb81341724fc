import type { EditRequest, ImageRequest } from '../../gateway/index.ts';
import { readMediaFacts } from '../../media/index.ts';
import { type AnyFamily, GAMMA_MODELS, tryFindFamily } from '../../wire/index.ts';
import type { Body, CheckModuleEntry, Examination, Plea, Trial } from '../check-module.ts';
import { overlay } from '../merge-request.ts';
import { answeredPictures } from './answered-pictures.ts';
import { editSources } from './edit-sources.ts';
import { OF_PICTURES } from './entry-facts.ts';
import { gammaBody } from './image.ts';
import { claimUsage } from './image-usage.ts';
import { differenceOf, lookAtPicture, type Picture } from './picture.ts';
import { claimPictures, nameOf } from './picture-claims.ts';
import { type PictureWish, wishOf } from './picture-config.ts';
import { SOURCE_URI } from './source-picture.ts';

const PROMPT = 'Make the background dark blue and add a yellow star above the shapes.';

/** Small and cheap, of a picture of ours. The form of family alpha gets it when its files are read. */
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
  return overlay(request.images === undefined || image === undefined ? defaults : others, request);
}

/** What can not be decoded here, as a BMP, can not be compared: that says nothing of the key. */
async function comparable(sources: readonly (Uint8Array | undefined)[]): Promise<readonly Uint8Array[]> {
  const seen = await Promise.all(sources.flatMap((source) => (source ? [lookAtPicture(source)] : [])));
  return seen.filter(({ trouble }) => trouble === undefined).map(({ bytes }) => bytes);
}

/** Of 255: an encoder’s noise is below it, a stroke of a brush above. */
const LEAST_DIFFERENCE = 24;

async function claimEdited(
  exam: Examination,
  pictures: readonly Picture[],
  sources: readonly Uint8Array[],
): Promise<void> {
  for (const [index, { bytes, trouble }] of pictures.entries()) {
    if (trouble !== undefined) continue;
    const differences = await Promise.all(sources.map((source) => differenceOf(source, bytes)));
    if (differences.length === 0) continue;
    const least = Math.min(...differences);
    const claim = `${nameOf(index, pictures.length)} is not what it was made from: something was edited`;
    exam.claim(claim, least >= LEAST_DIFFERENCE, `colours differ by ${least} of 255 at most`);
  }
}

async function wishFor(plea: Plea, sources: readonly (Uint8Array | undefined)[]): Promise<PictureWish> {
  const wish = wishOf(plea);
  const source = wish.follows === undefined ? undefined : sources.at(wish.follows === 'first' ? 0 : -1);
  const { width, height } = (source && (await readMediaFacts(source))) ?? {};
  return { ...wish, followed: width === undefined || height === undefined ? undefined : width / height };
}

async function examineEdit(trial: Trial): Promise<void> {
  const { plea, inference, exam, spec, signal } = trial;
  if (plea === undefined) return;
  const body: unknown = plea.body;
  const answered =
    plea.family === 'gamma-image'
      ? await inference.generateImages(body as ImageRequest, { signal })
      : await inference.editImages(body as EditRequest, { signal });
  exam.exchange('edit', body, answered);
  const [pictures, sources] = [await answeredPictures(trial, answered), await editSources(plea, trial)];
  claimPictures(exam, pictures, { wish: await wishFor(plea, sources), expect: spec.expect });
  await claimEdited(exam, pictures, await comparable(sources));
  claimUsage(exam, answered);
}

export const IMAGE_EDIT: CheckModuleEntry = {
  ...OF_PICTURES,
  id: 'image-edit',
  takes: (model, family) => familyOf(model, family) !== undefined,
  plea(model, { request, family: named }) {
    const family = familyOf(model, named);
    const body = family && BODIES[family.id]?.(model);
    return family && body && { family: family.id, body: bodyFor(body, request) };
  },
  proves:
    'pictures as asked for that differ from what they were made from, in its proportions where no others are asked',
  examine: examineEdit,
};
