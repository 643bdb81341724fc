import { z } from 'zod';
import type { Finding, Level, Observed } from './probe.ts';

/**
 * The behaviour of a gateway as pure data: the observed value of each probe, by its ID. It contains no name, address or
 * credential of an account.
 */
export interface GatewayProfile {
  readonly version: 1;
  /** The highest level that was examined. */
  readonly level: Level;
  readonly observed: Readonly<Record<string, Observed>>;
}

const PROFILE = z.strictObject({
  version: z.literal(1),
  level: z.enum(['read', 'write', 'inference']),
  observed: z.record(z.string().max(100), z.string().max(200)),
});

export const profileOf = (level: Level, findings: readonly Finding[]): GatewayProfile => ({
  version: 1,
  level,
  observed: Object.fromEntries(
    findings.flatMap(({ id, observed }): [string, Observed][] => (observed === undefined ? [] : [[id, observed]])),
  ),
});

/** Reads a profile; undefined for anything else. */
export function tryReadProfile(json: unknown): GatewayProfile | undefined {
  const parsed = PROFILE.safeParse(json);
  return parsed.success ? parsed.data : undefined;
}
