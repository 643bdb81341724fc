import * as z from 'zod';

/** The price of a model at the ratio 1 of a group: dollars for each use, or quota units for each token. */
export type PublicPrice = { readonly model: string } & (
  | { readonly by: 'use'; readonly usd: number }
  | { readonly by: 'token'; readonly input: number; readonly output: number }
);

/** A model with a price for each use, instead of ratios for tokens. */
const BY_USE = 1;

const Ratio = z.lazy(() => z.number().nonnegative());

const PricedModel = z.lazy(() =>
  z.looseObject({
    model_name: z.string().min(1),
    quota_type: z.int(),
    model_ratio: Ratio.default(0),
    model_price: Ratio.default(0),
    completion_ratio: Ratio.default(1),
    /** Cached tokens usually cost less, but may cost more. */
    cache_ratio: Ratio.nullish(),
    /** A formula that newer gateways charge by: such a price is not known here. */
    billing_expr: z.string().nullish(),
  }),
);

function priceFrom(listed: unknown): readonly PublicPrice[] {
  const { data } = PricedModel.safeParse(listed);
  if (data === undefined || data.billing_expr) return [];
  const { model_name: model, quota_type: type, model_ratio: ratio, completion_ratio: completion } = data;
  if (type === BY_USE) return [{ model, by: 'use', usd: data.model_price }];
  // A ratio of 0 means a model without a charge, which nobody promises.
  if (type !== 0 || ratio === 0) return [];
  return [{ model, by: 'token', input: ratio * Math.max(1, data.cache_ratio ?? 1), output: ratio * completion }];
}

/**
 * `data` of `/api/pricing`, which the contract does not have. A model that is not understood is omitted. A model without a
 * price has the ratio 37.5: such gateways refuse it, or charge that.
 */
export const PricingData = z.lazy(() => z.array(z.unknown()).transform((models) => models.flatMap(priceFrom)));
