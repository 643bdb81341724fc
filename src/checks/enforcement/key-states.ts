import type { StoredStatus } from '../../domain/index.ts';
import type { Trial } from '../module.ts';
import { askCheaply, isCheap } from './cheap-request.ts';
import { claimRefused, KEY_REFUSALS, refusalOf } from './refusal-claims.ts';

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

export async function examineDisabled(trial: Trial): Promise<void> {
  wantState(trial, 'disabled');
  const { inference, signal } = trial;
  claimRefused(trial, 'the disabled key is refused', await refusalOf(() => inference.models({ signal }), KEY_REFUSALS));
}

export async function examineExpired(trial: Trial): Promise<void> {
  wantState(trial, 'expired');
  const { inference, signal } = trial;
  claimRefused(trial, 'the expired key is refused', await refusalOf(() => inference.models({ signal }), KEY_REFUSALS));
}

/** A listing costs nothing, so some gateways give it to a key that has nothing left: it is asked for what costs. */
export async function examineExhausted(trial: Trial): Promise<void> {
  wantState(trial, 'exhausted');
  const { spec, key, otherModels, exam } = trial;
  const models = key.observed.models ?? otherModels;
  const model =
    spec.model ??
    models.find(isCheap) ??
    exam.unprovable('no model is known that the key could be asked for', 'Name one with `model` in a definition.');
  claimRefused(
    trial,
    'the key that has nothing left is refused',
    await refusalOf(() => askCheaply(trial, model), KEY_REFUSALS),
  );
}
