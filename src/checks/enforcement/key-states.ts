import type { FaultCode, StoredStatus } from '../../domain/index.ts';
import type { Trial } from '../module.ts';
import { askCheaply, isAboutKey, isCheap, NOT_OF_THE_KEY } from './cheap-request.ts';
import { askForModels, claimRefused, type LetIn, refusalOf } from './refusal-claims.ts';

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

/** A model that the key could ask if it were usable. */
const knownModel = ({ spec, key, otherModels }: Trial): string | undefined =>
  spec.model ?? (key.observed.models ?? otherModels).find(isCheap);

/** Refused for its model, its group or its address it would be as well if its state were overlooked. */
const REFUSED: readonly FaultCode[] = ['key.refused'];

/** Neither what costs nothing nor what costs is to be had with the key. */
async function examineUnusable(trial: Trial, state: 'disabled' | 'expired'): Promise<void> {
  wantState(trial, state);
  const listing = await refusalOf(trial, () => askForModels(trial), REFUSED);
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
  const { value } = await trial.inference.models({ signal: trial.signal });
  const listed =
    value.find(isCheap) ??
    exam.unprovable('no model is known that the key could be asked for', 'Name one with `model` in a definition.');
  return askCheaply(trial, listed);
}

/** A listing costs nothing, so some gateways give it to a key that has nothing left: it is asked for what costs. */
export async function examineExhausted(trial: Trial): Promise<void> {
  wantState(trial, 'exhausted');
  const proofs: readonly FaultCode[] = [...REFUSED, 'key.exhausted'];
  const refusal = await refusalOf(trial, () => askForWhatCosts(trial), [...proofs, ...NOT_OF_THE_KEY]);
  if (refusal && !isAboutKey(refusal))
    trial.exam.unprovable(`it is not refused because of the key: ${refusal.message}`);
  claimRefused(trial, 'the key that has nothing left is refused', refusal);
}
