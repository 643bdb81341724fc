import type { ImageRequest } from '../../gateway/index.ts';
import { GAMMA_MODELS, tryFindFamily, tryParseGammaSize } from '../../wire/index.ts';
import type { Body, CheckModuleEntry, Trial } from '../check-module.ts';
import { mergeRequest } from '../merge-request.ts';
import { answeredImages } from './answered-images.ts';
import { IMAGE_DEFAULTS } from './entry-facts.ts';
import { claimImages } from './image-claims.ts';
import { claimUsage } from './image-usage.ts';
import { requestedImageOf } from './requested-image.ts';

const PROMPT = 'A red lighthouse on a green island, a small white boat before it, clear colours.';

/** Of models whose edges or pixels are bounded: none takes less. */
const SMALLEST = '512*512';

const pixelsOf = (size: string): number => {
  const { width, height } = tryParseGammaSize(size) ?? { width: Infinity, height: Infinity };
  return width * height;
};

/** The smallest size that a model may be asked for; undefined where it is not known, or none may be named. */
function smallestGammaSize(model: string): string | undefined {
  const size = GAMMA_MODELS[model]?.size;
  if (size === undefined || size === 'never') return undefined;
  if (!('sizes' in size)) return SMALLEST;
  return [...size.sizes].sort((one, other) => pixelsOf(one) - pixelsOf(other))[0];
}

/** A request of family gamma with this content. */
export function gammaBody(model: string, content: readonly Body[]): Body {
  const size = smallestGammaSize(model);
  const parameters = size === undefined ? {} : { parameters: { size } };
  return { model, input: { messages: [{ role: 'user', content: [...content] }] }, ...parameters };
}

/** Small and cheap; whoever wants more says so. */
const BODIES: { readonly [family: string]: (model: string) => Body } = {
  'alpha-image': (model) => ({ model, prompt: PROMPT, size: '1024x1024', quality: 'low' }),
  'beta-image': (model) => ({ model, prompt: PROMPT, aspect_ratio: '1:1', resolution: '1k' }),
  'gamma-image': (model) => gammaBody(model, [{ text: PROMPT }]),
};

function familyOf(model: string, named: string | undefined) {
  const family = tryFindFamily('generateImages', model);
  const onlyEdits = GAMMA_MODELS[model]?.generates === false;
  return family === undefined || onlyEdits || (named !== undefined && named !== family.id) ? undefined : family;
}

async function checkImage(trial: Trial): Promise<void> {
  const { plea, inference, recorder, spec, signal } = trial;
  if (plea === undefined) return;
  const answered = await inference.generateImages(plea.body as unknown as ImageRequest, { signal });
  recorder.exchange('generation', plea.body, answered);
  claimImages(recorder, await answeredImages(trial, answered), {
    requested: requestedImageOf(plea),
    expect: spec.expect,
  });
  claimUsage(recorder, answered);
}

export const IMAGE: CheckModuleEntry = {
  ...IMAGE_DEFAULTS,
  id: 'image',
  takes: (model, family) => familyOf(model, family) !== undefined,
  plea(model, { request, family: named }) {
    const family = familyOf(model, named);
    const body = family && BODIES[family.id]?.(model);
    return family && body && { family: family.id, body: mergeRequest(body, request) };
  },
  proves: 'as many images as were asked for, each whole, in the asked format and size, with something on it',
  examine: checkImage,
};
