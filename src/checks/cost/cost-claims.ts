import {
  type CheckResult,
  type Decimal,
  type Quota,
  quotaFromUsd,
  tryParseDecimal,
  usdFromQuota,
} from '../../domain/index.ts';
import { verdictOf } from '../run/attempt.ts';
import type { Job } from '../run/job.ts';
import type { Charge } from './charges.ts';

/** Decimals of a dollar: a short answer costs millionths. */
const MICRO = 6;

/** The cost that a check asserts as its maximum, in quota units. */
export function costLimitOf({ selected }: Job, quotaPerUnit: Decimal): Quota | undefined {
  const usd = tryParseDecimal(selected.spec.expect.maxCost ?? '');
  return usd && quotaFromUsd(usd, quotaPerUnit);
}

const billedAs = (model: string | undefined): string => `it was billed as the requested model: ${model}`;

/** Without a known cost, a limit on it is neither kept nor broken. */
export const withUnknownCost = (result: CheckResult): CheckResult =>
  result.verdict === 'passed'
    ? { ...result, verdict: 'unprovable', reason: 'its cost is not in the usage log' }
    : result;

/** An answer that does not name its model proves that it is the requested one only by its entry in the usage log. */
export const withUnknownModel = (result: CheckResult, { isUnnamed, model }: Job): CheckResult =>
  isUnnamed && result.verdict === 'passed' && !result.findings.some(({ claim }) => claim === billedAs(model))
    ? {
        ...result,
        verdict: 'unprovable',
        reason: 'neither the answer nor the usage log names the model that answered',
      }
    : result;

/** Adds the charge of a check and the claims about it. A check that passed may fail by them. */
export function withCharge(
  result: CheckResult,
  { model, selected, isUnnamed }: Job,
  { charge, limit, quotaPerUnit }: { charge: Charge; limit: Quota | undefined; quotaPerUnit: Decimal },
): CheckResult {
  const findings = [...result.findings];
  const other = model ? charge.models.find((name) => name !== model) : undefined;
  if (other !== undefined) {
    findings.push({ claim: billedAs(model), holds: false, found: other });
  } else if (isUnnamed && charge.models.length > 0) {
    findings.push({ claim: billedAs(model), holds: true });
  }
  const holds = limit === undefined || charge.units <= limit;
  const isOpen = limit !== undefined && holds && !charge.isWhole;
  if (limit !== undefined && !isOpen) {
    const claim = `it costs at most $${selected.spec.expect.maxCost}`;
    findings.push({ claim, holds, found: `$${usdFromQuota(charge.units, quotaPerUnit, MICRO)}` });
  }
  const cost = { ...result.cost, charged: charge.units };
  const settled = { ...result, findings, cost, ...(result.verdict === 'passed' ? verdictOf({ findings }) : {}) };
  return isOpen ? withUnknownCost(settled) : settled;
}
