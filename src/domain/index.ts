/**
 * Nouns: pure data, and pure functions on it. No input or output, no clock, no gateway.
 */
export * from './base-address.ts';
export * from './check/assertion-kinds.ts';
export * from './check/assertions.ts';
export * from './check/check.ts';
export * from './check/check-report.ts';
export * from './check/check-verdict.ts';
export * from './check/definition.ts';
export * from './check/media-facts.ts';
export * from './credential.ts';
export * from './diagnostic.ts';
export * from './fault.ts';
export * from './file-trouble.ts';
export * from './invisible.ts';
export * from './key/declarable.ts';
export * from './key/fields.ts';
export * from './key/key.ts';
export * from './key/name.ts';
export * from './key/status.ts';
export * from './kinds/budget.ts';
export * from './kinds/budget-input.ts';
export * from './kinds/instant.ts';
export * from './kinds/ip-rule.ts';
export * from './kinds/json.ts';
export * from './kinds/kind.ts';
export * from './kinds/nesting.ts';
export * from './kinds/parse.ts';
export * from './kinds/setting.ts';
export * from './plan/exposure.ts';
export * from './plan/plan.ts';
export * from './plan/report.ts';
export * from './profile-name.ts';
export * from './quantity.ts';
export * from './remedy.ts';
export * from './secret.ts';
export * from './window.ts';
