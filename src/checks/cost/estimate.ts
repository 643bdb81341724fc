import { kindOfModule, oncePerValue, type Quota, quota, type UsageEntry } from '../../domain/index.ts';
import type { Job } from '../run/job.ts';
import {
  type CostlyRequest,
  mostUnitsOf,
  type PriceSources,
  saturated,
  tryFindPrice,
  tryFindRatio,
} from './upper-price.ts';

/** The part of a check that its price depends on. */
export interface PricedRequest extends CostlyRequest {
  readonly model: string;
  readonly isMedia: boolean;
  readonly hasOutput: boolean;
  /** Equal for checks that send the same request in the same way, with keys of the same group. */
  readonly fingerprint: string;
}

/** The cost of one attempt. */
export interface AttemptCost {
  readonly units: Quota;
  /** True if no attempt costs more; false if this is what earlier ones cost. */
  readonly isMaximum: boolean;
}

/** The costs of checks, in quota units. */
export interface Estimates {
  /** The usual cost; the most, where nobody has paid for the model. */
  usual(request: PricedRequest): AttemptCost | undefined;
  /** The most that one attempt costs; undefined when no price is known that limits it. */
  most(request: PricedRequest): AttemptCost | undefined;
  /** Is the price of the model known, for the group of the key? */
  isPriced(request: PricedRequest): boolean;
  /** Records the charge of a check in this run. */
  learn(request: PricedRequest, units: Quota): void;
}

/** Returns whether a job costs money: an earlier run may have paid for it. */
export const costsMoney = ({ selected, isPaid }: Job): boolean => selected.entry.pays && isPaid !== true;

/** Returns undefined for a job that has no request of its own. */
export function pricedRequestOf({ selected, subject, model = '' }: Job): PricedRequest | undefined {
  const { entry, spec } = selected;
  const body = entry.buildRequest?.(model, spec)?.body;
  if (body === undefined || subject === undefined) return undefined;
  const isMedia = kindOfModule(spec.module) === 'media';
  const key = subject.observed;
  return {
    model,
    body,
    key,
    isMedia,
    unit: isMedia ? (spec.module === 'video' ? 'second' : 'image') : 'token',
    hasOutput: !spec.module.startsWith('embeddings'),
    requests: entry.paidRequests ?? 1,
    fingerprint: JSON.stringify([spec.module, model, key.group, body]),
  };
}

/** The mean of the charges that the account has paid for a model, without refunds and failures. */
function meansOf(entries: readonly UsageEntry[]): (model: string) => number | undefined {
  const paid = new Map<string, { sum: number; count: number }>();
  for (const { model, spent } of entries) {
    if (model === undefined || spent <= 0) continue;
    const { sum, count } = paid.get(model) ?? { sum: 0, count: 0 };
    paid.set(model, { sum: sum + spent, count: count + 1 });
  }
  return (model) => {
    const before = paid.get(model);
    return before && before.sum / before.count;
  };
}

/** Finds the ratio of each group once: it is that of all keys of the account with this group. */
function ratiosFrom(sources: PriceSources): (key: CostlyRequest['key']) => number | undefined {
  const groups = new Map(sources.keys.map(({ id, group }) => [id, group]));
  const known = new Map<string, number | undefined>();
  return (key) => {
    if (groups.get(key.id) !== key.group) return tryFindRatio(key, sources);
    if (!known.has(key.group)) known.set(key.group, tryFindRatio(key, sources));
    return known.get(key.group);
  };
}

/**
 * Estimates what checks cost: usually, from the charges of this run for the same request, else from the mean for the model,
 * else the most; and at most, from the price that the gateway or the charges of the account show, the ratio of the group,
 * and the counts in the request.
 */
export function estimatesFrom(sources: PriceSources): Estimates {
  const { entries, quotaPerUnit } = sources;
  const meanOf = meansOf(entries);
  const learned = new Map<string, Quota>();
  const priceOf = oncePerValue((model: string) => tryFindPrice(model, sources));
  const ratioOf = ratiosFrom(sources);
  const mostUnits = (request: PricedRequest): Quota | undefined => {
    // Texts differ in length each time, images and videos do not. An automatic group may differ.
    const known = request.isMedia && request.key.group !== 'auto' ? learned.get(request.fingerprint) : undefined;
    if (known !== undefined) return known;
    const price = priceOf(request.model);
    const ratio = ratioOf(request.key);
    if (price === undefined || ratio === undefined) return undefined;
    return mostUnitsOf(price, request, { ratio, quotaPerUnit, hasOutput: request.hasOutput });
  };
  const mostOf = (request: PricedRequest): AttemptCost | undefined => {
    const units = mostUnits(request);
    return units === undefined ? undefined : { units, isMaximum: true };
  };
  return {
    usual(request) {
      const { model, requests, fingerprint } = request;
      const mean = meanOf(model);
      const units =
        learned.get(fingerprint) ?? (mean === undefined ? undefined : saturated(Math.ceil(mean * requests)));
      return units === undefined ? mostOf(request) : { units, isMaximum: false };
    },
    most: mostOf,
    isPriced: ({ model, key }) => priceOf(model) !== undefined && ratioOf(key) !== undefined,
    learn({ fingerprint }, units) {
      // The log has a failure as an entry without a charge.
      if (units > 0) learned.set(fingerprint, quota(Math.max(units, learned.get(fingerprint) ?? 0)));
    },
  };
}
