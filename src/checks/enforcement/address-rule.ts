import { asFault, type FaultCode, isWithinRules } from '../../domain/index.ts';
import type { Trial } from '../check-module.ts';
import { askCheaply, findKnownModel, refusalOfKey } from './cheap-request.ts';
import { claimRefused, isWithoutListing, type Refusal, refusalOfListing } from './refusal-claims.ts';

const ADVICE = { remedy: 'use-second-address' } as const;

const DENIED: readonly FaultCode[] = ['key.address-not-allowed'];

/** Asks for the models; where the gateway lists none, for a cheap answer. */
async function refusalFrom(trial: Trial, inference: Trial['inference']): Promise<Refusal | undefined> {
  const listing = await refusalOfListing(trial, inference, DENIED);
  if (!isWithoutListing(listing)) return listing;
  const model = findKnownModel(trial);
  return refusalOfKey(trial, () => askCheaply({ ...trial, inference }, model), DENIED);
}

/** From an address outside of its allowlist the key is refused. */
export async function examineForbiddenAddress(trial: Trial): Promise<void> {
  const { key, vantage, exam } = trial;
  const rules = key.observed.allowIps;
  if (rules === null) return exam.skip('the key may be used from anywhere');
  if (vantage === undefined) return exam.unprovable('there is no second address to ask from', ADVICE);
  const { address, description, inference } = vantage;
  if (address !== undefined && isWithinRules(address, rules)) {
    exam.unprovable(`the key may be used from the second address too: ${address}`, ADVICE);
  }
  const refusal = await refusalFrom(trial, inference).catch((thrown: unknown) => {
    // A way that leads nowhere refuses everybody.
    if (asFault(thrown).code !== 'gateway.unreachable') throw thrown;
    return exam.unprovable(`the gateway is not to be reached ${description}`, ADVICE);
  });
  claimRefused(trial, `it is refused ${description}`, refusal);
}
