import { Construct } from 'constructs';
import { tryParseDuration, tryParseInstant } from '../../../src/domain/index.ts';
import type { IApiKey } from '../check/smoke-check-props.ts';
import { nowOf } from '../clock.ts';
import { ApiKey, type ApiKeyProps } from '../key/api-key.ts';
import { expiryText } from '../key/notation.ts';
import { checkProps, refusal } from '../stack/refusal.ts';
import { generationsAt, timetableProblem } from './rotation.ts';

/** A key that is replaced by the calendar. */
export interface RotatingKeyProps extends Omit<ApiKeyProps, 'renamedFrom' | 'preventDestroy'> {
  /** Name of the rotation: each of its keys is called `name~2027-03-31`, by the day on which it becomes the current one. */
  readonly name: string;
  /**
   * A successor every so often: a number of days such as `90d`. With another period the days are others, and so are the
   * keys: the one in use would go without an overlap. For another period begin another rotation beside this one.
   */
  readonly every: string;
  /** How long the one before stays beside its successor, such as `7d`: shorter than `every`. */
  readonly overlap: string;
  /** The day on which the first generation begins, at midnight UTC. All others follow from it, so leave it as it is. */
  readonly since: string | Date;
}

const DAY = 86_400;

function timetableOf(props: RotatingKeyProps, construct: Construct) {
  const { every, overlap, since } = props;
  const problem = timetableProblem({ every, overlap });
  if (problem !== undefined) throw refusal(construct, `${problem}.`);
  const start = tryParseInstant(expiryText(since));
  if (start === undefined || start % DAY !== 0) {
    throw refusal(construct, '`since` has to be the beginning of a day in UTC, such as 2027-01-01T00:00:00Z.');
  }
  return { since: start, every: tryParseDuration(every) as number, overlap: tryParseDuration(overlap) as number };
}

/**
 * The current key of a rotation and, during the overlap, the one before it: a pure function of the time at which the app
 * is synthesized (context `keyplane:now`, else the clock). So it rotates when it is synthesized and applied again: do that
 * by schedule, more often than `overlap`. A key that nobody replaces goes on working; after a pause that was longer than the
 * overlap, the next synthesis replaces it at once. During the overlap both keys have the whole budget.
 *
 * @throws Error with the path of the construct, when the timetable can not be
 */
export class RotatingKey extends Construct implements IApiKey {
  /** The key to use from now on. */
  public readonly current: ApiKey;
  /** The one before, as long as it overlaps: move whoever still uses it. */
  public readonly previous: ApiKey | undefined;

  public constructor(scope: Construct, id: string, props: RotatingKeyProps) {
    super(scope, id);
    checkProps(this, props);
    const { every: _every, overlap: _overlap, since: _since, ...key } = props;
    const [current, previous] = generationsAt(timetableOf(props, this), nowOf(this)).map(
      (date) => new ApiKey(this, date, { ...key, name: `${props.name}~${date}` }),
    );
    this.current = current as ApiKey;
    this.previous = previous;
  }

  /** The gateway’s number for the current key. */
  public get keyId(): number {
    return this.current.keyId;
  }
}
