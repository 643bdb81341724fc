import type { IConstruct } from 'constructs';
import { tryParseInstant, type UnixSeconds } from '../../src/domain/index.ts';

/** The context key that says what time it is: a synthesis that is repeated then gives the same again. */
export const NOW = 'keyplane:now';

/** The context key that says what an expiry in the past is: `error`, unless it says `warn`. */
export const PAST_EXPIRY = 'keyplane:pastExpiry';

/**
 * The time of the synthesis: what the context `keyplane:now` says, else the clock.
 *
 * @throws Error when the context says something else than a time with its offset
 */
export function nowOf(scope: IConstruct): UnixSeconds {
  const said: unknown = scope.node.tryGetContext(NOW);
  if (said === undefined || said === null) return Math.floor(Date.now() / 1000);
  const now = typeof said === 'string' ? tryParseInstant(said) : undefined;
  if (now !== undefined) return now;
  throw new Error(
    `The context ${NOW} is no time with its offset, such as 2027-03-31T00:00:00Z: ${JSON.stringify(said)}`,
  );
}
