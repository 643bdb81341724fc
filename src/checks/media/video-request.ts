import { type AnyFamily, FAMILIES, tryFindFamily } from '../../wire/index.ts';
import type { Body } from '../check-module.ts';
import { mergeRequest } from '../merge-request.ts';

const PROMPT = 'A red lighthouse on a green island, waves roll by slowly, clear colours.';

/** As short and small as the contract allows. Of the families whose fields are not shown, what their structure demands. */
const BODIES: { readonly [family: string]: (model: string, prompt: string) => Body } = {
  'epsilon-video': (model, prompt) => ({
    model,
    prompt,
    asset: false,
    metadata: { content: [{ type: 'text', text: prompt }], resolution: '480p', ratio: '16:9', duration: 4 },
  }),
  'delta-video': (model, prompt) => ({
    model,
    prompt,
    metadata: { content: [{ type: 'text', text: prompt }], resolution: '768P', ratio: '16:9', duration: 4 },
  }),
  'download-video': (model, prompt) => ({ model, prompt, seconds: '4', size: '1280x720' }),
  'flat-video': (model, prompt) => ({ model, prompt, metadata: { durationSeconds: 4, aspectRatio: '16:9' } }),
  'asset-video': (model, prompt) => ({ model, prompt, asset: false }),
  'nested-video': (model, prompt) => ({ model, metadata: { input: { prompt } } }),
  'dedicated-video': (model, prompt) => ({ model, prompt }),
};

interface Content {
  readonly metadata?: { readonly content?: readonly { readonly text?: unknown }[] };
}

/** What is said in one of the two places is meant in both. Contract: they are consistent. */
function promptIn(request: Body): string {
  const { content } = (request as Content).metadata ?? {};
  const said = Array.isArray(content) ? content.map((item) => item?.text) : [];
  return [request.prompt, ...said].find((text) => typeof text === 'string') ?? PROMPT;
}

/** The family of video that is named, else the one that claims the model. */
export const videoFamilyOf = (model: string, named: string | undefined): AnyFamily | undefined =>
  named === undefined
    ? tryFindFamily('submitVideo', model)
    : FAMILIES.find(({ id, endpoint }) => id === named && endpoint === 'submitVideo');

/** The request of a family by itself, and with what is given laid over it. */
export const videoBody = ({ id }: AnyFamily, model: string, request: Body): Body =>
  mergeRequest((BODIES[id] as (typeof BODIES)[string])(model, promptIn(request)), request);
