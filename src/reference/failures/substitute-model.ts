import type { ModelConfig } from '../catalog.ts';
import type { AcceptedRequest } from '../inference/request.ts';
import { isJsonObject } from './rewriting.ts';

/** A request, and the model that stands in for the one that it requestedModel for: the same, unless a fault says otherwise. */
export interface Substitution {
  /** As it is served: under the name that the answer tells. */
  readonly request: AcceptedRequest<unknown>;
  /** By which it is charged. */
  readonly modelConfig: ModelConfig;
  /** What the key must be allowed. */
  readonly requestedModel: string;
  /** What the usage log tells. */
  readonly loggedModel: string;
}

/** An upstream is told the model by the body. */
const named = (body: unknown, model: string): unknown =>
  isJsonObject(body) && 'model' in body ? { ...body, model } : body;

/** A model that this gateway does not have costs what the one costs that was requestedModel for. */
export function substituteModel(request: AcceptedRequest<unknown>, modelConfig: ModelConfig): Substitution {
  const { context, incoming, model: requestedModel } = request;
  const { failure } = incoming;
  if (failure?.kind !== 'substitute-model')
    return { request, modelConfig, requestedModel, loggedModel: requestedModel };
  return {
    request: failure.admits ? { ...request, model: failure.model, body: named(request.body, failure.model) } : request,
    modelConfig: context.catalog.models[failure.model] ?? modelConfig,
    requestedModel,
    loggedModel: failure.model,
  };
}
