import { asFault, type FaultCode, isWithinRules } from '../../domain/index.ts';
import type { CheckContext } from '../check-module.ts';
import { findCheapModel, rejectionOfKey, sendCheapRequest } from './cheap-request.ts';
import { claimRejected, isWithoutListing, type Rejection, rejectionOfListing } from './rejection-claims.ts';

const ADVICE = { remedy: 'use-second-address' } as const;

const DENIED: readonly FaultCode[] = ['key.address-not-allowed'];

/** Returns the rejection of a listing of models, or of a cheap request where the gateway has no listing. */
async function rejectionFrom(
  context: CheckContext,
  inference: CheckContext['inference'],
): Promise<Rejection | undefined> {
  const listing = await rejectionOfListing(context, inference, DENIED);
  if (!isWithoutListing(listing)) return listing;
  const model = findCheapModel(context);
  return rejectionOfKey(context, () => sendCheapRequest({ ...context, inference }, model), DENIED);
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
  const rejection = await rejectionFrom(context, inference).catch((thrown: unknown) => {
    // A route that does not reach the gateway proves nothing.
    if (asFault(thrown).code !== 'gateway.unreachable') throw thrown;
    return recorder.unprovable(`the gateway cannot be reached ${description}`, ADVICE);
  });
  claimRejected(context, `the gateway rejects the key ${description}`, rejection);
}
