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
  refusalOfKey,
} from './cheap-request.ts';
import { claimRefused, isWithoutListing, type LetIn, refusalOf, refusalOfListing } from './refusal-claims.ts';

const STATES: Readonly<Record<StoredStatus, string>> = {
  enabled: 'the key is enabled',
  disabled: 'the key is disabled',
  expired: 'the key is expired',
  exhausted: 'the key’s budget is used up',
};

/** A key that is in another state proves nothing of this one; to bring it there is not ours to do. */
function wantState({ key, exam }: Trial, state: StoredStatus): void {
  if (key.status !== state) exam.skip(STATES[key.status]);
}

/** Refused for its model, its group or its address it would be as well if its state were overlooked. */
const REFUSED: readonly FaultCode[] = ['key.refused'];

/** All of the proof, where the gateway lists no models: then a model must be known, and the refusal be about the key. */
async function examineByAsking(trial: Trial, state: 'disabled' | 'expired'): Promise<void> {
  const model = findKnownModel(trial);
  const refusal = await refusalOfKey(trial, () => askCheaply(trial, model), REFUSED);
  claimRefused(trial, `the ${state} key is refused an answer of ${model}`, refusal);
}

/** Neither what costs nothing nor what costs is to be had with the key. */
async function examineUnusable(trial: Trial, state: 'disabled' | 'expired'): Promise<void> {
  wantState(trial, state);
  const listing = await refusalOfListing(trial, trial.inference, REFUSED);
  if (isWithoutListing(listing)) return examineByAsking(trial, state);
  claimRefused(trial, `the ${state} key is refused a list of models`, listing);
  const model = knownModel(trial);
  if (listing === undefined || model === undefined) return;
  const refusal = await refusalOf(trial, () => askCheaply(trial, model), [...REFUSED, ...NOT_OF_THE_KEY]);
  if (refusal === undefined || isAboutKey(refusal)) {
    claimRefused(trial, `the ${state} key is refused an answer of ${model}`, refusal);
  }
}

export const examineDisabled = (trial: Trial): Promise<void> => examineUnusable(trial, 'disabled');

export const examineExpired = (trial: Trial): Promise<void> => examineUnusable(trial, 'expired');

/** When no model is known, the gateway may list them: some do for a key that has nothing left. */
async function askForWhatCosts(trial: Trial): Promise<LetIn> {
  const { exam } = trial;
  const known = knownModel(trial);
  if (known !== undefined) return askCheaply(trial, known);
  const models = await listedModels(trial.inference, { signal: trial.signal });
  const listed = models.find(isCheap) ?? exam.unprovable(NO_MODEL, { remedy: 'name-model' });
  return askCheaply(trial, listed);
}

/** A listing costs nothing, so some gateways give it to a key that has nothing left: it is asked for what costs. */
export async function examineExhausted(trial: Trial): Promise<void> {
  wantState(trial, 'exhausted');
  const refusal = await refusalOfKey(trial, () => askForWhatCosts(trial), [...REFUSED, 'key.exhausted']);
  claimRefused(trial, 'the key that has nothing left is refused', refusal);
}
