import { type Quota, quota, type UsageEntry } from '../../domain/index.ts';

/** What a request to a model usually costs, in quota units. Undefined: nobody knows. */
export interface Estimates {
  of(model: string): Quota | undefined;
  /** What a check of the model came to in this run. */
  learn(model: string, units: Quota): void;
}

/** From what the account paid: the mean of what was charged for each model, refunds and failures left out. */
export function estimatesFrom(entries: readonly UsageEntry[]): Estimates {
  const paid = new Map<string, { sum: number; count: number }>();
  for (const { model, spent } of entries) {
    if (model === undefined || spent <= 0) continue;
    const { sum, count } = paid.get(model) ?? { sum: 0, count: 0 };
    paid.set(model, { sum: sum + spent, count: count + 1 });
  }
  const learned = new Map<string, Quota>();
  return {
    of(model) {
      const before = paid.get(model);
      return learned.get(model) ?? (before && quota(Math.ceil(before.sum / before.count)));
    },
    learn(model, units) {
      learned.set(model, quota(Math.max(units, learned.get(model) ?? 0)));
    },
  };
}
