import type { Secret } from '../domain/index.ts';
import type { Catalog } from './catalog.ts';
import type { GatewayClock } from './clock.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { Messages } from './profiles/messages.ts';
import type { Profile } from './profiles/profile.ts';
import type { RandomBytes } from './random.ts';
import { type Answer, refused } from './server/answer.ts';

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
