import type { CheckReport, CheckResult } from '../../../domain/index.ts';
import { hang, widthOf } from '../layout/columns.ts';
import type { Paint, TextStyle } from '../layout/paint.ts';
import { printable } from '../layout/printable.ts';
import { hintOf } from '../remedies.ts';
import { groupsOf, type ResultGroup, renderNames } from './groups.ts';
import { renderMatrix } from './matrix.ts';
import { brokenClaims, reasonOf, requestIds } from './plain-words.ts';
import { MARKS, type MarkName, markOf } from './signs.ts';
import { renderCost, renderCounts, renderEarlyEnd, renderTime } from './summary.ts';

const INDENT = '    ';
/** The width of a head that leaves too little room for names on the same line. */
const WIDEST_HEAD = 32;
const MOST_REQUESTS = 6;

/** The head of a group: `✗ pong  prod-a, prod-b`. */
function headLines({ results, rows }: ResultGroup, { paint, width }: TextStyle): readonly string[] {
  const { sign, colour } = MARKS[markOf(results[0])];
  return rows.flatMap(({ checks, keys }) => {
    const head = `${paint[colour](sign)} ${renderNames(checks)}  `;
    if (widthOf(head) <= WIDEST_HEAD) return hang(head, renderNames(keys), width);
    return hang(`${paint[colour](sign)} `, `${renderNames(checks)}  ${renderNames(keys)}`, width);
  });
}

/** Under which ids the gateway knows what failed. */
function requestLines({ results }: ResultGroup, width: number): readonly string[] {
  const asked = results.filter((result) => result.verdict === 'failed' && requestIds(result).length > 0);
  const lines = asked.slice(0, MOST_REQUESTS).flatMap((result) => {
    const whose = results.length > 1 ? ` (${printable(result.check)} of ${printable(result.key)})` : '';
    return hang(`${INDENT}request `, `${requestIds(result).join(' ')}${whose}`, width);
  });
  const more = asked.length - MOST_REQUESTS;
  return more > 0 ? [...lines, `${INDENT}and requests of ${more} more`] : lines;
}

/** Tasks are named one by one: each was paid for. */
const taskLines = ({ results }: ResultGroup, width: number): readonly string[] =>
  results.flatMap(({ taskId }) => (taskId === undefined ? [] : hang(`${INDENT}task `, printable(taskId), width)));

function renderGroup(group: ResultGroup, page: TextStyle): string {
  const { width } = page;
  const [first] = group.results;
  const reason = reasonOf(first);
  return [
    ...headLines(group, page),
    ...(reason === '' ? [] : hang(INDENT, reason, width)),
    ...brokenClaims(first).flatMap((claim) => hang(`${INDENT}- `, claim, width)),
    ...(first.hint === undefined ? [] : hang(`${INDENT}hint: `, printable(first.hint), width)),
    ...(markOf(first) === 'flaky' ? [] : taskLines(group, width)),
    ...requestLines(group, width),
  ].join('\n');
}

function renderLegend({ results }: CheckReport, paint: Paint): string {
  const seen = new Set(results.map(markOf));
  const names = (Object.keys(MARKS) as MarkName[]).filter((name) => seen.has(name));
  return paint.faint(names.map((name) => `${MARKS[name].sign} ${MARKS[name].word}`).join('   '));
}

/** The reason why the run ended early comes first. */
function renderEarly(report: CheckReport, { paint, width }: TextStyle): string {
  const early = renderEarlyEnd(report);
  if (early === undefined) return '';
  const advice = report.fatal && hintOf(report.fatal);
  const hint = advice === undefined ? [] : hang('hint: ', printable(advice), width);
  return [...hang('', printable(early), width).map(paint.bad), ...hint].join('\n');
}

/** The marks that are explained, most important first. Passed needs no explanation. */
const REPORTED: readonly MarkName[] = ['failed', 'unprovable', 'flaky', 'skipped'];

/** The report of a run of checks: a matrix of keys and checks, the reasons of all that did not simply pass, and the counts. */
export function renderChecks(report: CheckReport, page: TextStyle): string {
  const { paint, width } = page;
  const { results } = report;
  const of = (name: MarkName): readonly CheckResult[] => results.filter((result) => markOf(result) === name);
  const summary = `Checks: ${renderCounts(report)}. ${renderTime(report.durationMs)}, ${renderCost(report)}.`;
  const blocks = [
    renderEarly(report, page),
    results.length > 0 ? renderMatrix(report, page) : '',
    results.length > 0 ? renderLegend(report, paint) : '',
    ...REPORTED.flatMap((name) => groupsOf(of(name)).map((group) => renderGroup(group, page))),
    hang('', summary, width).map(paint.strong).join('\n'),
  ];
  return blocks.filter((block) => block !== '').join('\n\n');
}
