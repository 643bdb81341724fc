import { resolve } from 'node:path';
import type { CheckEvent } from '../../checks/index.ts';
import { type CheckReport, checkFaults, Fault } from '../../domain/index.ts';
import { type Gateway, watchGatewayClock } from '../../gateway/index.ts';
import { type ChosenChecks, chooseChecks, createKeyplane, type ProofRequest } from '../../library/index.ts';
import { suggestion } from '../../source/index.ts';
import { type ExitCode, exitCodeOf, strongestFault } from '../output/exit-codes.ts';
import { checkReportData } from '../output/json/check-data.ts';
import { printable, quoted } from '../output/layout/printable.ts';
import { wordedChecks } from '../output/remedies.ts';
import type { Context, Result } from '../program/command.ts';
import { has, text, texts } from '../program/option.ts';
import { withGateway } from '../session/connect.ts';
import { reportFiles } from '../session/files/report-files.ts';
import { machineOf } from '../session/io.ts';
import { refuseEmptySelection, refuseUnmatched, selectionOf } from '../session/key-filter.ts';
import { looksLikeManifest, readManifestOf } from '../session/manifest-input.ts';
import type { GatewaySettings } from '../session/settings.ts';
import { interval, listenAddress, maxCost, refuseIncompleteFlags } from './checking/options.ts';
import { openPlaces } from './checking/places.ts';
import { showChecks } from './checking/progress.ts';
import { keepReport, type ReportedRun, resultText } from './checking/report-text.ts';

/** The checks that the command line asks for. */
function proofOf({ given, arguments: select, io }: Context): ProofRequest {
  const { names = [], owners = [], labels = [] } = selectionOf(given);
  const ledger = text(given, 'ledger');
  const limit = text(given, 'max-cost');
  return {
    only: names,
    owners,
    labels,
    select,
    costly: has(given, 'costly'),
    resubmit: has(given, 'resubmit'),
    ...(ledger === undefined ? {} : { ledger: resolve(io.cwd, ledger) }),
    ...(limit === undefined ? {} : { maxCost: limit }),
  };
}

/** The word that was meant, if one is near, else all that exist. */
function didYouMean(word: string, known: readonly string[]): string {
  const near = suggestion(word, known);
  return near === undefined ? `Use one of ${known.map(quoted).join(', ')}.` : `Did you mean ${quoted(near)}?`;
}

/** A word that selects no check is a mistake: an empty run would look like success. @throws Fault `usage.invalid` */
async function refuseMeaningless(context: Context, chosen: ChosenChecks): Promise<void> {
  const { arguments: asked, given, io } = context;
  const { unknown, unmatched, selectsNothing, selected } = chosen;
  if (unknown) {
    const { word, known } = unknown;
    throw new Fault('usage.invalid', `There is no check, module, kind or class ${quoted(word)}.`, {
      hint: (await looksLikeManifest(word, io.cwd))
        ? `To use a manifest, pass -f: \`keyplane check -f ${printable(word)}\`.`
        : didYouMean(word, known),
    });
  }
  refuseUnmatched(unmatched);
  refuseEmptySelection(context, selectsNothing);
  const globs = texts(given, 'key');
  if (selected.length > 0 || (asked.length === 0 && globs.length === 0)) return;
  const keys = globs.length === 0 ? 'No key' : `No key that matches --key ${globs.join(', ')}`;
  throw new Fault('usage.invalid', `${keys} selects ${asked.length > 0 ? asked.map(quoted).join(', ') : 'a check'}.`, {
    hint: 'In the manifest, list the checks of a key in `checks`.',
  });
}

/** Rejects at a Ctrl-C while the account is being read, which is not worth waiting for. */
function endOfReading({ interruption: { signal } }: Context) {
  let over = (): void => {};
  const interrupted = new Promise<never>((_, reject) => {
    const end = (): void => reject(signal.reason);
    over = () => signal.removeEventListener('abort', end);
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
  });
  return { interrupted, over };
}

async function prove(context: Context): Promise<CheckReport> {
  const request = proofOf(context);
  const manifest = await readManifestOf(context);
  await refuseMeaningless(context, await chooseChecks(manifest, request));
  const clock = watchGatewayClock(context.io.clock);
  const work = async (gateway: Gateway, settings: GatewaySettings): Promise<CheckReport> => {
    const { io, interruption } = context;
    const places = await openPlaces(context, settings);
    const options = {
      store: gateway.store,
      clock: { now: () => new Date(clock.now() * 1000) },
      concurrency: settings.concurrency,
      signal: interruption.signal,
    };
    const keyplane = createKeyplane(options, { gateway, machine: machineOf(io) });
    const progress = showChecks(context);
    const reading = endOfReading(context);
    const onEvent = (event: CheckEvent): void => {
      if (event.kind === 'begin') reading.over();
      progress.onEvent(event);
    };
    try {
      const checking = keyplane.check(manifest, { ...request, ...places.request, onEvent });
      return wordedChecks(await Promise.race([checking, reading.interrupted]));
    } finally {
      // The account may never have been read, and the signal is that of all rounds.
      reading.over();
      progress.stop();
      await places.close();
    }
  };
  return await withGateway(context, manifest.gateway, work, clock.watch);
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
    // A text needs none of it.
    get data() {
      return checkReportData(report);
    },
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
