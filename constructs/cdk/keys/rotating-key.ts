import { Construct } from 'constructs';
import { tryParseDuration, tryParseInstant } from '../../../src/domain/index.ts';
import type { IApiKey } from '../check/smoke-check-props.ts';
import { nowOf } from '../clock.ts';
import { ApiKey, type ApiKeyProps } from '../key/api-key.ts';
import { instantText } from '../key/codec.ts';
import { checkProps, constructError } from '../stack/refusal.ts';
import { generationsAt, scheduleError } from './rotation.ts';

/** A key that is replaced on a schedule. */
export interface RotatingKeyProps extends Omit<ApiKeyProps, 'renamedFrom' | 'preventDestroy' | 'forEach'> {
  /** Name of the rotation: its keys are named `name~2027-03-31`, by the day on which they become current. */
  readonly name: string;
  /**
   * The period: a number of days such as `90d`. Another period has other days and therefore other keys, so the key in use
   * would disappear without an overlap. To change the period, start a second rotation.
   */
  readonly every: string;
  /** The time for which a key and its successor both exist, such as `7d`. Shorter than `every`. */
  readonly overlap: string;
  /** The day on which the first generation begins, at midnight UTC. All others follow from it, so do not change it. */
  readonly since: string | Date;
}

const DAY = 86_400;

function parseSchedule(props: RotatingKeyProps, construct: Construct) {
  const { every, overlap, since } = props;
  const problem = scheduleError({ every, overlap });
  if (problem !== undefined) throw constructError(construct, `${problem}.`);
  const start = tryParseInstant(instantText(since));
  if (start === undefined || start % DAY !== 0) {
    throw constructError(construct, '`since` must be the beginning of a day in UTC, such as 2027-01-01T00:00:00Z.');
  }
  return { since: start, every: tryParseDuration(every) as number, overlap: tryParseDuration(overlap) as number };
}

/**
 * The current key of a rotation and, during the overlap, the one before it: a pure function of the time of the synthesis
 * (context `keyplane:now`, else the clock). It rotates only when you synthesize and apply again: do that on a schedule, more
 * often than `overlap`. A key that is not replaced keeps working; after a pause longer than the overlap, the next synthesis
 * replaces it immediately. During the overlap both keys have the whole budget.
 *
 * @throws Error with the path of the construct, when the schedule is invalid
 */
export class RotatingKey extends Construct implements IApiKey {
  /** The key to use from now on. */
  public readonly current: ApiKey;
  /** The key before, during the overlap: migrate its remaining users. */
  public readonly previous: ApiKey | undefined;

  public constructor(scope: Construct, id: string, props: RotatingKeyProps) {
    super(scope, id);
    checkProps(this, props);
    const { every: _every, overlap: _overlap, since: _since, ...key } = props;
    const [current, previous] = generationsAt(parseSchedule(props, this), nowOf(this)).map(
      (date) => new ApiKey(this, date, { ...key, name: `${props.name}~${date}` }),
    );
    this.current = current as ApiKey;
    this.previous = previous;
  }

  /** The gateway’s number for the current key. */
  public get keyId(): number {
    return this.current.keyId;
  }

  /** The credential of the current key, as {@link ApiKey.secret} describes it. */
  public secret(): string {
    return this.current.secret();
  }
}
