import type { UnixSeconds, UsageEntry } from '../../domain/index.ts';
import { INFERENCE_API } from '../../wire/index.ts';
import { entriesSince, type ReadLog } from '../cost/usage-log.ts';
import type { TaskIdentity } from './ledger.ts';

/** A submission whose answer was lost. */
interface LostSubmission extends Pick<TaskIdentity, 'key' | 'model'> {
  readonly submittedAt: UnixSeconds;
}

/** Seconds around a submission in which its charge is logged: clocks differ, and gateways may try several upstreams. */
const BEFORE = 120;
const AFTER = 900;

const PATH = INFERENCE_API.submitVideo.path;

const mayBeOf = ({ key, model, submittedAt }: LostSubmission, entry: UsageEntry): boolean =>
  entry.spent > 0 &&
  entry.keyId === key &&
  entry.model === model &&
  (entry.path === undefined || entry.path === PATH) &&
  entry.at >= submittedAt - BEFORE &&
  entry.at <= submittedAt + AFTER;

/**
 * Finds the charges in the usage log that may be those of a lost submission; undefined when the log cannot be read. None found
 * proves nothing: a log can be late, or off.
 */
export async function tryFindCharges(read: ReadLog, lost: LostSubmission): Promise<readonly UsageEntry[] | undefined> {
  try {
    return (await entriesSince(read, lost.submittedAt)).filter((entry) => mayBeOf(lost, entry));
  } catch {
    return undefined;
  }
}
