import { resolve } from 'node:path';
import { Fault, looksLikeCredential, type Plan, pendingChanges } from '../../domain/index.ts';
import type { Review } from '../../engine/index.ts';
import { encodePlan } from '../../manifest/index.ts';
import type { ChangePage } from '../output/changes/reported-change.ts';
import { EXIT } from '../output/exit-codes.ts';
import { planData } from '../output/json/plan-data.ts';
import { renderPlan } from '../output/plan.ts';
import { renderRefusals } from '../output/refusals.ts';
import { DRIFT_WORDING, PLAN_WORDING, type Wording } from '../output/wording.ts';
import type { Context, Result } from '../program/command.ts';
import { has, text, texts } from '../program/option.ts';
import { warnUnmatched } from '../session/key-filter.ts';
import { type Session, withKeyplane } from '../session/keyplane.ts';
import { writeWhole } from '../session/write-file.ts';

/**
 * A saved plan is kept and passed on, and it holds the settings of live keys verbatim: masked, they could not be compared
 * with the keys again.
 *
 * @throws Fault `plan.holds-credential`
 */
function refuseCredentials(saved: string, { changes }: Plan): void {
  if (!looksLikeCredential(saved)) return;
  const holding = changes.filter((change) => looksLikeCredential(JSON.stringify(change)));
  const keys = [...new Set(holding.flatMap((change) => ('id' in change ? [`key ${change.id}`] : [])))].join(', ');
  throw new Fault(
    'plan.holds-credential',
    `The plan is not saved: a setting of ${keys || 'a live key'} holds what looks like an API key.`,
    {
      hint: 'If it is one, revoke it. `keyplane plan` without --out shows the plan without it, and `keyplane apply` applies it.',
    },
  );
}

async function save(context: Context, made: Plan): Promise<void> {
  const file = text(context.given, 'out');
  if (file === undefined) return;
  const saved = `${JSON.stringify(encodePlan(made), null, 2)}\n`;
  refuseCredentials(saved, made);
  await writeWhole(resolve(context.io.cwd, file), saved);
  const manifests = texts(context.given, 'file').map((path) => ` -f ${path}`);
  context.print(`Saved. To apply exactly this plan: keyplane apply ${file}${manifests.join('')}`);
}

/** The plan in the format that was asked for; JSON is made from its data. */
async function planText({ format, paint, width }: Context, page: ChangePage): Promise<string> {
  switch (format) {
    case 'markdown':
      return (await import('../output/changes/markdown.ts')).renderChangeMarkdown(page);
    case 'junit':
      return (await import('../output/changes/junit.ts')).renderChangeJunit(page);
    case 'tap':
      return (await import('../output/changes/tap.ts')).renderChangeTap(page);
    case 'html':
      return (await import('../output/html/changes.ts')).renderChangeHtml(page);
    default:
      return renderPlan(page.plan, page.now, { paint: paint.out, width: width.out, wording: page.wording });
  }
}

interface Comparison {
  readonly wording: Wording;
  readonly compare: (session: Session) => Promise<Review>;
  /** Exit with a code of its own when something is pending. */
  readonly exitsWhenPending: boolean;
}

async function show(context: Context, { wording, compare, exitsWhenPending }: Comparison): Promise<Result> {
  return await withKeyplane(context, async (session) => {
    const review = await compare(session);
    const { plan, refusals, now } = review;
    const { paint, width, command } = context;
    warnUnmatched(context, review.unmatched);
    if (command.ownsOut) await save(context, plan);
    if (context.format !== 'json' && refusals.length > 0) {
      context.print(renderRefusals(refusals, { paint: paint.err, width: width.err, severity: 'warning' }));
    }
    return {
      exit: exitsWhenPending && pendingChanges(plan).length > 0 ? EXIT.pending : EXIT.done,
      data: planData(plan, refusals),
      text: await planText(context, { plan, now, wording }),
    };
  });
}

/** Shows what an apply would change. */
export const planAction = (context: Context): Promise<Result> =>
  show(context, {
    wording: PLAN_WORDING,
    compare: ({ keyplane, manifest, request }) => keyplane.plan(manifest.desired, request),
    exitsWhenPending: has(context.given, 'detailed-exitcode'),
  });

/** Shows where the account differs from the manifest. */
export const driftAction = (context: Context): Promise<Result> =>
  show(context, {
    wording: DRIFT_WORDING,
    compare: ({ keyplane, manifest, request }) => keyplane.drift(manifest.desired, request),
    exitsWhenPending: true,
  });
