import { literal } from '../checks/markdown.ts';
import { renderDiagnostics } from '../diagnostics.ts';
import { renderFault } from '../fault.ts';
import { PLAIN } from '../layout/paint.ts';
import { REPORT_WIDTH, type ReportFormat } from '../report-format.ts';
import { renderPoints } from '../tap-lines.ts';
import { type FailedRun, failuresOf, failureTitle } from './failed-run.ts';

function renderMarkdown(run: FailedRun): string {
  const items = failuresOf(run).map(
    ({ name, title, lines }) => `- **${literal(name)}**: ${[title, ...lines].map(literal).join('<br>')}`,
  );
  return `## ${literal(failureTitle(run))}\n\n${items.join('\n')}\n`;
}

const renderTap = (run: FailedRun): string =>
  renderPoints(
    failuresOf(run).map(({ name, title, lines }) => ({ ok: false, name, details: { message: title, fields: lines } })),
    { nothing: '' },
  );

const renderText = ({ fault, diagnostics }: FailedRun): string => {
  const frames = renderDiagnostics({ diagnostics, sources: new Map() }, { paint: PLAIN, width: REPORT_WIDTH });
  return `${[frames, renderFault(fault, PLAIN, REPORT_WIDTH)].filter((block) => block !== '').join('\n\n')}\n`;
};

async function renderJunit(run: FailedRun): Promise<string> {
  const { renderSuites } = await import('../junit-suites.ts');
  const cases = failuresOf(run).map(({ name, type, title, lines }) => ({
    classname: run.command,
    name,
    ms: 0,
    ending: { as: 'error' as const, message: title, type, lines },
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
