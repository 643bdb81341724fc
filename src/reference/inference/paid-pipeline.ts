import { readRequestMedia } from '../../media/index.ts';
import type { AnyFamily } from '../../wire/index.ts';
import {
  findFamily,
  INFERENCE_API,
  type InferenceEndpointName,
  requestIssues,
  tryFindFamily,
} from '../../wire/index.ts';
import { type Charge, dropCharge, openCharge, settleCharge } from '../billing/charge.ts';
import { quotaFor, type Usage } from '../billing/price.ts';
import type { ModelOffer } from '../catalog.ts';
import type { Site } from '../context.ts';
import { sabotagedAnswer } from '../failures/corrupt-answer.ts';
import { type Standing, substituted } from '../failures/substitute-model.ts';
import { type Admitted, admit, type UseRefusal } from '../keys/admission.ts';
import { REQUEST_ID_LENGTH, randomText } from '../random.ts';
import type { Answer, StreamEvent } from '../server/answer.ts';
import { keyBehind } from './credential.ts';
import { bodyOf } from './form.ts';
import { invalidRequest, refusedRequest, refusedUseOf } from './refusal.ts';
import { type InferenceCall, RequestRefused, type Served, type Service } from './request.ts';
import { serviceFor } from './services.ts';

/** One request on its way through the desk. */
interface Visit {
  readonly site: Site;
  readonly call: InferenceCall;
  readonly requestId: string;
  /** Ticks at its beginning. */
  readonly began: number;
}

/**
 * Serves a request that costs money: who asks, may he, is it in order, can he pay, then the work, then the bill. What
 * is refused or fails costs nothing; what is answered has been settled when its last byte goes out.
 */
export async function servePaid(site: Site, call: InferenceCall): Promise<Answer> {
  const visit: Visit = { site, call, requestId: randomText(site.random, REQUEST_ID_LENGTH), began: site.ticks() };
  const model = modelOf(call);
  const admission = admitted(visit, model === '' ? undefined : model);
  if ('refusal' in admission) return refusedUseOf(site, call, admission.refusal);
  if (model === '') return invalidRequest(site, call, [{ path: 'model', message: 'is missing' }]);
  const offer = site.catalog.models[model] as ModelOffer;
  const family = familyOf(call, model, offer);
  if (family === undefined)
    return refusedRequest(site, call, new RequestRefused(`The model ${model} takes no requests of this kind`));
  const body = bodyOf(family, call);
  if (body === undefined) {
    const form = family.form === 'json' ? 'a JSON body' : 'a multipart form';
    return refusedRequest(site, call, new RequestRefused(`The model ${model} takes ${form} here`));
  }
  const issues = requestIssues(family, body, { model, knownOf: await readRequestMedia(family, body) });
  if (issues.length > 0) return invalidRequest(site, call, issues);
  const { key, account } = admission;
  const request = {
    site,
    call,
    requestId: visit.requestId,
    family,
    model,
    body,
    userId: account.user_id,
    keyId: key.id,
  };
  return charged(visit, substituted(request, offer));
}

const modelOf = ({ model, body, form }: InferenceCall): string => {
  const given = model || ((body as { model?: unknown } | undefined)?.model ?? form?.fields.model ?? '');
  return typeof given === 'string' ? given : '';
};

function admitted({ site, call }: Visit, model: string | undefined) {
  return site.ledger.transact(() => admit(site, keyBehind(site, call), { address: call.address, model }));
}

/** By the seed, else by the model's name; forwarded models take whatever the endpoint takes. */
function familyOf(call: InferenceCall, model: string, offer: ModelOffer): AnyFamily | undefined {
  const seeded = offer.family && findFamily(offer.family);
  if (seeded?.endpoint === call.endpoint) return seeded;
  return tryFindFamily(call.endpoint, model);
}

