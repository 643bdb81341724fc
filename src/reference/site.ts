import type { Secret } from '../domain/index.ts';
import { type Answer, refused } from './answer.ts';
import type { Catalog } from './catalog.ts';
import type { GatewayClock } from './clock.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { Messages } from './messages.ts';
import type { Profile } from './profile.ts';
import type { RandomBytes } from './random.ts';

/** All that a handler works with. */
export interface Site {
  readonly ledger: Ledger;
  readonly catalog: Catalog;
  readonly profile: Profile;
  readonly clock: GatewayClock;
  readonly random: RandomBytes;
  /** Milliseconds that only ever grow: what durations are measured with. */
  ticks(): number;
  /** The key of an upstream, by the name of its environment variable. */
  upstreamKey(name: string): Secret | undefined;
}

/** The envelope of a failure, in the profile's words. */
export const refuse = (site: Site, reason: keyof Messages, status = 200): Answer =>
  refused(site.profile.messages[reason], status);
