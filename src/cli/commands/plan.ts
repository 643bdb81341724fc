import { resolve } from 'node:path';
import { writePrivately } from '../../disk/index.ts';
import {
  asFault,
  type DesiredState,
  Fault,
  hasDrift,
  type Json,
  looksLikeCredential,
  type OwnerRule,
  once,
  type Plan,
  visibleJson,
} from '../../domain/index.ts';
import type { Review } from '../../engine/index.ts';
import { planDigest, renderSavedPlan } from '../../manifest/index.ts';
import type { Outlook } from '../../reconcile/index.ts';
import { renderChanges } from '../output/changes/formats.ts';
import { type FailureKind, outlookLines } from '../output/changes/outlook.ts';
import { ownerGroups } from '../output/changes/owners.ts';
import type { ChangePage } from '../output/changes/reported-change.ts';
import { renderChangeText } from '../output/changes/text.ts';
import { EXIT, type ExitCode, exitCodeOf, strongestExit } from '../output/exit-codes.ts';
import { envelopeOf } from '../output/json/envelope.ts';
import { planData } from '../output/json/plan-data.ts';
import { printable } from '../output/layout/printable.ts';
import { renderRefusals } from '../output/refusals.ts';
import { isReportFormat } from '../output/report-format.ts';
import { PLAN_WORDING, type Wording } from '../output/wording.ts';
import { type Context, type Format, kindOf, type Result } from '../program/command.ts';
import { GUARDS } from '../program/flags.ts';
import { has, text, texts } from '../program/option.ts';
import { formatOfEnding, reportFiles, writeReports } from '../session/files/report-files.ts';
import { refuseEmptySelection, refuseUnmatched } from '../session/key-filter.ts';
import { type KeyplaneSession, withKeyplane } from '../session/keyplane.ts';
import { offlineReview } from '../session/offline.ts';

/**
 * A saved plan is kept and passed on, and it holds the settings of live keys verbatim: masked, they could not be compared
 * with the keys again.
 *
 * @throws Fault `plan.holds-credential`
 */
function refuseCredentials({ mask }: Context, saved: string, { changes }: Plan): void {
  const holds = (text: string): boolean => looksLikeCredential(text) || mask(text) !== text;
  if (!holds(saved)) return;
  const holding = changes.filter((change) => holds(JSON.stringify(change)));
  const keys = [...new Set(holding.flatMap((change) => ('id' in change ? [`key ${change.id}`] : [])))].join(', ');
  throw new Fault(
    'plan.holds-credential',
    `The plan was not saved: a setting of ${keys || 'a live key'} contains what looks like a credential.`,
    {
      hint: 'If it is one, revoke it. To continue without a saved plan, run `keyplane plan` without --out, then `keyplane apply`.',
    },
  );
}

/**
 * A saved plan is JSON, whatever the format of the result: a page that holds JSON helps nobody.
 *
 * @throws Fault `usage.invalid`
 */
function refuseReportEnding({ given }: Context): void {
  const file = text(given, 'out');
  const format = file === undefined ? undefined : formatOfEnding(file);
  if (format === undefined || format === 'json') return;
  throw new Fault(
    'usage.invalid',
    `--out saves the plan as JSON, and ${printable(`${file}`)} is named like a report.`,
    {
      hint: `--report ${printable(`${file}`)} writes the report; --out plan.json saves the plan.`,
    },
  );
}

/** The flags of the guard that were given: a saved plan does not hold them. */
const guardWords = ({ given }: Context): readonly string[] =>
  GUARDS.flatMap(({ flag }) => {
    const value = text(given, flag);
    if (value !== undefined) return [`--${flag} ${value}`];
    return has(given, flag) ? [`--${flag}`] : [];
  });

/** The digest of a plan that was saved, or the reason why it could not be. */
interface SavedAs {
  readonly digest?: string;
  readonly fault?: Fault;
}

interface Saving {
  readonly made: Plan;
  readonly desired: DesiredState;
}

/** @throws Fault `plan.holds-credential`, `plan.too-large`, `file.unwritable` */
async function write(context: Context, file: string, { made, desired }: Saving): Promise<void> {
  const saved = renderSavedPlan(made, desired);
  refuseCredentials(context, saved, made);
  await writePrivately(resolve(context.io.cwd, file), saved);
}

/** Saves the plan, if `--out` asks for it. The plan is shown also when its file cannot be written. */
async function save(context: Context, made: Plan, desired: DesiredState): Promise<SavedAs> {
  const file = text(context.given, 'out');
  if (file === undefined) return {};
  const fault = await write(context, file, { made, desired }).then(() => undefined, asFault);
  if (fault?.code === 'plan.holds-credential') throw fault;
  if (fault) return { fault };
  const manifests = texts(context.given, 'file').map((path) => `-f ${path}`);
  const words = ['keyplane apply', file, ...manifests, ...guardWords(context)];
  context.print(`Saved the plan. To apply it: ${words.join(' ')}`);
  return { digest: planDigest(made) };
}

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
  if (command.ownsOut) refuseReportEnding(context);
  // An invalid name is reported before the gateway is asked.
  reportFiles(context);
  return await withKeyplane(context, async (session) => {
    const reviewed = await compare(session);
    const saved = command.ownsOut ? await save(context, reviewed.review.plan, session.manifest.desired) : {};
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
