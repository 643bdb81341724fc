import type { CheckReport, CheckResult } from '../../../domain/index.ts';
import { hang, widthOf } from '../layout/columns.ts';
import type { Paint } from '../layout/paint.ts';
import { printable } from '../layout/printable.ts';
import { hintOf } from '../remedies.ts';
import { type Group, groupsOf, renderNames } from './groups.ts';
import { renderMatrix } from './matrix.ts';
import { brokenClaims, reasonOf, requestIds } from './plain-words.ts';
import { LOOKS, type LookName, lookOf } from './signs.ts';
import { renderCost, renderCounts, renderEarlyEnd, renderTime } from './summary.ts';

interface Page {
  readonly paint: Paint;
  readonly width: number;
}

const INDENT = '    ';
/** A list of names that stands beside a wider head would be too narrow. */
const WIDEST_HEAD = 32;
const MOST_REQUESTS = 6;

/** What a group speaks of: `✗ pong  prod-a, prod-b`. */
function headLines({ results, rows }: Group, { paint, width }: Page): readonly string[] {
  const { sign, colour } = LOOKS[lookOf(results[0])];
  return rows.flatMap(({ checks, keys }) => {
    const head = `${paint[colour](sign)} ${renderNames(checks)}  `;
    if (widthOf(head) <= WIDEST_HEAD) return hang(head, renderNames(keys), width);
    return hang(`${paint[colour](sign)} `, `${renderNames(checks)}  ${renderNames(keys)}`, width);
  });
}

/** Under which ids the gateway knows what failed. */
function requestLines({ results }: Group, width: number): readonly string[] {
  const asked = results.filter((result) => result.verdict === 'failed' && requestIds(result).length > 0);
  const lines = asked.slice(0, MOST_REQUESTS).flatMap((result) => {
    const whose = results.length > 1 ? ` (${printable(result.check)} of ${printable(result.key)})` : '';
    return hang(`${INDENT}request `, `${requestIds(result).join(' ')}${whose}`, width);
  });
  const more = asked.length - MOST_REQUESTS;
  return more > 0 ? [...lines, `${INDENT}and requests of ${more} more`] : lines;
}

/** Tasks are named one by one: each was paid for. */
const taskLines = ({ results }: Group, width: number): readonly string[] =>
  results.flatMap(({ taskId }) => (taskId === undefined ? [] : hang(`${INDENT}task `, printable(taskId), width)));

function renderGroup(group: Group, page: Page): string {
  const { width } = page;
  const [first] = group.results;
  const reason = reasonOf(first);
  return [
    ...headLines(group, page),
    ...(reason === '' ? [] : hang(INDENT, reason, width)),
    ...brokenClaims(first).flatMap((claim) => hang(`${INDENT}- `, claim, width)),
    ...(first.hint === undefined ? [] : hang(`${INDENT}hint: `, printable(first.hint), width)),
    ...(lookOf(first) === 'flaky' ? [] : taskLines(group, width)),
    ...requestLines(group, width),
  ].join('\n');
}

function renderLegend({ results }: CheckReport, paint: Paint): string {
  const seen = new Set(results.map(lookOf));
  const names = (Object.keys(LOOKS) as LookName[]).filter((name) => seen.has(name));
  return paint.faint(names.map((name) => `${LOOKS[name].sign} ${LOOKS[name].word}`).join('   '));
}

/** What ended the run before its end stands first. */
function renderEarly(report: CheckReport, { paint, width }: Page): string {
  const early = renderEarlyEnd(report);
  if (early === undefined) return '';
  const advice = report.fatal && hintOf(report.fatal);
  const hint = advice === undefined ? [] : hang('hint: ', printable(advice), width);
  return [...hang('', printable(early), width).map(paint.bad), ...hint].join('\n');
}

/** Of what was looked at, in the order in which it matters. Passed needs no words. */
const TOLD: readonly LookName[] = ['failed', 'unprovable', 'flaky', 'skipped'];

/** What a run of checks found out: a matrix of keys and checks, all that did not simply pass with its reason, the counts. */
export function renderChecks(report: CheckReport, page: Page): string {
  const { paint, width } = page;
  const { results } = report;
  const of = (name: LookName): readonly CheckResult[] => results.filter((result) => lookOf(result) === name);
  const summary = `Checks: ${renderCounts(report)}. ${renderTime(report.durationMs)}, ${renderCost(report)}.`;
  const blocks = [
    renderEarly(report, page),
    results.length > 0 ? renderMatrix(report, page) : '',
    results.length > 0 ? renderLegend(report, paint) : '',
    ...TOLD.flatMap((name) => groupsOf(of(name)).map((group) => renderGroup(group, page))),
    hang('', summary, width).map(paint.strong).join('\n'),
  ];
  return blocks.filter((block) => block !== '').join('\n\n');
}
