import type { Diagnostic, Fault } from '../../../domain/index.ts';
import { literal } from '../checks/markdown.ts';
import { MOST_SHOWN, renderDiagnostics } from '../diagnostics.ts';
import { renderFault } from '../fault.ts';
import { counted } from '../layout/amount.ts';
import { PLAIN } from '../layout/paint.ts';
import { renderPlace } from '../layout/place.ts';
import { hintOf } from '../remedies.ts';
import { REPORT_WIDTH, type ReportFormat } from '../report-format.ts';
import { renderPoints } from '../tap-lines.ts';

/** A run that ended without a result. */
export interface FailedRun {
  /** `keyplane drift` */
  readonly command: string;
  readonly fault: Fault;
  readonly diagnostics: readonly Diagnostic[];
  /** Unix seconds. */
  readonly at: number;
}

/** One of the reasons why there is no result. */
export interface Failure {
  readonly name: string;
  readonly code: string;
  readonly message: string;
  /** More about it. */
  readonly lines: readonly string[];
}

const failureOf = (command: string, diagnostic: Diagnostic): Failure => {
  const { code, message, place, found, expected } = diagnostic;
  const more = { found, expected, hint: hintOf(diagnostic) };
  const lines = Object.entries(more).flatMap(([name, text]) => (text === undefined ? [] : [`${name}: ${text}`]));
  return { name: place ? renderPlace(place) : command, code, message, lines };
};

/** The errors of the manifest, or the fault where there are none. Warnings end no run. */
export function failuresOf({ command, fault, diagnostics }: FailedRun): readonly Failure[] {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const failures = errors.slice(0, MOST_SHOWN).map((error) => failureOf(command, error));
  if (errors.length > MOST_SHOWN) {
    const left = `and ${counted(errors.length - MOST_SHOWN, 'more error')}`;
    return [...failures, { name: command, code: fault.code, message: left, lines: [] }];
  }
  if (failures.length > 0) return failures;
  const [message = '', ...lines] = fault.message.split('\n');
  const hint = hintOf(fault);
  return [{ name: command, code: fault.code, message, lines: hint === undefined ? lines : [...lines, hint] }];
}

export const failureTitle = ({ command }: FailedRun): string => `${command} failed`;

function renderMarkdown(run: FailedRun): string {
  const items = failuresOf(run).map(
    ({ name, message, lines }) => `- **${literal(name)}**: ${[message, ...lines].map(literal).join('<br>')}`,
  );
  return `## ${literal(failureTitle(run))}\n\n${items.join('\n')}\n`;
}

const renderTap = (run: FailedRun): string =>
  renderPoints(
    failuresOf(run).map(({ name, message, lines }) => ({ ok: false, name, details: { message, fields: lines } })),
    { nothing: '' },
  );

const renderText = ({ fault, diagnostics }: FailedRun): string => {
  const frames = renderDiagnostics({ diagnostics, sources: new Map() }, { paint: PLAIN, width: REPORT_WIDTH });
  return `${[frames, renderFault(fault, PLAIN, REPORT_WIDTH)].filter((block) => block !== '').join('\n\n')}\n`;
};

async function renderJunit(run: FailedRun): Promise<string> {
  const { renderSuites } = await import('../junit-suites.ts');
  const cases = failuresOf(run).map(({ name, code, message, lines }) => ({
    classname: run.command,
    name,
    ms: 0,
    ending: { as: 'error' as const, message, type: code, lines },
  }));
  return renderSuites([{ name: failureTitle(run), startedAt: run.at * 1000, cases, properties: {}, remarks: [] }]);
}

/** The report of a run that ended without a result: a pipeline that shows reports would show nothing, or an earlier one. */
export async function renderFailure(run: FailedRun, format: ReportFormat): Promise<string> {
  switch (format) {
    case 'markdown':
      return renderMarkdown(run);
    case 'junit':
      return await renderJunit(run);
    case 'tap':
      return renderTap(run);
    case 'html':
      return (await import('../html/failure.ts')).renderFailureHtml(run);
    case 'text':
      return renderText(run);
  }
}
