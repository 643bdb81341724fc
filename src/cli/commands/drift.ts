import { Fault, hasDrift, isUndelivered, isWithheld, tryParseDecimal, tryParseDuration } from '../../domain/index.ts';
import type { DriftReview } from '../../engine/index.ts';
import type { LowThreshold, OutlookLimits } from '../../reconcile/index.ts';
import { FAILS_BY_DEFAULT, FAILURE_KINDS, type FailureKind } from '../output/changes/outlook.ts';
import { EXIT, type ExitCode } from '../output/exit-codes.ts';
import { DRIFT_SINCE_WORDING, DRIFT_WORDING } from '../output/wording.ts';
import type { Context, Result } from '../program/command.ts';
import { has, text } from '../program/option.ts';
import { show } from './plan.ts';

const DAY_SECONDS = 86_400;

const DEFAULTS = { low: '10%', expiring: '14d', failOn: FAILS_BY_DEFAULT.join(',') };

/** @throws Fault `usage.invalid` */
function lowThreshold({ given }: Context): LowThreshold {
  const value = text(given, 'low') ?? DEFAULTS.low;
  const [, percent] = /^(\d{1,2}|100)%$/.exec(value) ?? [];
  if (percent !== undefined) return { percent: Number(percent) };
  const usd = tryParseDecimal(value);
  if (usd !== undefined && usd.digits >= 0n) return { usd };
  throw new Fault('usage.invalid', `Invalid value for --low: ${JSON.stringify(value)}.`, {
    hint: 'Write a share of the budget, such as 10%, or dollars, such as 2.50.',
  });
}

/** @throws Fault `usage.invalid` */
function outlookLimits(context: Context): OutlookLimits {
  const value = text(context.given, 'expiring') ?? DEFAULTS.expiring;
  const expiring = tryParseDuration(value);
  if (expiring !== undefined) return { low: lowThreshold(context), expiring };
  throw new Fault('usage.invalid', `Invalid value for --expiring: ${JSON.stringify(value)}.`, {
    hint: 'Write a time, such as 14d or 12h.',
  });
}

const isFailureKind = (word: string): word is FailureKind => FAILURE_KINDS.some((kind) => kind === word);

/** @throws Fault `usage.invalid` */
function failureKinds({ given }: Context): ReadonlySet<FailureKind> {
  const words = (text(given, 'fail-on') ?? DEFAULTS.failOn).split(',').map((word) => word.trim());
  const kinds = words.filter(isFailureKind);
  if (kinds.length === words.length) return new Set(kinds);
  const unknown = words.find((word) => !isFailureKind(word));
  throw new Fault('usage.invalid', `Invalid value for --fail-on: ${JSON.stringify(unknown)}.`, {
    hint: `Write one or more of ${FAILURE_KINDS.join(', ')}, separated by commas.`,
  });
}

/** The number of findings of each kind. */
const COUNTS: Readonly<Record<FailureKind, (review: DriftReview) => number>> = {
  drift: ({ outlook }) =>
    outlook.drift.changes.filter((change) => hasDrift({ changes: [change] })).length +
    (outlook.drift.deliveries ?? []).filter(isUndelivered).length,
  due: ({ outlook }) => outlook.due.length,
  unverified: ({ outlook }) => outlook.unverified.length,
  withheld: ({ outlook, refusals }) => outlook.drift.changes.filter(isWithheld).length + refusals.length,
  low: ({ outlook }) => outlook.low.length,
  expiring: ({ outlook }) => outlook.expiring.length,
};

/** Shows where the account differs from the manifest, and which keys need attention soon. */
export async function driftAction(context: Context): Promise<Result> {
  const limits = outlookLimits(context);
  const failOn = failureKinds(context);
  const exitOf = (review: DriftReview): ExitCode =>
    [...failOn].some((kind) => COUNTS[kind](review) > 0) ? EXIT.pending : EXIT.done;
  return await show(context, {
    wording: has(context.given, 'base') ? DRIFT_SINCE_WORDING : DRIFT_WORDING,
    async compare({ keyplane, manifest, request }) {
      const review = await keyplane.drift(manifest, {
        ...request,
        low: limits.low,
        expiringDays: limits.expiring / DAY_SECONDS,
      });
      return {
        review: { ...review, plan: review.outlook.drift },
        exit: exitOf(review),
        outlook: review.outlook,
        failOn,
      };
    },
  });
}
