/** The behaviour of a gateway where its family differs: one probe for each question, and a profile of what was observed. */
export { type ConformanceLevel, type GatewayProfile, LEVELS } from '../wire/index.ts';
export { type BundledExchange, exchangeOf } from './bundle.ts';
export type { ConformanceFinding, ConformanceVerdict } from './probe.ts';
export type { ProbeSpending } from './probes/inference.ts';
export { profileOf } from './profile.ts';
export { type ConformanceReport, examineConformance, probesOf } from './run.ts';
