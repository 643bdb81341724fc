import { type AnyFamily, mayTake, tryFindFamily, tryFindSibling } from '../../wire/index.ts';
import type { ModelConfig } from '../catalog.ts';
import type { InferenceRequest } from './request.ts';

/**
 * The family of a request, by the model's family in the seed, otherwise by its name; undefined if the model takes no
 * requests of this kind. A name that no family claims takes whatever the endpoint does.
 */
export function tryFindFamilyFor(
  { endpoint }: Pick<InferenceRequest, 'endpoint'>,
  model: string,
  { family }: Pick<ModelConfig, 'family'>,
): AnyFamily | undefined {
  if (family !== undefined) return tryFindSibling(endpoint, family);
  return mayTake(endpoint, model) ? tryFindFamily(endpoint, model) : undefined;
}

/** The type of endpoint that these gateways list for a model. */
export const endpointTypeOf = (model: string): string =>
  tryFindFamily('submitVideo', model) === undefined ? 'openai' : 'openai-video';
