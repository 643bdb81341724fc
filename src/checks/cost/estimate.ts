import { type Quota, quota, type UsageEntry } from '../../domain/index.ts';

/** What is asked, as far as its price depends on it. */
export interface PricedRequest {
  readonly model: string;
  /** Requests that cost money. */
  readonly requests: number;
  /** The same for checks that ask the same in the same way. */
  readonly fingerprint: string;
}

/** What a check usually costs, in quota units. Undefined: nobody knows. */
export interface Estimates {
  of(order: PricedRequest): Quota | undefined;
  /** Is it known from this run what such a check costs? */
  knows(order: PricedRequest): boolean;
  /** What a check came to in this run. */
  learn(order: PricedRequest, units: Quota): void;
}

/**
 * From what this run was charged for the same; before that from what the account paid for requests to the model: the
 * mean, refunds and failures left out.
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
      // A failure is in the log with nothing spent: that says nothing of what it costs.
      if (units > 0) learned.set(fingerprint, quota(Math.max(units, learned.get(fingerprint) ?? 0)));
    },
  };
}
