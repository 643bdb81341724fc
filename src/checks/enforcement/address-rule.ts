import { asFault, type FaultCode, isWithinRules } from '../../domain/index.ts';
import type { CheckContext } from '../check-module.ts';
import { WITHOUT_LISTING } from '../run/model-choice.ts';
import {
  AFTER_THE_RULES,
  findCheapModel,
  rejectionOfKey,
  sendCheapRequest,
  sendEmptyChat,
  tryFindCheapModel,
} from './cheap-request.ts';
import { type Accepted, claimRejected, isWithoutListing, type Rejection, rejectionOf } from './rejection-claims.ts';

const ADVICE = { remedy: 'use-second-address' } as const;

/** Rejections that may mean the address: not all gateways of the family give a code. */
const DENIED: readonly FaultCode[] = ['key.address-not-allowed', 'gateway.refused', 'key.group-not-allowed'];

/** Sends a request, by the route of the context. */
type Ask = (context: CheckContext) => Promise<Rejection | undefined>;

interface SecondAddressAnswer {
  readonly ask: Ask;
  readonly rejection: Rejection | undefined;
  /** The end of the claim: the requests that the gateway accepts all the same. */
  readonly exception?: string;
}

/** A listing of models, with its models if it was accepted. */
async function listModels(context: CheckContext) {
  const { inference, signal } = context;
  let models: readonly string[] = [];
  const send = async (): Promise<Accepted> => {
    const answered = await inference.models({ signal });
    models = answered.value;
    return { title: 'models', body: null, answered };
  };
  return { rejection: await rejectionOf(context, send, [...DENIED, ...WITHOUT_LISTING]), models };
}

const list: Ask = async (context) => (await listModels(context)).rejection;

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
  const { rejection: listing, models } = await listModels(there);
  if (isWithoutListing(listing)) {
    const model = findCheapModel(there);
    const rejection = await rejectionOfKey(there, () => sendCheapRequest(there, model), DENIED);
    return { ask: (context) => rejectionOfChat(context, model), rejection };
  }
  if (listing !== undefined) return { ask: list, rejection: listing };
  const model = tryFindCheapModel({ ...there, otherModels: models });
  if (model === undefined) return { ask: list, rejection: undefined };
  const chat: Ask = (context) => rejectionOfChat(context, model);
  const rejection = await chat(there);
  const isListed = rejection !== undefined && (await list(there)) === undefined;
  return isListed
    ? { ask: chat, rejection, exception: ', except for lists of models' }
    : { ask: list, rejection: undefined };
}

/** The context of the requests that are compared, as the report names them. */
const fromHere = (context: CheckContext): CheckContext => {
  const { recorder } = context;
  const exchange: typeof recorder.exchange = (title, ...rest) => recorder.exchange(`${title}, from here`, ...rest);
  return { ...context, recorder: { ...recorder, exchange } };
};

/** Ends the check unless the gateway states the address as its reason, or accepts the same request from here. */
async function requireReason(context: CheckContext, answer: SecondAddressAnswer): Promise<void> {
  const { ask, rejection, exception } = answer;
  if (rejection === undefined) return;
  const isStated = rejection.code === 'key.address-not-allowed' && !rejection.isBare;
  // The code of a chat may be that of an upstream.
  if (isStated && exception === undefined) return;
  const isOwn = (isStated || rejection.isBare) && !rejection.isForeign;
  if (isOwn && (await ask(fromHere(context))) === undefined) return;
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
