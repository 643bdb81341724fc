import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Fault, fileTrouble, type Plan, pendingChanges } from '../../domain/index.ts';
import { decodePlan } from '../../manifest/index.ts';
import { type Moved, moved } from '../../reconcile/index.ts';
import { counted } from '../output/layout/amount.ts';
import { printable, quoted } from '../output/layout/printable.ts';
import { renderPlan } from '../output/plan.ts';
import type { Context, Result } from '../program/command.ts';
import { confirm } from '../session/confirm.ts';
import { DEFAULT_MANIFEST, hasManifest, looksLikeManifest } from '../session/manifest-input.ts';
import { judge, planFor, type Sight, selected, withLockedSight } from '../session/planning.ts';
import { carryOut, refuseUnsafe } from './carry-out.ts';

async function readPlan(context: Context, path: string): Promise<Plan> {
  const text = await readFile(resolve(context.io.cwd, path), 'utf8').catch((cause: unknown) => {
    throw new Fault('plan.unreadable', `The saved plan ${path} can not be read: ${fileTrouble(cause)}.`, {
      cause,
      hint: '`keyplane plan --out FILE` saves one.',
    });
  });
  return decodePlan(text);
}

const describe = ({ url, userId }: Plan['account']): string => `user ${userId} of ${printable(url)}`;

const address = (url: string): string => url.replace(/\/+$/, '');

function refuseForeign(saved: Plan, { observed }: Sight): void {
  const [its, ours] = [saved.account, observed.account];
  if (address(its.url) === address(ours.url) && its.userId === ours.userId) return;
  throw new Fault('plan.foreign', `The saved plan is for ${describe(its)}, not for ${describe(ours)}.`, {
    hint: 'Apply it with the manifest and the settings that it was made with.',
  });
}

function staleFault(moves: readonly Moved[]): Fault {
  const lines = moves.map(({ name, id, what }) => {
    const which = id === undefined ? quoted(name) : `${quoted(name)} (id ${id})`;
    return `- ${which}: ${printable(what)}`;
  });
  return new Fault(
    'plan.stale',
    ['What the saved plan would touch has moved since it was made:', ...lines].join('\n'),
    {
      hint: 'Nothing was changed. Make a new plan, and look at it again.',
      detail: { moved: moves },
    },
  );
}

/** A saved plan is carried out only on the account that it was made for, and only as long as nothing moved. */
async function takeSaved(context: Context, path: string, sight: Sight): Promise<Plan> {
  const saved = selected(context, await readPlan(context, path));
  refuseForeign(saved, sight);
  const moves = moved(saved, sight.observed);
  if (moves.length > 0) throw staleFault(moves);
  return saved;
}

export function showPlan(context: Context, made: Plan, sight: Sight): void {
  if (context.format === 'json' && context.io.stderr.isTTY !== true) return;
  context.say(`${renderPlan(made, sight.now, { paint: context.paint.err, width: context.width.err })}\n`);
}

async function applySeen(context: Context, sight: Sight): Promise<Result> {
  const [path] = context.arguments;
  const made = path === undefined ? planFor(context, sight) : await takeSaved(context, path, sight);
  showPlan(context, made, sight);
  refuseUnsafe(judge(context, sight, made));
  if (pendingChanges(made).length > 0) {
    const { url, userId } = made.account;
    await confirm(context, {
      about: `${counted(pendingChanges(made).length, 'change')} will be made to the keys of user ${userId} of ${printable(url)}.`,
      expect: 'yes',
    });
  }
  return await carryOut(context, sight, {
    plan: made,
    ...(path === undefined ? { desired: sight.manifest.desired } : {}),
  });
}

/** A path without -f is a plan, and many name there what is to be applied. */
async function refuseManifest({ arguments: [path], io }: Context): Promise<void> {
  if (path === undefined || !(await looksLikeManifest(path, io.cwd))) return;
  throw new Fault('plan.unreadable', `${printable(path)} is no saved plan.`, {
    hint: `What is to be applied is named with -f: \`keyplane apply -f ${printable(path)}\`.`,
  });
}

/** Its guards and its checks stand in the manifest, not in the plan. */
async function refuseAlone(context: Context): Promise<void> {
  const [path] = context.arguments;
  if (path === undefined || (await hasManifest(context))) return;
  throw new Fault('usage.invalid', 'A saved plan is carried out beside the manifest that it was made from.', {
    hint: `There is no ${DEFAULT_MANIFEST} here. Name with -f what was planned: \`keyplane apply ${printable(path)} -f …\`.`,
  });
}

/** Brings the account to what the manifest says, or carries out a saved plan. */
export async function applyAction(context: Context): Promise<Result> {
  await refuseManifest(context);
  await refuseAlone(context);
  return await withLockedSight(context, (sight) => applySeen(context, sight));
}
