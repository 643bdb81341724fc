import {
  asFault,
  blankSecrets,
  type Diagnostic,
  Fault,
  maskCredentials,
  type Secret,
  visibleJson,
} from '../../domain/index.ts';
import { renderDiagnostics } from '../output/diagnostics.ts';
import { EXIT, type ExitCode, exitCodeOf, strongestExit } from '../output/exit-codes.ts';
import { renderFault } from '../output/fault.ts';
import { envelopeOf } from '../output/json/envelope.ts';
import { type Paint, paintOf, wantsColours } from '../output/layout/paint.ts';
import { withFlags } from '../output/refusals.ts';
import { listenForInterruption } from '../session/interruption.ts';
import { type Io, nowOf, type Output } from '../session/io.ts';
import { accessTokens, knownSecrets } from '../session/settings.ts';
import { ALL_FORMATS, type Command, type Context, kindOf, type Result } from './command.ts';
import type { Request } from './command-line.ts';
import { deliver } from './deliver.ts';
import { tryReadExactly } from './exact-words.ts';
import { type GivenFlags, has, namedOutputs, text } from './option.ts';
import { TREE } from './tree.ts';

const DEFAULT_WIDTH = 80;
const WIDEST = 120;

const widthOf = (stream: Output): number =>
  // A terminal that does not know its width, such as a serial console, reports 0 columns.
  stream.isTTY ? Math.min(stream.columns || DEFAULT_WIDTH, WIDEST) : DEFAULT_WIDTH;

const paintFor = (io: Io, stream: Output, refused: boolean): Paint =>
  paintOf(wantsColours({ env: io.env, isTTY: stream.isTTY === true, refused }));

/** JSON is the format of a refusal too, even of a command line that could not be parsed. */
const askedForJson = (argv: readonly string[]): boolean =>
  argv.includes('--format=json') || argv.some((word, i) => word === '--format' && argv[i + 1] === 'json');

interface Asked {
  readonly command: Command;
  readonly arguments: readonly string[];
  readonly given: GivenFlags;
}

function contextOf(io: Io, asked: Asked, diagnostics: Diagnostic[]): Context {
  const given = text(asked.given, 'format');
  const format = ALL_FORMATS.find((each) => each === given) ?? 'text';
  const refused = has(asked.given, 'no-color');
  const paint = { out: paintFor(io, io.stdout, refused), err: paintFor(io, io.stderr, refused) };
  const width = { out: widthOf(io.stdout), err: widthOf(io.stderr) };
  const tokens = new Set<Secret>();
  const mask = (words: string): string => blankSecrets(words, tokens);
  const print = (line: string): void => {
    io.stderr.write(mask(`${line}\n`));
  };
  return {
    ...asked,
    io,
    tree: TREE,
    format,
    paint,
    width,
    print,
    tokens,
    mask,
    interruption: listenForInterruption(io),
    confirmedOrigins: new Set(),
    waits: { until: 0, show: undefined },
    now: () => nowOf(io),
    remark(remarks, where = 'shown') {
      // One by one: a manifest may have more errors than a call may have arguments.
      for (const diagnostic of remarks.diagnostics) diagnostics.push(diagnostic);
      if (where === 'shown' && format !== 'json' && remarks.diagnostics.length > 0) {
        print(`${renderDiagnostics(remarks, { paint: paint.err, width: width.err })}\n`);
      }
    },
    takeDiagnostics: () => diagnostics.splice(0),
  };
}

interface Failed extends Result {
  readonly fault: Fault;
}

/** The result of a command that threw: no data, and the fault. */
const failed = (thrown: unknown): Failed => {
  const fault = withFlags(asFault(thrown));
  return { exit: exitCodeOf(fault), data: null, text: '', fault };
};

/** Tests the outputs that are named. Most command lines name none, and start without the code for it. */
async function testOutputsOf(context: Context): Promise<void> {
  const named = namedOutputs(context.command.options, context.given);
  if (named.length === 0) return;
  const { testOutputs } = await import('../session/files/test-outputs.ts');
  await testOutputs(named, context);
}

