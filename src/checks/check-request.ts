import type { Json } from '../domain/index.ts';
import {
  type FamilyId,
  findFamily,
  invalidRequestFault,
  isBodyOf,
  type RequestBodies,
  requestDiagnostics,
} from '../wire/index.ts';

/** Fields of a request, as a manifest declares them. */
export type JsonFields = { readonly [field: string]: Json };

/**
 * The request of a check before its family has validated it: the module's defaults with the declared fields merged into
 * them. A model that belongs into the path is not part of the body.
 */
export interface DraftRequest<Body = JsonFields> {
  readonly family: FamilyId;
  readonly body: Body;
}

/** A draft with the contents of its files. */
export type PreparedRequest = DraftRequest<Readonly<Record<string, unknown>>>;

/** A request with the shape that its family demands. */
export type CheckRequest<F extends FamilyId = FamilyId> = {
  readonly [Id in F]: { readonly family: Id; readonly body: RequestBodies[Id] };
}[F];

const isMap = (value: Json | undefined): value is JsonFields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Merges declared fields into defaults: maps are merged, other values replaced; `null` removes a default. */
export function mergeRequest(defaults: JsonFields, fields: JsonFields): JsonFields {
  const merged: Record<string, Json> = { ...defaults };
  for (const [name, value] of Object.entries(fields)) {
    const before = merged[name];
    if (value === null) delete merged[name];
    else merged[name] = isMap(before) && isMap(value) ? mergeRequest(before, value) : value;
  }
  return merged;
}

function hasShapeOf<F extends FamilyId>(
  request: PreparedRequest,
  families: readonly F[],
): request is PreparedRequest & CheckRequest<F> {
  const known: readonly FamilyId[] = families;
  return known.includes(request.family) && isBodyOf(request.family, request.body);
}

/**
 * Narrows a request to the families of a module.
 *
 * @throws Fault `request.invalid`, as the client does for a body that it would not send
 */
export function validRequest<F extends FamilyId>(request: PreparedRequest, families: readonly F[]): CheckRequest<F> {
  if (hasShapeOf(request, families)) return request;
  const family = findFamily(request.family);
  throw invalidRequestFault(family.title, requestDiagnostics(family, request.body));
}

/** A body that was merged and validated, as the type of requests that programs write: that type has no parts of unknown kinds. */
export function asRequest<T extends object>(validated: object): T;
export function asRequest(validated: object): object {
  return validated;
}
