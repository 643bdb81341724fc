import { asFault, type FaultCode, isWithinRules } from '../../domain/index.ts';
import type { CheckContext } from '../check-module.ts';
import { listedModels } from '../run/model-choice.ts';
import {
  AFTER_THE_RULES,
  findCheapModel,
  rejectionOfKey,
  sendCheapRequest,
  sendEmptyChat,
  tryFindCheapModel,
} from './cheap-request.ts';
import {
  claimRejected,
  isWithoutListing,
  type Rejection,
  rejectionOf,
  rejectionOfListing,
} from './rejection-claims.ts';

const ADVICE = { remedy: 'use-second-address' } as const;

/** A 403 without a code, with which some gateways of the family reject addresses. */
const UNCLEAR: readonly FaultCode[] = ['gateway.refused', 'key.group-not-allowed'];

const DENIED: readonly FaultCode[] = ['key.address-not-allowed', ...UNCLEAR];

/** Sends a request, by the route of the context. */
type Ask = (context: CheckContext) => Promise<Rejection | undefined>;

interface SecondAddressAnswer {
  readonly ask: Ask;
  readonly rejection: Rejection | undefined;
  /** The end of the claim: the requests that the gateway accepts all the same. */
  readonly exception?: string;
}

const list: Ask = (context) => rejectionOfListing(context, context.inference, DENIED);

/** Returns the rejection of a chat without messages by a rule about addresses. */
async function rejectionOfChat(context: CheckContext, model: string): Promise<Rejection | undefined> {
  const rejection = await rejectionOf(context, () => sendEmptyChat(context, model), [...DENIED, ...AFTER_THE_RULES]);
  return rejection && AFTER_THE_RULES.includes(rejection.code) ? undefined : rejection;
}

/**
 * Asks for a listing of models, or for a cheap request where the gateway has no listing. Where a listing passes each time, a chat
 * decides: Veloera lists models for every address.
 */
async function askFrom(there: CheckContext): Promise<SecondAddressAnswer> {
  const listing = await list(there);
  if (isWithoutListing(listing)) {
    const model = findCheapModel(there);
    const send: Ask = (context) => rejectionOfKey(context, () => sendCheapRequest(context, model), DENIED);
    return { ask: send, rejection: await send(there) };
  }
  const { inference, signal } = there;
  const model = tryFindCheapModel(there) ?? (listing ? undefined : (await listedModels(inference, { signal }))[0]);
  if (listing !== undefined || model === undefined) return { ask: list, rejection: listing };
  const chat: Ask = (context) => rejectionOfChat(context, model);
  const rejection = await chat(there);
  const isListed = rejection !== undefined && (await list(there)) === undefined;
  return isListed
    ? { ask: chat, rejection, exception: ', except for lists of models' }
    : { ask: list, rejection: undefined };
}

/** Ends the check if the gateway gives no reason, and rejects the same request from here, too. */
async function requireReason(context: CheckContext, { ask, rejection }: SecondAddressAnswer): Promise<void> {
  if (rejection === undefined || !UNCLEAR.includes(rejection.code)) return;
  const isOwn = rejection.isBare && !rejection.isForeign;
  if (isOwn && (await ask(context)) === undefined) return;
  context.recorder.unprovable(`the rejection does not give the address as its reason: ${rejection.message}`);
}

/** Checks that the gateway rejects the key from an address outside its allowlist. */
export async function checkForbiddenAddress(context: CheckContext): Promise<void> {
  const { key, alternateRoute, recorder } = context;
  const rules = key.observed.allowIps;
  if (rules === null) return recorder.skip('the key may be used from anywhere');
  if (alternateRoute === undefined) return recorder.unprovable('there is no second address to send from', ADVICE);
  const { address, description, inference } = alternateRoute;
  if (address !== undefined && isWithinRules(address, rules)) {
    recorder.unprovable(`the key may be used from the second address too: ${address}`, ADVICE);
  }
  const asked = await askFrom({ ...context, inference }).catch((thrown: unknown) => {
    // A route that does not reach the gateway proves nothing.
    if (asFault(thrown).code !== 'gateway.unreachable') throw thrown;
    return recorder.unprovable(`the gateway cannot be reached ${description}`, ADVICE);
  });
  await requireReason(context, asked);
  const { rejection, exception = '' } = asked;
  claimRejected(context, `the gateway rejects the key ${description}${rejection ? exception : ''}`, rejection);
}
