import { isWithinRules } from '../../domain/index.ts';
import type { Trial } from '../module.ts';
import { askForModels, claimRefused, refusalOf } from './refusal-claims.ts';

const HINT = 'Give a second address with --source-address or --vantage-proxy.';

/** From an address outside of its allowlist the key is refused. */
export async function examineForbiddenAddress(trial: Trial): Promise<void> {
  const { key, vantage, exam, signal } = trial;
  const rules = key.observed.allowIps;
  if (rules === null) return exam.skip('the key may be used from anywhere');
  if (vantage === undefined) return exam.unprovable('there is no second address to ask from', HINT);
  const { address, description, inference } = vantage;
  if (address !== undefined && isWithinRules(address, rules)) {
    exam.unprovable(`the key may be used from the second address too: ${address}`, HINT);
  }
  const refusal = await refusalOf(trial, () => askForModels({ inference, signal }), ['key.address-not-allowed']);
  claimRefused(trial, `it is refused ${description}`, refusal);
}
