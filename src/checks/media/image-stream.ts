import { type FamilyId, NATIVE_IMAGE_MODELS, tryFindFamily } from '../../wire/index.ts';
import type { Body, CheckModuleEntry, CheckRequest, Trial } from '../check-module.ts';
import { mergeRequest } from '../merge-request.ts';
import { checkAlphaStream } from './alpha-stream.ts';
import { IMAGE_DEFAULTS } from './entry-facts.ts';
import { checkNativeStream } from './native-stream.ts';

const PROMPT = 'A red lighthouse on a green island, a small white boat before it, clear colours.';

/** What one of the two kinds of streams is asked with, and looked at. */
interface Streaming {
  readonly body: (model: string) => Body;
  readonly examine: (trial: Trial, plea: CheckRequest) => Promise<void>;
}

/** Models that take no size make what is called 1K elsewhere. */
function nativeBody(model: string): Body {
  const [imageSize] = NATIVE_IMAGE_MODELS[model]?.imageSizes ?? [];
  const imageConfig = { aspectRatio: '1:1', ...(imageSize === undefined ? {} : { imageSize }) };
  return {
    contents: [{ role: 'user', parts: [{ text: PROMPT }] }],
    generationConfig: { responseModalities: ['TEXT', 'IMAGE'], imageConfig },
  };
}

const STREAMS: { readonly [F in FamilyId]?: Streaming } = {
  'native-image': { body: nativeBody, examine: checkNativeStream },
  'alpha-image': {
    body: (model) => ({
      model,
      prompt: PROMPT,
      size: '1024x1024',
      quality: 'low',
      stream: true,
      partial_images: 1,
    }),
    examine: checkAlphaStream,
  },
};

/** The endpoint of native streams takes any model: those of its kind are reported by their names. */
const NATIVE_NAME = /^eta-.*\bimage\b/;

function familyOf(model: string, named: string | undefined): FamilyId | undefined {
  const claimed = NATIVE_NAME.test(model) ? 'native-image' : tryFindFamily('generateImages', model)?.id;
  const family = claimed ?? (named === 'native-image' ? named : undefined);
  return family !== undefined && STREAMS[family] && (named === undefined || named === family) ? family : undefined;
}

export const IMAGE_STREAM: CheckModuleEntry = {
  ...IMAGE_DEFAULTS,
  id: 'image-stream',
  takes: (model, family) => familyOf(model, family) !== undefined,
  plea(model, { request, family: named }) {
    const family = familyOf(model, named);
    const body = family && STREAMS[family]?.body(model);
    return family && body && { family, body: mergeRequest(body, request) };
  },
  proves: 'an image that comes in a stream: its steps in order, its final event, and the image as was asked',
  async examine(trial) {
    const { plea } = trial;
    if (plea) await STREAMS[plea.family]?.examine(trial, plea);
  },
};
