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

/** Rejections that may mean a rule about addresses. Gateways of the family do not all give a reason. */
export const DENIED: readonly FaultCode[] = ['key.address-not-allowed', 'gateway.refused', 'key.group-not-allowed'];

/** Sends a request by the route of the context. @param note the end of its title in the report */
type Ask = (context: CheckContext, note?: string) => Promise<Rejection | undefined>;

interface SecondAddressAnswer {
  readonly ask: Ask;
  readonly rejection: Rejection | undefined;
  /** The end of the claim: the requests that the gateway accepts all the same. */
  readonly exception?: string;
}

const list: Ask = (context, note) => rejectionOfListing(context, DENIED, note);

/** Returns the rejection of a chat without messages by a rule about addresses. */
async function rejectionOfChat(context: CheckContext, model: string, note?: string): Promise<Rejection | undefined> {
  const rejection = await rejectionOf(context, () => sendEmptyChat(context, model, note), [
    ...DENIED,
    ...AFTER_THE_RULES,
  ]);
  return rejection && AFTER_THE_RULES.includes(rejection.code) ? undefined : rejection;
}

/**
 * Asks for a listing of models, or for a cheap request where the gateway has no listing. Where a listing passes each time, a chat
 * decides: Veloera lists models for every address.
 */
async function askFrom(there: CheckContext, { inference, signal }: CheckContext): Promise<SecondAddressAnswer> {
  const listing = await list(there);
  if (isWithoutListing(listing)) {
    const model = findCheapModel(there);
    const send: Ask = (context) => rejectionOfKey(context, () => sendCheapRequest(context, model), DENIED);
    return { ask: send, rejection: await send(there) };
  }
  if (listing !== undefined) return { ask: list, rejection: listing };
  const accepted = { ask: list, rejection: undefined };
  const model = tryFindCheapModel({ ...there, otherModels: await listedModels(inference, { signal }) });
  if (model === undefined) return accepted;
  const chat: Ask = (context, note) => rejectionOfChat(context, model, note);
  const rejection = await chat(there);
  if (rejection === undefined || (await list(there)) !== undefined) return accepted;
  return { ask: chat, rejection, exception: ', except for lists of models' };
}

/** Ends a check that a rejection does not decide. */
export const endWithoutReason = ({ recorder }: CheckContext, { message }: Pick<Rejection, 'message'>): never =>
  recorder.unprovable(`the rejection does not give the address as its reason: ${message}`);

/** Ends the check unless the gateway states the address as its reason, or accepts the same request from here. */
async function requireReason(context: CheckContext, answer: SecondAddressAnswer): Promise<void> {
  const { ask, rejection, exception } = answer;
  if (rejection === undefined) return;
  const isStated = rejection.code === 'key.address-not-allowed';
  // The code of a chat may be that of an upstream.
  if (isStated && exception === undefined) return;
  if (!isStated && !rejection.isBare) throw rejection.fault;
  if (rejection.isForeign || (await ask(context, ', from here')) !== undefined) endWithoutReason(context, rejection);
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
  const asked = await askFrom({ ...context, inference }, context).catch((thrown: unknown) => {
    // A route that does not reach the gateway proves nothing.
    if (asFault(thrown).code !== 'gateway.unreachable') throw thrown;
    return recorder.unprovable(`the gateway cannot be reached ${description}`, ADVICE);
  });
  await requireReason(context, asked);
  const { rejection, exception = '' } = asked;
  claimRejected(context, `the gateway rejects the key ${description}${exception}`, rejection);
}
