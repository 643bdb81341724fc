import type { ConformanceFinding, ConformanceReport, ConformanceVerdict } from '../../../conformance/index.ts';
import { literal } from '../checks/markdown.ts';
import { html } from '../html/markup.ts';
import { renderPage } from '../html/page.ts';
import { type JunitCase, renderSuites } from '../junit-suites.ts';
import { counted } from '../layout/amount.ts';
import { hang, padEnd } from '../layout/columns.ts';
import type { Paint } from '../layout/paint.ts';
import { printable } from '../layout/printable.ts';

/** A report with the address that was examined. */
export interface ConformancePage {
  readonly url: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly report: ConformanceReport;
}

const WORDS: Readonly<Record<ConformanceVerdict, string>> = {
  conforms: 'conforms',
  'known-deviation': 'deviates',
  'unknown-deviation': 'UNKNOWN',
  unprovable: 'unprovable',
  'engine-error': 'ERROR',
};

const COLOURS = {
  conforms: 'good',
  'known-deviation': 'change',
  'unknown-deviation': 'bad',
  unprovable: 'faint',
  'engine-error': 'bad',
} as const satisfies Readonly<Record<ConformanceVerdict, keyof Paint>>;

const PLURALS: Readonly<Record<ConformanceVerdict, string>> = {
  conforms: 'conform',
  'known-deviation': 'deviate as others do',
  'unknown-deviation': 'deviate in a way that is unknown',
  unprovable: 'could not be proven',
  'engine-error': 'ended in an error',
};

const VERDICTS: readonly ConformanceVerdict[] = [
  'conforms',
  'known-deviation',
  'unknown-deviation',
  'unprovable',
  'engine-error',
];

/** `21 conform, 3 deviate as others do, 2 could not be proven.` */
function summary(findings: readonly ConformanceFinding[]): string {
  const counts = VERDICTS.flatMap((verdict) => {
    const count = findings.filter((finding) => finding.verdict === verdict).length;
    return count === 0 ? [] : [`${count} ${PLURALS[verdict]}`];
  });
  return `${counts.join(', ')}.`;
}

const leftoverText = (names: readonly string[]): string =>
  `${counted(names.length, 'key')} of this run could not be deleted: ${names.map(printable).join(', ')}.`;

const valueText = ({ observed }: ConformanceFinding): string => (observed === undefined ? '-' : printable(observed));

const WIDTH = 12;

export function renderConformance({ report }: ConformancePage, paint: Paint, width: number): string {
  const { findings, leftovers, requests } = report;
  const lines = findings.flatMap((finding) => {
    const { verdict, title, meaning, observed } = finding;
    const head = paint[COLOURS[verdict]](padEnd(WORDS[verdict], WIDTH));
    const answer = observed === undefined ? meaning : `${valueText(finding)}: ${meaning}`;
    return [...hang(head, title, width), ...hang(' '.repeat(WIDTH), printable(answer), width).map(paint.faint)];
  });
  const rest = leftovers.length > 0 ? [paint.bad(leftoverText(leftovers))] : [];
  return [
    ...lines,
    '',
    ...rest,
    paint.strong(summary(findings)) + paint.faint(` ${counted(requests, 'request')}.`),
  ].join('\n');
}

export function renderConformanceMarkdown({ url, report }: ConformancePage): string {
  const rows = report.findings.map(
    (finding) =>
      `| ${WORDS[finding.verdict]} | ${literal(finding.title)} | ${literal(valueText(finding))} | ${literal(finding.meaning)} |`,
  );
  const left = report.leftovers.length > 0 ? [leftoverText(report.leftovers), ''] : [];
  return [
    `# Conformance of ${literal(url)}`,
    '',
    summary(report.findings),
    '',
    ...left,
    '| verdict | question | observed | meaning |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

function caseOf({ id, level, verdict, meaning, observed, ms }: ConformanceFinding): JunitCase {
  const named = { classname: `conformance.${level}`, name: id, ms };
  const message = observed === undefined ? meaning : `${observed}: ${meaning}`;
  if (verdict === 'unknown-deviation')
    return { ...named, ending: { as: 'failure', message, type: verdict, lines: [message] } };
  if (verdict === 'engine-error')
    return { ...named, ending: { as: 'error', message, type: verdict, lines: [message] } };
  if (verdict === 'unprovable') return { ...named, ending: { as: 'skipped', message, lines: [] } };
  return named;
}

export const renderConformanceJunit = ({ url, startedAt, report }: ConformancePage): string =>
  renderSuites([
    {
      name: 'conformance',
      startedAt,
      cases: report.findings.map(caseOf),
      properties: { gateway: url, level: report.level },
      remarks: report.findings
        .filter(({ verdict }) => verdict === 'known-deviation')
        .map(({ id, observed = '', meaning }) => `${id} deviates, ${observed}: ${meaning}`),
    },
  ]);

const LOOKS: Readonly<Record<ConformanceVerdict, string>> = {
  conforms: 'passed',
  'known-deviation': 'unprovable',
  'unknown-deviation': 'failed',
  unprovable: 'skipped',
  'engine-error': 'failed',
};

export function renderConformanceHtml({ url, report, startedAt }: ConformancePage): string {
  const rows = report.findings.map(
    (finding) =>
      html`<tr><td class="verb ${LOOKS[finding.verdict]}">${WORDS[finding.verdict]}</td><th scope="row">${finding.title}</th><td>${valueText(finding)}</td><td class="wrap">${finding.meaning}</td></tr>\n`,
  );
  const left = html`<p class="wrap failed" role="alert">${leftoverText(report.leftovers)}</p>`;
  const content = html`<h1>Conformance: ${summary(report.findings)}</h1>
<p class="wrap">${url}</p>
<p class="faint">${new Date(startedAt).toISOString()} · ${counted(report.requests, 'request')}</p>
${report.leftovers.length > 0 ? left : ''}
<div class="scroll" role="region" aria-label="Findings" tabindex="0"><table>
<caption>One line for each question.</caption>
<thead><tr><th scope="col">verdict</th><th scope="col">question</th><th scope="col">observed</th><th scope="col">meaning</th></tr></thead>
<tbody>${rows}</tbody></table></div>`;
  return renderPage('Conformance', content);
}

/** The report as JSON. */
export const conformanceData = ({ url, report }: ConformancePage) => ({ url, ...report });
