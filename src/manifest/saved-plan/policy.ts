import * as z from 'zod';
import {
  type Budget,
  type BudgetAmount,
  type Decimal,
  type Exposure,
  type Json,
  type KeyName,
  type KeyPolicy,
  keyId,
  type Policy,
  quota,
  renderDecimal,
  renderWindow,
  tryParseDecimal,
  tryParseWindow,
  type Window,
} from '../../domain/index.ts';

export const encodeAmount = (amount: BudgetAmount): Json =>
  'usd' in amount ? { usd: renderDecimal(amount.usd) } : { ...amount };

/** A policy as JSON data: amounts as exact decimals, windows as the manifest writes them. */
export function encodePolicy(policy: Policy): Json {
  return {
    kind: policy.kind,
    ...('amount' in policy ? { amount: encodeAmount(policy.amount) } : {}),
    ...('per' in policy ? { per: renderWindow(policy.per) } : {}),
    ...('below' in policy ? { below: encodeAmount(policy.below) } : {}),
  };
}

/** Units are text: a number could not hold them exactly. */
const encodeExposure = ({ units, unbounded, unknown }: Exposure): Json => ({
  units: String(units),
  unbounded,
  unknown,
});

export const encodeKeyPolicy = ({ name, id, of, before, after, exposure }: KeyPolicy): Json => ({
  name,
  ...(id === undefined ? {} : { id }),
  ...(of === undefined ? {} : { of }),
  before: encodePolicy(before),
  after: encodePolicy(after),
  exposure: { before: encodeExposure(exposure.before), after: encodeExposure(exposure.after) },
});

const parsed = <T>(parse: (text: string) => T | undefined, what: string) =>
  z.string().transform((text, context): T => {
    const value = parse(text);
    if (value !== undefined) return value;
    context.addIssue({ code: 'custom', message: `not ${what}` });
    return z.NEVER;
  });

const dollars = () =>
  parsed<Decimal>((text) => {
    const decimal = tryParseDecimal(text);
    return decimal && decimal.digits >= 0n ? decimal : undefined;
  }, 'a decimal number of 0 or more');

export const AmountForm: z.ZodType<BudgetAmount> = z.lazy(() =>
  z.union([z.strictObject({ usd: dollars() }), z.strictObject({ quota: z.int().min(0).transform(quota) })]),
);

const forms = () =>
  [
    z.strictObject({ kind: z.literal('unlimited') }),
    z.strictObject({ kind: z.enum(['lifetime', 'initial']), amount: AmountForm }),
    z.strictObject({
      kind: z.literal('window'),
      amount: AmountForm,
      per: parsed<Window>(tryParseWindow, 'a window of time'),
    }),
    z.strictObject({ kind: z.literal('top-up'), amount: AmountForm, below: AmountForm }),
  ] as const;

/** The form of a budget in a saved plan. */
export const BudgetForm: z.ZodType<Budget> = z.lazy(() => z.discriminatedUnion('kind', forms()));

const PolicyForm: z.ZodType<Policy> = z.lazy(() =>
  z.discriminatedUnion('kind', [...forms(), z.strictObject({ kind: z.enum(['unmanaged', 'none', 'unknown']) })]),
);

const ExposureForm = z.lazy(() =>
  z.strictObject({
    units: z
      .string()
      .regex(/^\d{1,40}$/)
      .transform(BigInt),
    unbounded: z.int().min(0),
    unknown: z.int().min(0),
  }),
);

/** The form of the policy of one key in a saved plan. */
export const KeyPolicyForm: z.ZodType<KeyPolicy> = z.lazy(() =>
  z.strictObject({
    name: z.string(),
    id: z.int().positive().transform(keyId).exactOptional(),
    of: z.custom<KeyName>((value) => typeof value === 'string').exactOptional(),
    before: PolicyForm,
    after: PolicyForm,
    exposure: z.strictObject({ before: ExposureForm, after: ExposureForm }),
  }),
);