async function charged(visit: Visit, standing: Standing): Promise<Answer> {
  const { site, call } = visit;
  const { request, offer } = standing;
  const service = serviceFor(request);
  const held = (admission: Admitted): number =>
    quotaFor(site.catalog, offer, { group: admission.group, usage: service.estimate(request) });
  const charge = site.ledger.transact((): Charge | { readonly refusal: UseRefusal } => {
    const admission = admit(site, keyBehind(site, call), {
      address: call.address,
      model: standing.asked,
    });
    if ('refusal' in admission) return admission;
    return openCharge(site, admission, { facts: factsOf(standing), units: held(admission) });
  });
  if ('refusal' in charge) return refusedUseOf(site, call, charge.refusal);
  return sabotagedAnswer(request, await served(visit, { request, offer, service, charge }));
}

const factsOf = ({ request: { requestId, call, body }, asked, logged }: Standing) => ({
  requestId,
  address: call.address,
  model: logged,
  path: pathOf(call.endpoint, asked),
  isStream: (body as { stream?: unknown }).stream === true || call.endpoint === 'streamGenerateContent',
  reasoningEffort: effortIn(body as { reasoning_effort?: unknown; reasoning?: { effort?: unknown } }),
});

const pathOf = (endpoint: InferenceEndpointName, model: string): string =>
  INFERENCE_API[endpoint].path.replace('{model}', model);

const effortIn = (body: { reasoning_effort?: unknown; reasoning?: { effort?: unknown } }): string =>
  String(body.reasoning_effort ?? body.reasoning?.effort ?? '');

interface Serving extends Pick<Standing, 'request' | 'offer'> {
  readonly service: Service<unknown>;
  readonly charge: Charge;
}

async function served(visit: Visit, { request, offer, service, charge }: Serving): Promise<Answer> {
  const { site, call, began } = visit;
  try {
    if (offer.fails && call.endpoint !== 'submitVideo') {
      throw new RequestRefused(offer.fails.message, { status: offer.fails.status, code: 'upstream_error' });
    }
    const answer = await service.serve(request);
    const headers = site.profile.requestHeaders(request.requestId);
    if ('events' in answer) return { status: 200, headers, events: billed(visit, { charge, offer, answer }) };
    site.ledger.transact(() => {
      answer.commit?.();
      settle(visit, { charge, offer, usage: answer.usage, firstByteMs: site.ticks() - began });
    });
    return { status: 200, headers, body: answer.body };
  } catch (thrown) {
    const refusal =
      thrown instanceof RequestRefused ? thrown : new RequestRefused('internal error', { status: 500, code: 'defect' });
    const seconds = (site.ticks() - began) / 1000;
    site.ledger.transact(() => dropCharge(site, charge, { seconds, content: refusal.message }));
    if (refusal !== thrown) throw thrown;
    return refusedRequest(site, call, refusal);
  }
}

interface Bill {
  readonly charge: Charge;
  readonly offer: ModelOffer;
  readonly usage: Usage;
  readonly firstByteMs: number;
}

function settle({ site, began }: Visit, { charge, offer, usage, firstByteMs }: Bill): void {
  const quota = quotaFor(site.catalog, offer, { group: charge.group, usage });
  settleCharge(site, charge, { quota, usage, firstByteMs, seconds: (site.ticks() - began) / 1000 });
}

/**
 * The events of a stream, billed before the final one goes out. A client that leaves earlier pays for what had gone out
 * until then, as it would with an upstream.
 */
async function* billed(
  visit: Visit,
  { charge, offer, answer }: Omit<Bill, 'usage' | 'firstByteMs'> & { answer: Extract<Served, { events: unknown }> },
): AsyncGenerator<StreamEvent> {
  const { site, began } = visit;
  let firstByteMs: number | undefined;
  const bill = (): void => {
    const usage = answer.usage();
    site.ledger.transact(() =>
      settle(visit, { charge, offer, usage, firstByteMs: firstByteMs ?? site.ticks() - began }),
    );
  };
  try {
    for await (const event of answer.events) {
      firstByteMs ??= site.ticks() - began;
      if (event.final) bill();
      yield event;
    }
  } finally {
    bill();
  }
}
