import { closest } from 'fastest-levenshtein';
import { type CheckReport, checkVerdict, Fault, matchesAnyGlob } from '../../domain/index.ts';
import type { Manifest } from '../../manifest/index.ts';
import { type ExitCode, exitCodeOf } from '../output/exit-codes.ts';
import { checkReportData } from '../output/json/check-data.ts';
import { printable, quoted } from '../output/layout/printable.ts';
import type { Context, Result } from '../program/command.ts';
import { has } from '../program/option.ts';
import { withGateway } from '../session/connect.ts';
import { keyGlobs } from '../session/key-filter.ts';
import { looksLikeManifest, readManifestOf } from '../session/manifest-input.ts';
import { whileReading } from '../session/progress.ts';
import { carryOutChecks } from './checking/carry-out-checks.ts';
import { interval, listenAddress, maxCost, refuseHalfFlags } from './checking/options.ts';
import { keepReport, type Proven, preparePlaces, resultText } from './checking/report-text.ts';

/** A word that means no check is a mistake, and not an empty run that looks like success. */
async function refuseUnknown({ arguments: words, io }: Context, { checks }: Manifest): Promise<void> {
  const { SELECTION_WORDS } = await import('../../checks/index.ts');
  const known = [...checks.map(({ name }) => name), ...SELECTION_WORDS];
  const unknown = words.find((word) => !known.includes(word));
  if (unknown === undefined) return;
  throw new Fault('usage.invalid', `There is no check, module, kind or class ${quoted(unknown)}.`, {
    hint: (await looksLikeManifest(unknown, io.cwd))
      ? `A manifest is named with -f: \`keyplane check -f ${printable(unknown)}\`.`
      : `Did you mean ${quoted(closest(unknown, known))}?`,
  });
}

/** @throws Fault `usage.invalid` when somebody asked for something, and nothing is meant: that looks like success */
async function selectedFor(context: Context, { checks, selections }: Manifest) {
  const { selectChecks } = await import('../../checks/index.ts');
  const globs = keyGlobs(context, [...selections.keys()]);
  const wanted = [...selections].filter(([name]) => globs.length === 0 || matchesAnyGlob(globs, name));
  const asked = context.arguments;
  const selected = selectChecks({
    selections: new Map(wanted),
    definitions: checks,
    asked,
    costly: has(context.given, 'costly'),
  });
  if (selected.length > 0 || (asked.length === 0 && globs.length === 0)) return selected;
  const keys = globs.length === 0 ? 'No key' : `No key of --key ${globs.join(', ')}`;
  throw new Fault('usage.invalid', `${keys} selects ${asked.length > 0 ? asked.map(quoted).join(', ') : 'a check'}.`, {
    hint: 'A key selects its checks in the manifest, with `checks`.',
  });
}

/** Rejects at the first Ctrl-C: what is only read is not worth waiting for. */
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
    const [keys, quotaPerUnit] = await Promise.race([reading, ended(context)]);
    return await carryOutChecks(context, { manifest, gateway, settings, keys, quotaPerUnit, selected, cap });
  });
}

/** One run, and its report: also when nothing could run, and when Ctrl-C came before it did. */
async function proven(context: Context): Promise<Proven> {
  const { fatalReport } = await import('../../checks/index.ts');
  const startedAt = context.io.clock() * 1000;
  const announce = (): void => context.say('Interrupted.');
  const report = await context.interruption
    .finishing(() => prove(context), { announce })
    .catch((thrown: unknown) => fatalReport(thrown, startedAt));
  const unkept = await keepReport(context, report);
  return { report, ...(unkept ? { unkept } : {}) };
}

async function resultOf(context: Context, { report, unkept }: Proven): Promise<Result> {
  const verdict = checkVerdict(report, has(context.given, 'strict'));
  const fault = verdict ?? unkept;
  const exit: ExitCode = exitCodeOf(fault);
  if (verdict && unkept) context.say(`${unkept.message}`);
  const told = fault !== undefined && (context.format === 'json' || fault === unkept || report.fatal !== undefined);
  return {
    exit,
    data: checkReportData(report),
    text: await resultText(context, report),
    // The text of a report tells it already.
    ...(told ? { fault } : {}),
  };
}

/** Proves the keys of the manifest, once or again and again. */
export async function checkAction(context: Context): Promise<Result> {
  // A wrong flag is told before anything is asked, or paid.
  refuseHalfFlags(context);
  await preparePlaces(context);
  maxCost(context);
  listenAddress(context, 'callback-listen');
  const every = interval(context);
  if (every === undefined) return await resultOf(context, await proven(context));
  const { standing } = await import('./checking/standing.ts');
  return await standing(context, {
    every,
    run: () => proven(context),
    resultOf: (run) => resultOf(context, run),
  });
}
