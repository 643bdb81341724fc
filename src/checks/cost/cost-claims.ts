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

/** The most that a check may cost, in quota units. */
export function costLimitOf({ selected }: Job, quotaPerUnit: Decimal): Quota | undefined {
  const usd = tryParseDecimal(selected.spec.expect.maxCost ?? '');
  return usd && quotaFromUsd(usd, quotaPerUnit);
}

/** A bound that nobody could compare is not kept, and not broken. */
export const withUnknownCost = (result: CheckResult): CheckResult =>
  result.verdict === 'passed'
    ? { ...result, verdict: 'unprovable', reason: 'what it cost is not in the usage log' }
    : result;

/** What the log says of a check that passed may still make it fail. */
export function withCharge(
  result: CheckResult,
  { model, selected }: Job,
  { charge, most, quotaPerUnit }: { charge: Charge; most: Quota | undefined; quotaPerUnit: Decimal },
): CheckResult {
  const findings = [...result.findings];
  const other = model ? charge.models.find((name) => name !== model) : undefined;
  if (other !== undefined) {
    findings.push({ claim: `it was billed as the model that was asked: ${model}`, holds: false, found: other });
  }
  const holds = most === undefined || charge.units <= most;
  const isOpen = most !== undefined && holds && !charge.isWhole;
  if (most !== undefined && !isOpen) {
    const claim = `it costs at most $${selected.spec.expect.maxCost}`;
    findings.push({ claim, holds, found: `$${usdFromQuota(charge.units, quotaPerUnit, MICRO)}` });
  }
  const cost = { ...result.cost, charged: charge.units };
  const reported = { ...result, findings, cost, ...(result.verdict === 'passed' ? verdictOf({ findings }) : {}) };
  return isOpen ? withUnknownCost(reported) : reported;
}
