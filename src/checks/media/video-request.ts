import { type AnyFamily, FAMILIES, tryFindFamily } from '../../wire/index.ts';
import type { Body } from '../module.ts';

const PROMPT = 'A red lighthouse on a green island, waves roll by slowly, clear colours.';

const CONTENT = [{ type: 'text', text: PROMPT }];

/** As short and small as the contract allows. Of the families whose fields are not shown, what their structure demands. */
const BODIES: { readonly [family: string]: (model: string) => Body } = {
  'epsilon-video': (model) => ({
    model,
    prompt: PROMPT,
    asset: false,
    metadata: { content: CONTENT, resolution: '480p', ratio: '16:9', duration: 4 },
  }),
  'delta-video': (model) => ({
    model,
    prompt: PROMPT,
    metadata: { content: CONTENT, resolution: '768P', ratio: '16:9', duration: 4 },
  }),
  'download-video': (model) => ({ model, prompt: PROMPT, seconds: '4', size: '1280x720' }),
  'flat-video': (model) => ({ model, prompt: PROMPT, metadata: { durationSeconds: 4, aspectRatio: '16:9' } }),
  'asset-video': (model) => ({ model, prompt: PROMPT, asset: false }),
  'nested-video': (model) => ({ model, metadata: { input: { prompt: PROMPT } } }),
  'dedicated-video': (model) => ({ model, prompt: PROMPT }),
};

/** The family of video that is named, else the one that claims the model. */
export const videoFamilyOf = (model: string, named: string | undefined): AnyFamily | undefined =>
  named === undefined
    ? tryFindFamily('submitVideo', model)
    : FAMILIES.find(({ id, endpoint }) => id === named && endpoint === 'submitVideo');

export const videoBody = ({ id }: AnyFamily, model: string): Body => (BODIES[id] as (model: string) => Body)(model);
