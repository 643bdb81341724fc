import { asFault, type FaultCode, isWithinRules } from '../../domain/index.ts';
import type { Trial } from '../check-module.ts';
import { askCheaply, findKnownModel, rejectionOfKey } from './cheap-request.ts';
import { claimRejected, isWithoutListing, type Rejection, rejectionOfListing } from './refusal-claims.ts';

const ADVICE = { remedy: 'use-second-address' } as const;

const DENIED: readonly FaultCode[] = ['key.address-not-allowed'];

/** Asks for the models; where the gateway lists none, for a cheap answer. */
async function rejectionFrom(trial: Trial, inference: Trial['inference']): Promise<Rejection | undefined> {
  const listing = await rejectionOfListing(trial, inference, DENIED);
  if (!isWithoutListing(listing)) return listing;
  const model = findKnownModel(trial);
  return rejectionOfKey(trial, () => askCheaply({ ...trial, inference }, model), DENIED);
}

/** From an address outside of its allowlist the key is refused. */
export async function checkForbiddenAddress(trial: Trial): Promise<void> {
  const { key, alternateRoute, recorder } = trial;
  const rules = key.observed.allowIps;
  if (rules === null) return recorder.skip('the key may be used from anywhere');
  if (alternateRoute === undefined) return recorder.unprovable('there is no second address to ask from', ADVICE);
  const { address, description, inference } = alternateRoute;
  if (address !== undefined && isWithinRules(address, rules)) {
    recorder.unprovable(`the key may be used from the second address too: ${address}`, ADVICE);
  }
  const rejection = await rejectionFrom(trial, inference).catch((thrown: unknown) => {
    // A way that leads nowhere refuses everybody.
    if (asFault(thrown).code !== 'gateway.unreachable') throw thrown;
    return recorder.unprovable(`the gateway is not to be reached ${description}`, ADVICE);
  });
  claimRejected(trial, `it is refused ${description}`, rejection);
}
