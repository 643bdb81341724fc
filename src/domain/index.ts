/**
 * Nouns. Pure data and pure functions on it: no input or output, no clock, no gateway.
 */
export * from './base-address.ts';
export * from './budget.ts';
export * from './budget-words.ts';
export * from './canonical-json.ts';
export * from './check/assertion-kinds.ts';
export * from './check/assertions.ts';
export * from './check/check.ts';
export * from './check/check-report.ts';
export * from './check/check-verdict.ts';
export * from './check/media-facts.ts';
export * from './declaration.ts';
export * from './diagnostic.ts';
export * from './exact-json.ts';
export * from './fault.ts';
export * from './file-trouble.ts';
export * from './instant.ts';
export * from './ip-rule.ts';
export * from './key.ts';
export * from './key-field.ts';
export * from './key-name.ts';
export * from './key-rule.ts';
export * from './plan.ts';
export * from './quantity.ts';
export * from './remedy.ts';
export * from './report.ts';
export * from './secret.ts';
export * from './status.ts';
export * from './window.ts';
