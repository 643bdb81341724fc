import type { FaultCode, StoredStatus } from '../../domain/index.ts';
import type { Trial } from '../check-module.ts';
import { listedModels } from '../run/model-choice.ts';
import {
  askCheaply,
  findKnownModel,
  isAboutKey,
  isCheap,
  knownModel,
  NO_MODEL,
  NOT_OF_THE_KEY,
  rejectionOfKey,
} from './cheap-request.ts';
import { type Accepted, claimRejected, isWithoutListing, rejectionOf, rejectionOfListing } from './refusal-claims.ts';

const STATES: Readonly<Record<StoredStatus, string>> = {
  enabled: 'the key is enabled',
  disabled: 'the key is disabled',
  expired: 'the key is expired',
  exhausted: 'the key’s budget is used up',
};

/** A key that is in another state proves nothing of this one; to bring it there is not ours to do. */
function wantState({ key, recorder }: Trial, state: StoredStatus): void {
  if (key.status !== state) recorder.skip(STATES[key.status]);
}

/** Refused for its model, its group or its address it would be as well if its state were overlooked. */
const REJECTED: readonly FaultCode[] = ['key.refused'];

/** All of the proof, where the gateway lists no models: then a model must be known, and the rejection be about the key. */
async function checkByAsking(trial: Trial, state: 'disabled' | 'expired'): Promise<void> {
  const model = findKnownModel(trial);
  const rejection = await rejectionOfKey(trial, () => askCheaply(trial, model), REJECTED);
  claimRejected(trial, `the ${state} key is refused an answer of ${model}`, rejection);
}

/** Neither what costs nothing nor what costs is to be had with the key. */
async function checkUnusable(trial: Trial, state: 'disabled' | 'expired'): Promise<void> {
  wantState(trial, state);
  const listing = await rejectionOfListing(trial, trial.inference, REJECTED);
  if (isWithoutListing(listing)) return checkByAsking(trial, state);
  claimRejected(trial, `the ${state} key is refused a list of models`, listing);
  const model = knownModel(trial);
  if (listing === undefined || model === undefined) return;
  const rejection = await rejectionOf(trial, () => askCheaply(trial, model), [...REJECTED, ...NOT_OF_THE_KEY]);
  if (rejection === undefined || isAboutKey(rejection)) {
    claimRejected(trial, `the ${state} key is refused an answer of ${model}`, rejection);
  }
}

export const checkDisabled = (trial: Trial): Promise<void> => checkUnusable(trial, 'disabled');

export const checkExpired = (trial: Trial): Promise<void> => checkUnusable(trial, 'expired');

/** When no model is known, the gateway may list them: some do for a key that has nothing left. */
async function askForWhatCosts(trial: Trial): Promise<Accepted> {
  const { recorder } = trial;
  const known = knownModel(trial);
  if (known !== undefined) return askCheaply(trial, known);
  const models = await listedModels(trial.inference, { signal: trial.signal });
  const listed = models.find(isCheap) ?? recorder.unprovable(NO_MODEL, { remedy: 'name-model' });
  return askCheaply(trial, listed);
}

/** A listing costs nothing, so some gateways give it to a key that has nothing left: it is asked for what costs. */
export async function checkExhausted(trial: Trial): Promise<void> {
  wantState(trial, 'exhausted');
  const rejection = await rejectionOfKey(trial, () => askForWhatCosts(trial), [...REJECTED, 'key.exhausted']);
  claimRejected(trial, 'the key that has nothing left is refused', rejection);
}
