import { hasDrift, type Json, type OwnerRule, once, visibleJson } from '../../domain/index.ts';
import type { Review } from '../../engine/index.ts';
import type { Outlook } from '../../reconcile/index.ts';
import { renderChanges } from '../output/changes/formats.ts';
import { type FailureKind, outlookLines } from '../output/changes/outlook.ts';
import { ownerGroups } from '../output/changes/owners.ts';
import type { ChangePage } from '../output/changes/reported-change.ts';
import { renderChangeText } from '../output/changes/text.ts';
import { EXIT, type ExitCode, exitCodeOf, strongestExit } from '../output/exit-codes.ts';
import { envelopeOf } from '../output/json/envelope.ts';
import { planData } from '../output/json/plan-data.ts';
import { renderRefusals } from '../output/refusals.ts';
import { isReportFormat } from '../output/report-format.ts';
import { PLAN_WORDING, type Wording } from '../output/wording.ts';
import { type Context, type Format, kindOf, type Result } from '../program/command.ts';
import { has } from '../program/option.ts';
import { reportFiles, writeReports } from '../session/files/report-files.ts';
import { refuseEmptySelection, refuseUnmatched } from '../session/key-filter.ts';
import { type KeyplaneSession, withKeyplane } from '../session/keyplane.ts';
import { offlineReview } from '../session/offline.ts';
import type { SavedAs } from './save-plan.ts';

interface Shown {
  readonly page: ChangePage;
  /** The data of JSON. A text needs none of it, and it is most of the work on a large plan. */
  readonly data: () => Json;
}

/** A plan or a drift in a format, as a file of it holds it. */
async function renderIn(format: Format, { command }: Context, { page, data }: Shown): Promise<string> {
  return isReportFormat(format)
    ? await renderChanges(page, format)
    : `${visibleJson(envelopeOf(kindOf(command), { data: data() }, []))}\n`;
}

/** The result itself: for a terminal with its colours and width. JSON is made from its data. */
async function resultText(context: Context, shown: Shown): Promise<string> {
  const { format, paint, width } = context;
  if (format === 'json') return '';
  if (format === 'text') return renderChangeText(shown.page, { paint: paint.out, width: width.out });
  return await renderIn(format, context, shown);
}

/** A plan, or the drift of an account, ready to be shown. */
interface Reviewed {
  readonly review: Review;
  readonly exit: ExitCode;
  /** Only for drift. */
  readonly outlook?: Outlook;
  /** The kinds of findings that fail a job. */
  readonly failOn?: ReadonlySet<FailureKind>;
  /** The owners of the manifest. */
  readonly owners?: readonly OwnerRule[];
}

interface Showing {
  readonly wording: Wording;
  readonly compare: (session: KeyplaneSession) => Promise<Reviewed>;
}

/** Compares, and writes the result in every format that was asked for. */
export async function show(context: Context, { wording, compare }: Showing): Promise<Result> {
  const { command } = context;
  // Loaded only by what writes files.
  const saving = command.ownsOut && has(context.given, 'out') ? await import('./save-plan.ts') : undefined;
  saving?.refuseReportEnding(context);
  // An invalid name is reported before the gateway is asked.
  reportFiles(context);
  return await withKeyplane(context, async (session) => {
    const reviewed = await compare(session);
    const saved = await saving?.save(context, reviewed.review.plan, session.manifest.desired);
    const { owners = [] } = session.manifest.desired;
    return await present(context, wording, { ...reviewed, owners }, saved);
  });
}

/** Writes what was compared in every format that was asked for. */
async function present(
  context: Context,
  wording: Wording,
  { review, exit, outlook, failOn, owners: rules = [] }: Reviewed,
  { digest, fault: unsaved }: SavedAs = {},
): Promise<Result> {
  const { paint, width } = context;
  const { plan, refusals, now } = review;
  if (context.format !== 'text' && refusals.length > 0) {
    context.print(renderRefusals(refusals, { paint: paint.err, width: width.err, severity: wording.refusal }));
  }
  const lines = outlook ? outlookLines(outlook, now, wording.guidance) : [];
  const owners = outlook ? ownerGroups({ plan, outlook: lines, owners: rules }) : undefined;
  const page = {
    plan,
    now,
    wording,
    refusals,
    outlook: lines,
    ...(failOn ? { failOn } : {}),
    ...(owners ? { owners } : {}),
    ...(digest === undefined ? {} : { digest }),
  };
  const data = once((): Json => planData(plan, refusals, { outlook, owners }));
  const shown = { page, data };
  const unwritten = await writeReports(context, (format) => renderIn(format, context, shown));
  const faults = [...(unsaved ? [unsaved] : []), ...unwritten];
  return {
    exit: strongestExit([exit, ...faults.map(exitCodeOf)]),
    get data() {
      return data();
    },
    text: await resultText(context, shown),
    ...(faults[0] ? { fault: faults[0] } : {}),
  };
}

function exitOf({ given }: Context, { refusals, plan }: Review): ExitCode {
  const isPending = has(given, 'detailed-exitcode') && hasDrift(plan);
  return strongestExit([refusals.length > 0 ? EXIT.refused : EXIT.done, isPending ? EXIT.pending : EXIT.done]);
}

/** Shows the difference between two manifests, without a gateway. */
async function planUntrusted(context: Context): Promise<Result> {
  reportFiles(context);
  const review = await offlineReview(context);
  refuseUnmatched(review.unmatched);
  refuseEmptySelection(context, review.selectsNothing);
  return await present(context, PLAN_WORDING, { review, exit: exitOf(context, review) });
}

/** Shows what an apply would change. */
export async function planAction(context: Context): Promise<Result> {
  if (has(context.given, 'untrusted')) return await planUntrusted(context);
  return await show(context, {
    wording: PLAN_WORDING,
    async compare({ keyplane, manifest, request }) {
      const review = await keyplane.plan(manifest, request);
      return { review, exit: exitOf(context, review) };
    },
  });
}
