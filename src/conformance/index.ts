/** The behaviour of a gateway where its family differs: one probe for each question, and a profile of what was observed. */
export { type Exchange, exchangeOf } from './bundle.ts';
export { type Finding, LEVELS, type Level, type Verdict } from './probe.ts';
export type { Spending } from './probes/inference.ts';
export { type GatewayProfile, profileOf } from './profile.ts';
export { type ConformanceReport, examineConformance, probesOf } from './run.ts';
