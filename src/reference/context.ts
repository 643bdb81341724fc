import type { Secret } from '../domain/index.ts';
import type { Catalog } from './catalog.ts';
import type { GatewayClock } from './clock.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { Messages } from './profiles/messages.ts';
import type { Profile } from './profiles/profile.ts';
import type { RandomBytes } from './random.ts';
import { type Answer, failureAnswer } from './server/answer.ts';

/** All that a handler works with. */
export interface GatewayContext {
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
export const refuse = (context: GatewayContext, reason: keyof Messages, status = 200): Answer =>
  failureAnswer(context.profile.messages[reason], status);
