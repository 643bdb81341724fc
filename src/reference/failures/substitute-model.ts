import type { ModelOffer } from '../catalog.ts';
import type { Request } from '../inference/request.ts';
import { isFields } from './rewriting.ts';

/** A request, and the model that stands in for the one that it asked for: the same, unless a fault says otherwise. */
export interface Standing {
  /** As it is served: under the name that the answer tells. */
  readonly request: Request<unknown>;
  /** By which it is charged. */
  readonly offer: ModelOffer;
  /** What the key must be allowed. */
  readonly asked: string;
  /** What the usage log tells. */
  readonly logged: string;
}

/** An upstream is told the model by the body. */
const named = (body: unknown, model: string): unknown =>
  isFields(body) && 'model' in body ? { ...body, model } : body;

/** A model that this gateway does not have costs what the one costs that was asked for. */
export function substituted(request: Request<unknown>, offer: ModelOffer): Standing {
  const { site, call, model: asked } = request;
  const { sabotage } = call;
  if (sabotage?.kind !== 'substitute-model') return { request, offer, asked, logged: asked };
  return {
    request: sabotage.admits
      ? { ...request, model: sabotage.model, body: named(request.body, sabotage.model) }
      : request,
    offer: site.catalog.models[sabotage.model] ?? offer,
    asked,
    logged: sabotage.model,
  };
}
