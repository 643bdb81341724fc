import type { ConformanceLevel, GatewayProfile } from '../wire/index.ts';
import type { ConformanceFinding, Observed } from './probe.ts';

export const profileOf = (level: ConformanceLevel, findings: readonly ConformanceFinding[]): GatewayProfile => ({
  version: 1,
  level,
  observed: Object.fromEntries(
    findings.flatMap(({ id, observed }): [string, Observed][] => (observed === undefined ? [] : [[id, observed]])),
  ),
});
