import { resolve } from 'node:path';

import { Fault, fileTrouble, type Plan, pendingChanges, pendingDeliveries } from '../../domain/index.ts';
import { readPlan as readSaved } from '../../library/index.ts';
import { planDigest, type SavedPlan } from '../../manifest/index.ts';

import { MOST_BYTES, readBoundedText } from '../../source/index.ts';
import { counted } from '../output/layout/amount.ts';
import { printable } from '../output/layout/printable.ts';
import type { Context, Result } from '../program/command.ts';
import { END_ANYWAY, PLANNING, PRUNE_ANYWAY } from '../program/flags.ts';
import { has, text, texts } from '../program/option.ts';
import { confirm } from '../session/confirm.ts';
import { type KeyplaneSession, requestOf, withKeyplane, withManifest } from '../session/keyplane.ts';
import { DEFAULT_MANIFEST, hasManifest, looksLikeManifest, readPoliciesOf } from '../session/manifest-input.ts';
import { checkStep } from './checking/check-step.ts';
import { reportResult } from './report-result.ts';

/** Makes the account match the manifest, or applies a saved plan. */
export async function applyAction(context: Context): Promise<Result> {
  await refuseManifest(context);
  refuseWithoutPlan(context);
  refusePlanning(context);
  const [path] = context.arguments;
  const saved = path === undefined ? undefined : await readPlan(context, path);
  if (saved) refuseUnexpected(context, saved);
  if (saved && has(context.given, PLAN_ONLY)) return await applyAlone(context, saved);
  await refuseAlone(context);
  return await withKeyplane(context, (session) => applyIn(context, session, saved));
}

async function applyIn(context: Context, session: KeyplaneSession, saved: Plan | undefined): Promise<Result> {
  const { keyplane, manifest, request, progress } = session;
  const isAlone = has(context.given, PLAN_ONLY);
  const report = await keyplane.apply(saved ?? manifest, {
    ...request,
    ...(saved && !isAlone ? { manifest } : {}),
    pruneAnyway: has(context.given, PRUNE_ANYWAY.flag),
    confirm: (plan) => confirmChanges(context, plan),
    check: checkStep(context, progress),
  });
  return reportResult(report, context);
}

const PLAN_ONLY = 'plan-only';

/** Applies a saved plan with the desired state that it holds; checks are part of manifests, so none run. */
async function applyAlone(context: Context, saved: SavedPlan): Promise<Result> {
  if (texts(context.given, 'file').length > 0) {
    throw new Fault('usage.invalid', '--plan-only and --file exclude each other.', {
      hint: 'Omit --plan-only to apply the plan with its manifest.',
    });
  }
  const { desired } = saved;
  if (!desired) {
    throw new Fault('plan.unreadable', 'The saved plan does not hold what it was made from.', { remedy: 'save-plan' });
  }
  const empty = { gateway: {}, checks: [], selections: new Map(), verbatim: new Map(), references: [] };
  const nowhere = { files: [], folder: context.io.cwd };
  const own = { manifest: { ...empty, ...nowhere, desired }, request: requestOf(context) };
  return await withManifest(context, own, (session) => applyIn(context, session, saved));
}

/** @throws Fault `plan.unexpected` when the plan is not the one whose digest was reviewed. */
function refuseUnexpected({ given }: Context, saved: Plan): void {
  const expected = text(given, 'expect')?.toLowerCase();
  if (expected === undefined) return;
  if (!/^sha256:[0-9a-f]{64}$/.test(expected)) {
    throw new Fault('usage.invalid', '--expect is not a digest.', {
      hint: 'Give the digest that `keyplane plan --out` printed: sha256: and 64 hexadecimal digits.',
    });
  }
  const found = planDigest(saved);
  if (found === expected) return;
  throw new Fault('plan.unexpected', `The saved plan has the digest ${found}, not the one that --expect names.`, {
    hint: 'Nothing was changed. Review this plan, or apply the one that was reviewed.',
    detail: { expected, found },
  });
}

/** Refuses flags about a saved plan where there is none. */
function refuseWithoutPlan({ arguments: [path], given }: Context): void {
  const flag = path === undefined ? [PLAN_ONLY, 'expect'].find((each) => has(given, each)) : undefined;
  if (flag === undefined) return;
  throw new Fault('usage.invalid', `--${flag} requires a saved plan.`, {
    hint: `Name it: \`keyplane apply plan.json --${flag}${flag === 'expect' ? ' sha256:…' : ''}\`.`,
  });
}

async function readPlan(context: Context, path: string): Promise<SavedPlan> {
  const text = await readBoundedText(resolve(context.io.cwd, path), MOST_BYTES.savedPlan).catch((cause: unknown) => {
    throw new Fault('plan.unreadable', `The saved plan ${path} cannot be read: ${fileTrouble(cause)}.`, {
      cause,
      remedy: 'save-plan',
    });
  });
  // The policies of a manifest come with it.
  return await readSaved(text, has(context.given, PLAN_ONLY) ? await readPoliciesOf(context) : []);
}

async function confirmChanges(context: Context, plan: Plan): Promise<void> {
  const { url, userId } = plan.account;
  const changes = counted(pendingChanges(plan).length, 'change');
  const deliveries = pendingDeliveries(plan).length;
  const secrets = deliveries === 0 ? '' : `, and ${counted(deliveries, 'secret')} will be delivered`;
  const about = `${changes} will be made to the keys of user ${userId} of ${printable(url)}${secrets}.`;
  await confirm(context, { about, expect: 'yes' });
}

/** A path without -f is a plan, and many name a manifest there. */
async function refuseManifest({ arguments: [path], io }: Context): Promise<void> {
  if (path === undefined || !(await looksLikeManifest(path, io.cwd))) return;
  throw new Fault('plan.unreadable', `${printable(path)} is not a saved plan.`, {
    hint: `To apply a manifest, use -f: \`keyplane apply -f ${printable(path)}\`.`,
  });
}

/** Guards and checks come from the manifest: the plan does not hold them. */
async function refuseAlone(context: Context): Promise<void> {
  const [path] = context.arguments;
  if (path === undefined || (await hasManifest(context))) return;
  throw new Fault('usage.invalid', 'Applying a saved plan also requires its manifest.', {
    hint: `There is no ${DEFAULT_MANIFEST} here. Pass the planned manifest with -f: \`keyplane apply ${printable(path)} -f …\`; --plan-only applies the plan without it.`,
  });
}

/** Refuses flags that decide what a plan contains: a saved plan was reviewed as it is. */
function refusePlanning({ arguments: [path], given }: Context): void {
  const flag =
    path === undefined ? undefined : [...PLANNING, END_ANYWAY].map(({ flag }) => flag).find((each) => has(given, each));
  if (flag === undefined) return;
  throw new Fault('usage.invalid', `--${flag} does not apply to a saved plan.`, {
    hint: `Pass it to \`keyplane plan --${flag} … --out FILE\`, and review that plan.`,
  });
}
