import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Fault, fileTrouble, type Plan, pendingChanges } from '../../domain/index.ts';
import { decodePlan } from '../../manifest/index.ts';
import { counted } from '../output/layout/amount.ts';
import { printable } from '../output/layout/printable.ts';
import type { Context, Result } from '../program/command.ts';
import { PLANNING } from '../program/flags.ts';
import { has } from '../program/option.ts';
import { confirm } from '../session/confirm.ts';
import { withKeyplane } from '../session/keyplane.ts';
import { DEFAULT_MANIFEST, hasManifest, looksLikeManifest } from '../session/manifest-input.ts';
import { checkWrittenKeys } from './checking/check-written-keys.ts';
import { reportResult } from './report-result.ts';

/** Makes the account match the manifest, or applies a saved plan. */
export async function applyAction(context: Context): Promise<Result> {
  await refuseManifest(context);
  await refuseAlone(context);
  refusePlanning(context);
  const [path] = context.arguments;
  return await withKeyplane(context, async (session) => {
    const { keyplane, manifest, request } = session;
    const report = await keyplane.apply(manifest.desired, {
      ...request,
      ...(path === undefined ? {} : { saved: await readPlan(context, path) }),
      confirm: (plan) => confirmChanges(context, plan),
      ...checkWrittenKeys(context, session),
    });
    return reportResult(report, context);
  });
}

async function readPlan(context: Context, path: string): Promise<Plan> {
  const text = await readFile(resolve(context.io.cwd, path), 'utf8').catch((cause: unknown) => {
    throw new Fault('plan.unreadable', `The saved plan ${path} cannot be read: ${fileTrouble(cause)}.`, {
      cause,
      remedy: 'save-plan',
    });
  });
  return decodePlan(text);
}

async function confirmChanges(context: Context, plan: Plan): Promise<void> {
  const { url, userId } = plan.account;
  const changes = counted(pendingChanges(plan).length, 'change');
  const about = `${changes} will be made to the keys of user ${userId} of ${printable(url)}.`;
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
    hint: `There is no ${DEFAULT_MANIFEST} here. Pass the planned manifest with -f: \`keyplane apply ${printable(path)} -f …\`.`,
  });
}

/** Refuses flags that decide what a plan contains: a saved plan was reviewed as it is. */
function refusePlanning({ arguments: [path], given }: Context): void {
  const flag = path === undefined ? undefined : PLANNING.map(({ flag }) => flag).find((each) => has(given, each));
  if (flag === undefined) return;
  throw new Fault('usage.invalid', `--${flag} does not apply to a saved plan.`, {
    hint: `Pass it to \`keyplane plan --${flag} … --out FILE\`, and review that plan.`,
  });
}
