import {
  type ApplyReport,
  type DeliveryOutcome,
  type Diagnostic,
  type Exposure,
  isPolicyChange,
  type Json,
  type Outcome,
  type Plan,
  pendingChanges,
  totalExposure,
  type Verb,
} from '../../../domain/index.ts';
import { encodePlan, planDigest } from '../../../manifest/index.ts';
import type { Outlook } from '../../../reconcile/index.ts';
import { outlookData } from '../changes/outlook.ts';
import { type OwnerGroup, ownersData } from '../changes/owners.ts';
import { exactUsd } from '../layout/amount.ts';
import { refusalData } from '../refusals.ts';
import { countOutcomes } from '../report.ts';
import { countVerbs } from '../summary.ts';
import { checkReportData } from './check-data.ts';
import { faultData, masked } from './envelope.ts';

/** The number of changes of each verb, and of keys that the plan does not list. */
export interface PlanSummary {
  readonly pending: number;
  readonly verbs: Readonly<Record<Verb, number>>;
  readonly invisible: number;
  /** Budget policies that change, as far as the earlier ones are known. */
  readonly policiesChanged: number;
  /** The most that all keys can spend in 30 days. */
  readonly exposure: { readonly before: ExposureData; readonly after: ExposureData };
}

/** Exact units as text, the same in dollars as the text shows it, and the keys without a limit or of unknown budget. */
interface ExposureData {
  readonly units: string;
  readonly usd: string;
  readonly unbounded: number;
  readonly unknown: number;
}

const exposureData = ({ units, unbounded, unknown }: Exposure, { quotaPerUnit }: Plan): ExposureData => ({
  units: String(units),
  usd: exactUsd(units, quotaPerUnit),
  unbounded,
  unknown,
});

function summaryOf(plan: Plan): PlanSummary {
  const { before, after } = totalExposure(plan.policies);
  return {
    pending: pendingChanges(plan).length,
    verbs: countVerbs(plan),
    invisible: plan.invisible,
    policiesChanged: plan.policies.filter((policy) => isPolicyChange(policy, plan.quotaPerUnit)).length,
    exposure: { before: exposureData(before, plan), after: exposureData(after, plan) },
  };
}

/** The plan as it is saved, with its counts. */
const withSummary = (plan: Plan) => ({ summary: summaryOf(plan), ...(encodePlan(plan) as object) });

/** `data` of plan and drift: the plan as it is saved but for credentials, its counts, and what would be refused. */
export const planData = (
  plan: Plan,
  refusals: readonly Diagnostic[],
  more: { readonly outlook?: Outlook | undefined; readonly owners?: readonly OwnerGroup[] | undefined } = {},
): Json =>
  masked({
    refusals: refusalData(refusals),
    ...withSummary(plan),
    digest: planDigest(plan),
    ...(more.outlook ? { outlook: outlookData(more.outlook) } : {}),
    ...(more.owners ? { owners: ownersData(more.owners) } : {}),
  });

function deliveryData(outcome: DeliveryOutcome): Json {
  const { state, delivery } = outcome;
  const { name, sink, kind, action } = delivery;
  return masked({
    state,
    delivery: { action, name, sink, kind },
    verified: state === 'delivered' ? outcome.verified : undefined,
    remark: state === 'delivered' ? outcome.remark : undefined,
    reason: state === 'skipped' ? outcome.reason : undefined,
    fault: 'fault' in outcome ? faultData(outcome.fault) : undefined,
  });
}

function outcomeData(outcome: Outcome): Json {
  const { state, change } = outcome;
  const id = 'id' in outcome ? outcome.id : undefined;
  return masked({
    state,
    change: {
      verb: change.verb,
      name: change.name,
      of: change.of,
      id: id ?? ('id' in change ? change.id : undefined),
      metadata: change.metadata,
    },
    remark: 'remark' in outcome ? outcome.remark : undefined,
    reason: outcome.state === 'skipped' ? outcome.reason : undefined,
    code: outcome.state === 'skipped' ? outcome.code : undefined,
    fault: 'fault' in outcome ? faultData(outcome.fault) : undefined,
  });
}

/** `data` of apply and destroy. @param converged whether everything is as declared; null: unknown */
export const reportData = (report: ApplyReport, converged: boolean | null): Json =>
  masked({
    summary: { ...countOutcomes(report), planned: summaryOf(report.plan) },
    outcomes: report.outcomes.map(outcomeData),
    deliveries: (report.deliveries ?? []).map(deliveryData),
    corrections: report.corrections,
    unverified: report.unverified ?? [],
    moved: report.moved ?? [],
    checks: report.checks ? checkReportData(report.checks) : null,
    interrupted: report.interrupted,
    converged,
    after: report.after ? withSummary(report.after) : null,
    fatal: report.fatal ? faultData(report.fatal) : null,
  });
