import type { Secret } from '../domain/index.ts';
import type { JsonModel } from '../synthetic/index.ts';
import type { Catalog } from './catalog.ts';
import type { GatewayClock } from './clock.ts';
import type { TaskFlaw } from './failures/kinds.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { TaskScheduler } from './media/video/task-scheduler.ts';
import type { VideoCache } from './media/video/video-cache.ts';
import type { Messages } from './profiles/messages.ts';
import type { Profile } from './profiles/profile.ts';
import type { RandomBytes } from './random.ts';
import { type Answer, failureAnswer } from './server/answer.ts';

/** The state and the parts of one gateway, which every handler receives. */
export interface GatewayContext {
  readonly ledger: Ledger;
  readonly catalog: Catalog;
  readonly profile: Profile;
  readonly clock: GatewayClock;
  /** Unix seconds. */
  readonly startedAt: number;
  readonly random: RandomBytes;
  readonly scheduler: TaskScheduler;
  readonly videos: VideoCache;
  /** Generates JSON answers; keeps compiled validators. */
  readonly json: JsonModel;
  /** Injected flaws by task ID. */
  readonly taskFlaws: Map<string, TaskFlaw>;
  /** Milliseconds that never decrease, for measuring durations. */
  ticks(): number;
  /** Returns the key of an upstream by the name of its environment variable. */
  upstreamKey(name: string): Secret | undefined;
}

/** The envelope of a failure, in the profile's words. */
export const refuse = (context: GatewayContext, reason: keyof Messages, status = 200): Answer =>
  failureAnswer(context.profile.messages[reason], status);
