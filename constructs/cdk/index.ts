/**
 * The keys of an LLM gateway as constructs: what a team writes. What mirrors the provider one to one is beside it, at
 * `keyplane/constructs/cdktf/provider` and `keyplane/constructs/cdktn/provider`.
 */
export { ApiKey, type ApiKeyProps, type KeyHandling } from './api-key.ts';
export { Guardrail, type GuardrailProps } from './aspects/guardrail.ts';
export { RequireAllowlist, type RequireAllowlistProps } from './aspects/require-allowlist.ts';
export { RequireBudget, type RequireBudgetProps } from './aspects/require-budget.ts';
export { RequireExpiry, type RequireExpiryProps } from './aspects/require-expiry.ts';
export { NOW, PAST_EXPIRY } from './clock.ts';
export type { SmokeCheckExpect } from './expectations.ts';
export type { Amount, Budget, Dollars, JsonValue, KeyFields, LimitedBudget, QuotaUnits } from './key-fields.ts';
export { KeySet, type KeySetEntry, type KeySetProps } from './key-set.ts';
export { KeyplaneProvider, type KeyplaneProviderConfig } from './provider.ts';
export { RotatingKey, type RotatingKeyProps } from './rotating-key.ts';
export { SmokeCheck } from './smoke-check.ts';
export type { IApiKey, SmokeCheckProps } from './smoke-check-props.ts';
export { type Member, TeamKeys, type TeamKeysProps } from './team-keys.ts';
export { KeyplaneTesting, type SynthesizedKey } from './testing.ts';
export type { KeyAttributes, Written } from './written.ts';
