import type { ConformanceFinding, ConformanceLevel, Observed } from './probe.ts';

/**
 * The behaviour of a gateway as pure data: the observed value of each probe, by its ID. It contains no name, address or
 * credential of an account.
 */
export interface GatewayProfile {
  readonly version: 1;
  /** The highest level that was examined. */
  readonly level: ConformanceLevel;
  readonly observed: Readonly<Record<string, Observed>>;
}

export const profileOf = (level: ConformanceLevel, findings: readonly ConformanceFinding[]): GatewayProfile => ({
  version: 1,
  level,
  observed: Object.fromEntries(
    findings.flatMap(({ id, observed }): [string, Observed][] => (observed === undefined ? [] : [[id, observed]])),
  ),
});
