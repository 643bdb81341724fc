import { closest } from 'fastest-levenshtein';
import { type CheckReport, checkFaults, Fault } from '../../domain/index.ts';
import type { Manifest } from '../../manifest/index.ts';
import { underDeclaredNames } from '../../reconcile/index.ts';
import { type ExitCode, exitCodeOf, strongestFault } from '../output/exit-codes.ts';
import { checkReportData } from '../output/json/check-data.ts';
import { printable, quoted } from '../output/layout/printable.ts';
import type { Context, Result } from '../program/command.ts';
import { has, texts } from '../program/option.ts';
import { withGateway } from '../session/connect.ts';
import { reportFiles } from '../session/files/report-files.ts';
import { selectedKeys } from '../session/key-filter.ts';
import { looksLikeManifest, readManifestOf } from '../session/manifest-input.ts';
import { whileReading } from '../session/progress.ts';
import { carryOutChecks } from './checking/carry-out-checks.ts';
import { interval, listenAddress, maxCost, refuseIncompleteFlags } from './checking/options.ts';
import { keepReport, type ReportedRun, resultText } from './checking/report-text.ts';

/** A word that selects no check is a mistake: an empty run would look like success. */
async function refuseUnknown({ arguments: words, io }: Context, { checks }: Manifest): Promise<void> {
  const { SELECTION_WORDS } = await import('../../checks/index.ts');
  const known = [...checks.map(({ name }) => name), ...SELECTION_WORDS];
  const unknown = words.find((word) => !known.includes(word));
  if (unknown === undefined) return;
  throw new Fault('usage.invalid', `There is no check, module, kind or class ${quoted(unknown)}.`, {
    hint: (await looksLikeManifest(unknown, io.cwd))
      ? `To use a manifest, pass -f: \`keyplane check -f ${printable(unknown)}\`.`
      : `Did you mean ${quoted(closest(unknown, known))}?`,
  });
}

/** @throws Fault `usage.invalid` when a request selects nothing, which would look like success */
async function selectedFor(context: Context, { checks, selections, desired }: Manifest) {
  const { adoptedIds, selectChecks } = await import('../../checks/index.ts');
  const chosen = selectedKeys(
    context,
    [...selections.keys()].map((name) => ({ name })),
    desired,
  );
  const wanted = chosen.map(({ name }) => [name, selections.get(name) ?? []] as const);
  const globs = texts(context.given, 'key');
  const asked = context.arguments;
  const selected = selectChecks({
    selections: new Map(wanted),
    adopted: adoptedIds(desired.keys),
    definitions: checks,
    asked,
    costly: has(context.given, 'costly'),
  });
  if (selected.length > 0 || (asked.length === 0 && globs.length === 0)) return selected;
  const keys = globs.length === 0 ? 'No key' : `No key that matches --key ${globs.join(', ')}`;
  throw new Fault('usage.invalid', `${keys} selects ${asked.length > 0 ? asked.map(quoted).join(', ') : 'a check'}.`, {
    hint: 'In the manifest, list the checks of a key in `checks`.',
  });
}

/** Rejects at the first Ctrl-C: reading is not worth waiting for. */
const ended = ({ interruption: { signal } }: Context): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

async function prove(context: Context): Promise<CheckReport> {
  const cap = maxCost(context);
  const manifest = await readManifestOf(context);
  await refuseUnknown(context, manifest);
  const selected = await selectedFor(context, manifest);
  return await withGateway(context, manifest.gateway, async (gateway, settings) => {
    const reading = whileReading(context, () => Promise.all([gateway.store.walk(), gateway.store.quotaPerUnit()]));
    const [walked, quotaPerUnit] = await Promise.race([reading, ended(context)]);
    const keys = underDeclaredNames([...manifest.selections.keys()], walked);
    return await carryOutChecks(context, { manifest, gateway, settings, keys, quotaPerUnit, selected, cap });
  });
}

/** Runs once and returns the report, even when nothing could run or Ctrl-C came first. */
async function proven(context: Context): Promise<ReportedRun> {
  const { fatalReport } = await import('../../checks/index.ts');
  const startedAt = context.io.clock() * 1000;
  const announce = (): void => context.print('Interrupted.');
  const report = await context.interruption
    .finishing(() => prove(context), { announce })
    .catch((thrown: unknown) => fatalReport(thrown, startedAt));
  const unkept = await keepReport(context, report);
  return { report, ...(unkept ? { unkept } : {}) };
}

async function resultOf(context: Context, { report, unkept }: ReportedRun): Promise<Result> {
  const verdicts = checkFaults(report, has(context.given, 'strict'));
  const fault = strongestFault([...verdicts, ...(unkept ? [unkept] : [])]);
  const exit: ExitCode = exitCodeOf(fault);
  if (unkept && fault !== unkept) context.print(`${unkept.message}`);
  const includesFault =
    fault !== undefined && (context.format === 'json' || fault === unkept || report.fatal !== undefined);
  return {
    exit,
    data: checkReportData(report),
    text: await resultText(context, report),
    // The text of a report includes it already.
    ...(includesFault ? { fault } : {}),
  };
}

/** Checks the keys of the manifest, once or repeatedly. */
export async function checkAction(context: Context): Promise<Result> {
  // An invalid flag is reported before anything is sent or paid.
  refuseIncompleteFlags(context);
  reportFiles(context);
  maxCost(context);
  listenAddress(context, 'callback-listen');
  const every = interval(context);
  if (every === undefined) return await resultOf(context, await proven(context));
  const { repeat } = await import('./checking/repeated.ts');
  return await repeat(context, {
    every,
    run: () => proven(context),
    resultOf: (run) => resultOf(context, run),
  });
}
