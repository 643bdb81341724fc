import type { FaultCode, StoredStatus } from '../../domain/index.ts';
import type { CheckContext } from '../check-module.ts';
import { listedModels } from '../run/model-choice.ts';
import {
  findCheapModel,
  isAboutKey,
  isCheap,
  NO_MODEL,
  rejectionOfKey,
  sendCheapRequest,
  tryFindCheapModel,
  UNRELATED_TO_KEY,
} from './cheap-request.ts';
import {
  type Accepted,
  claimRejected,
  isWithoutListing,
  type Rejection,
  rejectionOf,
  rejectionOfListing,
} from './rejection-claims.ts';

const STATES: Readonly<Record<StoredStatus, string>> = {
  enabled: 'the key is enabled',
  disabled: 'the key is disabled',
  expired: 'the key is expired',
  exhausted: 'the key’s budget is used up',
};

/** Skips a key in another state: a check does not change keys. */
function requireState({ key, recorder }: CheckContext, state: StoredStatus): void {
  if (key.status !== state) recorder.skip(STATES[key.status]);
}

/** A rejection of the model, the group or the address would prove nothing about the state. */
const REJECTED: readonly FaultCode[] = ['key.refused'];

/** Claims that the gateway rejects the key, and that nothing else has answered in its place. */
function claimKeyRejected(context: CheckContext, claim: string, rejection: Rejection | undefined): void {
  if (rejection?.isForeign) {
    context.recorder.unprovable(
      `the rejection may come from something in front of the gateway, because its error does not have the form of a gateway’s own: ${rejection.message}`,
    );
  }
  claimRejected(context, claim, rejection);
}

/** Proves the state by a paid request alone, where the gateway lists no models. */
async function checkByRequest(context: CheckContext, state: 'disabled' | 'expired'): Promise<void> {
  const model = findCheapModel(context);
  const rejection = await rejectionOfKey(context, () => sendCheapRequest(context, model), REJECTED);
  claimKeyRejected(context, `the gateway rejects a request to ${model} with the ${state} key`, rejection);
}

/** Claims that the gateway rejects both a free and a paid request. */
async function checkUnusable(context: CheckContext, state: 'disabled' | 'expired'): Promise<void> {
  requireState(context, state);
  const listing = await rejectionOfListing(context, REJECTED);
  if (isWithoutListing(listing)) return checkByRequest(context, state);
  claimKeyRejected(context, `the gateway rejects a listing of models with the ${state} key`, listing);
  const model = tryFindCheapModel(context);
  if (listing === undefined || model === undefined) return;
  const answers = [...REJECTED, ...UNRELATED_TO_KEY];
  const rejection = await rejectionOf(context, () => sendCheapRequest(context, model), answers);
  if (rejection === undefined || isAboutKey(rejection)) {
    claimKeyRejected(context, `the gateway rejects a request to ${model} with the ${state} key`, rejection);
  }
}

export const checkDisabled = (context: CheckContext): Promise<void> => checkUnusable(context, 'disabled');

export const checkExpired = (context: CheckContext): Promise<void> => checkUnusable(context, 'expired');

/** Sends a paid request. Some gateways list models for an exhausted key, which then names one. */
async function sendPaidRequest(context: CheckContext): Promise<Accepted> {
  const { recorder, inference, signal } = context;
  const known = tryFindCheapModel(context);
  if (known !== undefined) return sendCheapRequest(context, known);
  const listed = await listedModels(inference, { signal });
  const model = listed.find(isCheap) ?? recorder.unprovable(NO_MODEL, { remedy: 'name-model' });
  return sendCheapRequest(context, model);
}

/** Proves exhaustion by a paid request: a listing of models is free, and some gateways still give it. */
export async function checkExhausted(context: CheckContext): Promise<void> {
  requireState(context, 'exhausted');
  const rejection = await rejectionOfKey(context, () => sendPaidRequest(context), [...REJECTED, 'key.exhausted']);
  claimKeyRejected(context, 'the gateway rejects the exhausted key', rejection);
}
