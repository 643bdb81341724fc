import { resolve } from 'node:path';
import { writePrivately } from '../../disk/index.ts';
import { asFault, type DesiredState, Fault, looksLikeCredential, type Plan } from '../../domain/index.ts';
import { planDigest, renderSavedPlan } from '../../manifest/index.ts';
import { printable } from '../output/layout/printable.ts';
import type { Context } from '../program/command.ts';
import { GUARDS } from '../program/flags.ts';
import { has, text, texts } from '../program/option.ts';
import { formatOfEnding } from '../session/files/report-files.ts';

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
export function refuseReportEnding({ given }: Context): void {
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
export interface SavedAs {
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
export async function save(context: Context, made: Plan, desired: DesiredState): Promise<SavedAs> {
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
