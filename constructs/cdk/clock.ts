import type { IConstruct } from 'constructs';
import { tryParseInstant, type UnixSeconds } from '../../src/domain/index.ts';

/** The context key for the time of the synthesis, which makes a synthesis repeatable. */
export const NOW = 'keyplane:now';

/** The context key for expiries in the past: an error, unless its value is `warn`. */
export const PAST_EXPIRY = 'keyplane:pastExpiry';

/**
 * Returns the time of the synthesis: the context `keyplane:now`, else the clock.
 *
 * @throws Error when the context is not a time with an offset
 */
export function nowOf(scope: IConstruct): UnixSeconds {
  const context: unknown = scope.node.tryGetContext(NOW);
  if (context === undefined || context === null) return Math.floor(Date.now() / 1000);
  const now = typeof context === 'string' ? tryParseInstant(context) : undefined;
  if (now !== undefined) return now;
  throw new Error(
    `The context ${NOW} must be a time with an offset, such as 2027-03-31T00:00:00Z, not ${JSON.stringify(context)}`,
  );
}
