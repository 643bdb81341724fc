import { KEY_STATUS, NEVER_EXPIRES, type RequestDiagnostic, renderPath } from '../../wire/index.ts';
import type { ModelConfig } from '../catalog.ts';
import type { AcceptedRequest, Form, InferenceRequest } from '../inference/request.ts';
import { isJsonObject } from '../json-object.ts';
import type { StoredKey } from '../ledger/keys.ts';
import type { LenientRule, ServingFailure } from './kinds.ts';

const isContainer = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

function without(value: unknown, [name = '', ...rest]: readonly string[]): unknown {
  if (!isContainer(value) || !Object.hasOwn(value, name)) return value;
  if (rest.length > 0) {
    const inner = without(value[name], rest);
    return Array.isArray(value) ? value.with(Number(name), inner) : { ...value, [name]: inner };
  }
  if (Array.isArray(value)) return value.toSpliced(Number(name), 1);
  return Object.fromEntries(Object.entries(value).filter(([other]) => other !== name));
}

/** Removes the field that the gateway ignores, `metadata.content.0` in lists too, before any schema sees it. */
export const withoutIgnoredField = (body: unknown, failure: ServingFailure | undefined): unknown =>
  failure?.kind === 'ignore-field' ? without(body, failure.field.split('.')) : body;

/**
 * Drops the complaint that a field is missing that the gateway itself has removed. Only videos have a default for every
 * field.
 */
export const withoutOwnComplaint = (
  { endpoint, failure }: Pick<InferenceRequest, 'endpoint' | 'failure'>,
  diagnostics: readonly RequestDiagnostic[],
): readonly RequestDiagnostic[] =>
  endpoint === 'submitVideo' && failure?.kind === 'ignore-field'
    ? diagnostics.filter(({ path }) => renderPath(path) !== failure.field)
    : diagnostics;

/** Removes the texts and files of an ignored field from a form. */
export function formWithoutIgnoredField(form: Form | undefined, failure: ServingFailure | undefined): Form | undefined {
  if (form === undefined || failure?.kind !== 'ignore-field') return form;
  const isKept = (name: string): boolean => name !== failure.field && name !== `${failure.field}[]`;
  const fields = Object.fromEntries(Object.entries(form.fields).filter(([name]) => isKept(name)));
  return { fields, files: form.files.filter(({ field }) => isKept(field)) };
}

/** A request and the model that serves it: the requested one, unless a failure substitutes another. */
export interface Substitution {
  /** Names the model that the answer names. */
  readonly request: AcceptedRequest<unknown>;
  /** The model whose price is charged. */
  readonly modelConfig: ModelConfig;
  /** The model that the key must be allowed to use. */
  readonly requestedModel: string;
  /** The model in the usage log. */
  readonly loggedModel: string;
}

/** An upstream reads the model from the body. */
const withModel = (body: unknown, model: string): unknown =>
  isJsonObject(body) && 'model' in body ? { ...body, model } : body;

/** A substitute that this gateway does not offer costs as much as the requested model. */
export function substituteModel(request: AcceptedRequest<unknown>, modelConfig: ModelConfig): Substitution {
  const { context, incoming, model: requestedModel } = request;
  const { failure } = incoming;
  if (failure?.kind !== 'substitute-model')
    return { request, modelConfig, requestedModel, loggedModel: requestedModel };
  const { model } = failure;
  return {
    request: failure.admits ? { ...request, model, body: withModel(request.body, model) } : request,
    modelConfig: context.catalog.models[model] ?? modelConfig,
    requestedModel,
    loggedModel: model,
  };
}

/** Enables a key again whose status results from the overlooked restriction alone. */
const enabledAgain = ({ status }: StoredKey, consequence: number): Pick<StoredKey, 'status'> => ({
  status: status === consequence ? KEY_STATUS.enabled : status,
});

const OVERLOOKED: { readonly [R in LenientRule]: (key: StoredKey) => Partial<StoredKey> } = {
  model: () => ({ model_limits_enabled: false }),
  status: () => ({ status: KEY_STATUS.enabled }),
  expiry: (key) => ({ expired_time: NEVER_EXPIRES, ...enabledAgain(key, KEY_STATUS.expired) }),
  quota: (key) => ({ unlimited_quota: true, ...enabledAgain(key, KEY_STATUS.exhausted) }),
  address: () => ({ allow_ips: '' }),
};

/** The key without the restriction that a lenient gateway overlooks for this request. The stored key is unchanged. */
export const overlookRestriction = (
  key: StoredKey | undefined,
  failure: ServingFailure | undefined,
): StoredKey | undefined => (key && failure?.kind === 'lenient' ? { ...key, ...OVERLOOKED[failure.rule](key) } : key);
