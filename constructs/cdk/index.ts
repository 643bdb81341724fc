/**
 * The keys of an LLM gateway as constructs. The constructs that mirror the provider one to one are in
 * `keyplane/constructs/cdktf/provider` and `keyplane/constructs/cdktn/provider`.
 */

export { Guardrail, type GuardrailProps } from './aspects/guardrail.ts';
export { RequireAllowlist, type RequireAllowlistProps } from './aspects/require-allowlist.ts';
export { RequireBudget, type RequireBudgetProps } from './aspects/require-budget.ts';
export { RequireExpiry, type RequireExpiryProps } from './aspects/require-expiry.ts';
export { RequirePolicy, type RequirePolicyProps } from './aspects/require-policy.ts';
export { SmokeCheck } from './check/smoke-check.ts';
export type { SmokeCheckExpect } from './check/smoke-check-expect.ts';
export type { IApiKey, SmokeCheckProps } from './check/smoke-check-props.ts';
export { NOW, PAST_EXPIRY } from './clock.ts';
export type { Amount, Budget, Dollars, JsonValue, LimitedBudget, QuotaUnits } from './key/amounts.ts';
export { ApiKey, type ApiKeyProps, type KeyHandling } from './key/api-key.ts';
export type { KeyFields } from './key/key-fields.ts';
export type { KeyRotation } from './key/rotation.ts';
export { KeySet, type KeySetEntry, type KeySetProps } from './keys/key-set.ts';
export { RotatingKey, type RotatingKeyProps } from './keys/rotating-key.ts';
export { type Member, TeamKeys, type TeamKeysProps } from './keys/team-keys.ts';
export { KeyplaneProvider, type KeyplaneProviderConfig } from './provider.ts';
export type { KeyAttributes, SynthesizedBlock as Written } from './stack/synthesized.ts';
export { KeyplaneTesting, type SynthesizedKey } from './testing.ts';
