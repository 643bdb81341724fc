import { readRequestMedia } from '../../media/index.ts';
import {
  type AlphaEditRequest,
  type AnyFamily,
  FAMILIES,
  type FamilyId,
  type InferenceEndpointName,
  invalidRequestFault,
  MEGABYTE,
  type RequestDiagnostic,
  renderJson,
  requestDiagnostics,
  requestError,
  tryFindFamily,
} from '../../wire/index.ts';
import { type RenderedBody, renderForm } from '../media/multipart.ts';

/** A request of one family, as the caller provides it. */
export interface FamilyRequest {
  readonly family: AnyFamily;
  readonly body: object;
  /** The model, where the path contains it. */
  readonly model?: string | undefined;
}

const diagnosticsOf = async ({ family, body, model }: FamilyRequest): Promise<readonly RequestDiagnostic[]> =>
  requestDiagnostics(family, body, { model, knownOf: await readRequestMedia(family, body) });

function render({ family, body }: FamilyRequest): RenderedBody {
  if (family.form === 'multipart') return renderForm(body as AlphaEditRequest);
  const text = renderJson(body);
  return { contentType: 'application/json', body: text, bytes: Buffer.byteLength(text) };
}

/**
 * Validates a request against the limits of the contract, and renders its body.
 * @throws Fault `request.invalid`; its detail has `issues`.
 */
export async function prepareBody(request: FamilyRequest): Promise<RenderedBody> {
  const { family, model } = request;
  const unnamed = model === undefined || model.trim() !== '' ? [] : [requestError(['model'], 'is empty')];
  const diagnostics = [...unnamed, ...(await diagnosticsOf(request))];
  if (diagnostics.length > 0) throw invalidRequestFault(family.title, diagnostics);
  const body = render(request);
  if (body.bytes <= (family.maxBytes ?? Number.POSITIVE_INFINITY)) return body;
  const message = `is ${body.bytes} bytes long; at most ${(family.maxBytes ?? 0) / MEGABYTE} MB are allowed`;
  throw invalidRequestFault(family.title, [requestError([], message)]);
}

const familiesOf = (endpoint: InferenceEndpointName): readonly AnyFamily[] =>
  FAMILIES.filter((family: AnyFamily) => family.endpoint === endpoint);

/**
 * Finds the family of a request: the named one, otherwise the one that claims the model.
 * @throws Fault `request.invalid` when there is none
 */
export function resolveFamily(
  endpoint: InferenceEndpointName,
  body: { readonly model?: unknown },
  named?: FamilyId,
): AnyFamily {
  const families = familiesOf(endpoint);
  if (named !== undefined) {
    const found = families.find(({ id }) => id === named);
    if (found) return found;
  }
  const claiming = named === undefined && typeof body.model === 'string' && tryFindFamily(endpoint, body.model);
  if (claiming) return claiming;
  const ids = families.map(({ id }) => id).join(', ');
  const [path, message] =
    named === undefined ? ['model', `belongs to none of these families: ${ids}`] : ['family', `must be one of ${ids}`];
  throw invalidRequestFault(`The request to ${endpoint}`, [requestError([path], message)]);
}