/** Delivers the fault of a command, and reports it where reports were asked for, in files that could be opened. */
async function deliverFailure(
  context: Context,
  result: Failed,
  { diagnostics, isOpen }: { readonly diagnostics: readonly Diagnostic[]; readonly isOpen: boolean },
): Promise<void> {
  const isReported = isOpen && (context.format !== 'text' || has(context.given, 'report'));
  // Most failures are only shown.
  const report = isReported
    ? await (await import('./report-failure.ts')).reportFailure(context, result.fault, diagnostics)
    : undefined;
  await deliver(
    context,
    report === undefined ? { ...result, delivered: true } : { ...result, text: report },
    diagnostics,
  );
  writeJson(context, result, diagnostics);
}

async function runCommand(io: Io, asked: Asked): Promise<ExitCode> {
  const diagnostics: Diagnostic[] = [];
  const context = contextOf(io, asked, diagnostics);
  const { interruption } = context;
  let exit: ExitCode;
  let isOpen = false;
  try {
    for (const token of await accessTokens(io)) context.tokens.add(token);
    const action = testOutputsOf(context)
      .then(() => {
        isOpen = true;
        return asked.command.load();
      })
      .then((load) => load(context));
    // After an immediate end nobody awaits the action, so its rejection must not be unhandled.
    action.catch(() => {});
    const result = await Promise.race([action, interruption.atOnce]);
    exit = result.exit;
    const lost = await deliver(context, result, diagnostics);
    if (lost) exit = strongestExit([exit, exitCodeOf(lost)]);
  } catch (thrown) {
    const result = failed(thrown);
    exit = result.exit;
    await deliverFailure(context, result, { diagnostics, isOpen });
  } finally {
    interruption.release();
  }
  return exit;
}

/** A failure has no result for `--out`; programs still read the envelope from standard output. */
function writeJson(context: Context, result: Result, diagnostics: readonly Diagnostic[]): void {
  if (context.format !== 'json') return;
  const envelope = visibleJson(envelopeOf(kindOf(context.command), result, diagnostics));
  context.io.stdout.write(context.mask(`${envelope}\n`));
}

/** Reports a command line that cannot be parsed. Its words may be credentials, which people pass as flags. */
async function refuse(io: Io, argv: readonly string[], fault: Fault): Promise<ExitCode> {
  const secrets = await knownSecrets(io);
  const mask = (text: string): string => maskCredentials(blankSecrets(text, secrets));
  if (askedForJson(argv)) {
    io.stdout.write(mask(`${visibleJson(envelopeOf('command-line', { data: null, fault }, []))}\n`));
  }
  const shown = renderFault(fault, paintFor(io, io.stderr, argv.includes('--no-color')), widthOf(io.stderr));
  io.stderr.write(mask(`${shown}\n`));
  return exitCodeOf(fault);
}

async function parse(argv: readonly string[], width: number): Promise<Request> {
  const exact = tryReadExactly(TREE, argv);
  if (exact) return exact;
  const { parseCommandLine } = await import('./command-line.ts');
  return parseCommandLine(TREE, argv, width);
}

async function helpText(width: number): Promise<string> {
  const request = await parse(['--help'], width);
  return request.kind === 'text' ? request.text : '';
}

/**
 * Runs the command line: parses `argv` (without program and script), runs the command, and returns the exit code.
 * Never throws, never ends the process, and touches the world only through `io`.
 */
export async function run(argv: readonly string[], io: Io): Promise<ExitCode> {
  let request: Request;
  try {
    request = await parse(argv, widthOf(io.stdout));
  } catch (thrown) {
    // Who types the name alone wants to see what there is.
    if (argv.length === 0) io.stderr.write(`${await helpText(widthOf(io.stderr))}\n`);
    return await refuse(io, argv, thrown instanceof Fault ? thrown : asFault(thrown));
  }
  if (request.kind === 'command') return runCommand(io, request);
  io.stdout.write(request.text);
  return EXIT.done;
}
