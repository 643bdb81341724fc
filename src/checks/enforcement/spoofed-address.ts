import {
  type Advice,
  asFault,
  type Fault,
  type FaultCode,
  isWithinRules,
  tryFindAddressWithin,
} from '../../domain/index.ts';
import type { CheckContext } from '../check-module.ts';
import { WITHOUT_LISTING } from '../run/model-choice.ts';
import { DENIED, endWithoutReason } from './address-rule.ts';
import { findCheapModel, sendCheapRequest } from './cheap-request.ts';
import type { Accepted } from './rejection-claims.ts';

type Headers = Readonly<Record<string, string>>;

const plain = (address: string): string => address;

/** The headers that proxies name a client with: each with its form of an address. */
const SPOOFED: Readonly<Record<string, (address: string) => string>> = {
  'X-Forwarded-For': plain,
  'X-Real-IP': plain,
  Forwarded: (address) => `for=${address.includes(':') ? `"[${address}]"` : address}`,
  'CF-Connecting-IP': plain,
  'True-Client-IP': plain,
  'X-Client-IP': plain,
};

const PROXY: Advice = {
  hint: 'Put a proxy in front of the gateway that replaces these headers with the address of its client, and let nothing else reach the gateway.',
};

/** Rejections that come after the rule about addresses: the header has lifted it. */
const AFTER_THE_RULE: readonly FaultCode[] = [
  'wallet.empty',
  'key.exhausted',
  'gateway.no-channel',
  'gateway.no-price',
];

/** A request that the gateway rejects without further headers. */
interface DeniedRequest {
  readonly send: (headers: Headers) => Promise<Accepted>;
  readonly denied: Fault;
  /** It costs money when the gateway accepts it. */
  readonly pays: boolean;
}

/** Sends a request and returns the fault that answers it; undefined if the gateway accepted it, which is recorded. */
async function faultOf({ recorder }: CheckContext, send: () => Promise<Accepted>): Promise<Fault | undefined> {
  try {
    const { title, body, answered } = await send();
    recorder.exchange(title, body, answered);
    return undefined;
  } catch (thrown) {
    return asFault(thrown);
  }
}

/** Finds a request that the gateway rejects: the free listing, or a cheap one where the listing shows no rule. */
async function findDeniedRequest(context: CheckContext, rules: readonly string[]): Promise<DeniedRequest> {
  const { recorder, signal, alternateRoute } = context;
  const { inference, address, description = 'from here' } = alternateRoute ?? { inference: context.inference };
  const endAccepted = (): never =>
    recorder.unprovable(`the gateway accepts the key ${description} without such a header`, {
      hint: 'The check needs an address that the key does not allow.',
      remedy: 'use-second-address',
    });

  const list = async (headers: Headers): Promise<Accepted> => ({
    title: 'models',
    body: null,
    answered: await inference.models({ signal, headers }),
  });
  const listing = await faultOf(context, () => list({}));
  if (listing && DENIED.includes(listing.code)) return { send: list, denied: listing, pays: false };
  if (listing && !WITHOUT_LISTING.has(listing.code)) throw listing;
  // Nothing is spent to find out that the key may be used from here.
  const isOutside = address !== undefined && !isWithinRules(address, rules);
  if (listing === undefined && !isOutside) {
    recorder.sentNothing();
    return endAccepted();
  }

  const model = findCheapModel(context);
  const send = (headers: Headers): Promise<Accepted> => sendCheapRequest({ inference, signal, headers }, model);
  const answer = await faultOf(context, () => send({}));
  if (answer === undefined) return endAccepted();
  if (!DENIED.includes(answer.code)) throw answer;
  return { send, denied: answer, pays: true };
}

interface Attempted {
  readonly header: string;
  /** Undefined: accepted. */
  readonly fault: Fault | undefined;
}

const isLifted = ({ fault }: Attempted): boolean => fault === undefined || AFTER_THE_RULE.includes(fault.code);

/** A firewall may reject some of these headers, with any status and page of its own. */
const isRejected = ({ fault }: Attempted): boolean => {
  const status = fault?.detail.status;
  return typeof status === 'number' && status >= 400 && status < 500 && fault?.code !== 'gateway.rate-limited';
};

/** Tries each header alone. Ends after the first that costs money. */
async function tryHeaders(
  context: CheckContext,
  { send, pays }: DeniedRequest,
  address: string,
): Promise<readonly Attempted[]> {
  const attempts: Attempted[] = [];
  for (const [header, format] of Object.entries(SPOOFED)) {
    const fault = await faultOf(context, async () => {
      const { title, ...rest } = await send({ [header]: format(address) });
      return { title: `${title}, with ${header}`, ...rest };
    });
    attempts.push({ header, fault });
    if (pays && fault === undefined) break;
  }
  return attempts;
}

/** Ends the check unless the request without a header is rejected as before: somebody may have changed the key. */
async function requireStillDenied(context: CheckContext, { send, denied }: DeniedRequest): Promise<void> {
  const now = await faultOf(context, () => send({}));
  if (now?.code === denied.code) return;
  if (now !== undefined && !DENIED.includes(now.code)) throw now;
  context.recorder.unprovable('the gateway no longer rejects the key without such a header as it did before');
}

/**
 * Checks that no header which a client can set makes the gateway believe in an address of the allowlist.
 *
 * Requests are free where the listing of models shows the rule; elsewhere at most one is charged, unless the key changes
 * meanwhile.
 */
export async function checkSpoofedAddress(context: CheckContext): Promise<void> {
  const { key, recorder } = context;
  const rules = key.observed.allowIps;
  if (rules === null) return recorder.skip('the key may be used from anywhere');
  const address =
    tryFindAddressWithin(rules) ?? recorder.unprovable('the allowlist has no address that a header could contain');
  const request = await findDeniedRequest(context, rules);
  if (!request.pays) recorder.sentNothing();

  const attempts = await tryHeaders(context, request, address);
  const undecided = attempts.find((attempt) => !isLifted(attempt) && !isRejected(attempt));
  if (attempts.some(isLifted)) await requireStillDenied(context, request);
  else if (undecided?.fault) throw undecided.fault;
  else if (request.denied.code !== 'key.address-not-allowed') {
    endWithoutReason(context, request.denied);
  }
  recorder.advise(PROXY);
  for (const attempt of attempts) {
    if (attempt === undecided) continue;
    const found = attempt.fault?.code ?? `it was accepted with the address ${address}`;
    recorder.claim(`${attempt.header} does not lift the allowlist of addresses`, !isLifted(attempt), found);
  }
}
