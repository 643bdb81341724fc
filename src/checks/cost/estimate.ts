import { type Quota, quota, type UsageEntry } from '../../domain/index.ts';
import type { Job } from '../run/job.ts';

/** The part of a check that its price depends on. */
export interface PricedRequest {
  readonly model: string;
  /** Requests that cost money. */
  readonly requests: number;
  /** Equal for checks that send the same request in the same way. */
  readonly fingerprint: string;
}

/** The usual costs of checks, in quota units. */
export interface Estimates {
  of(request: PricedRequest): Quota | undefined;
  /** Returns whether such a check has been charged in this run. */
  knows(request: PricedRequest): boolean;
  /** Records the charge of a check in this run. */
  learn(request: PricedRequest, units: Quota): void;
}

/** Returns whether a job costs money: an earlier run may have paid for it. */
export const costsMoney = ({ selected, isPaid }: Job): boolean => selected.entry.pays && isPaid !== true;

export function pricedRequestOf({ selected, model = '' }: Job): PricedRequest {
  const { entry, spec } = selected;
  const fingerprint = JSON.stringify([spec.module, model, entry.buildRequest?.(model, spec)?.body]);
  return { model, requests: entry.paidRequests ?? 1, fingerprint };
}

/**
 * Estimates from the charges of this run for the same request; before there are any, from the mean of the charges that
 * the account has paid for the model, without refunds and failures.
 */
export function estimatesFrom(entries: readonly UsageEntry[]): Estimates {
  const paid = new Map<string, { sum: number; count: number }>();
  for (const { model, spent } of entries) {
    if (model === undefined || spent <= 0) continue;
    const { sum, count } = paid.get(model) ?? { sum: 0, count: 0 };
    paid.set(model, { sum: sum + spent, count: count + 1 });
  }
  const learned = new Map<string, Quota>();
  return {
    of({ model, requests, fingerprint }) {
      const before = paid.get(model);
      return learned.get(fingerprint) ?? (before && quota(Math.ceil((before.sum * requests) / before.count)));
    },
    knows: ({ fingerprint }) => learned.has(fingerprint),
    learn({ fingerprint }, units) {
      // The log has a failure as an entry without a charge.
      if (units > 0) learned.set(fingerprint, quota(Math.max(units, learned.get(fingerprint) ?? 0)));
    },
  };
}
