import type { CheckReport, CheckResult } from '../../../domain/index.ts';
import { hang } from '../columns.ts';
import type { Paint } from '../paint.ts';
import { printable } from '../printable.ts';
import { renderMatrix } from './matrix.ts';
import { LOOKS, type LookName, lookOf } from './signs.ts';
import { renderCost, renderCounts, renderEarlyEnd, renderTime } from './summary.ts';

interface Page {
  readonly paint: Paint;
  readonly width: number;
}

/** Results that say the same of several keys. */
interface Group {
  readonly first: CheckResult;
  readonly keys: string[];
}

/** One by one where each has its own request; together where only a reason is to be said. */
function groupsOf(results: readonly CheckResult[]): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const result of results) {
    const same = JSON.stringify([result.check, result.reason, result.hint]);
    const group = groups.get(same) ?? { first: result, keys: [] };
    groups.set(same, group);
    group.keys.push(result.key);
  }
  return [...groups.values()];
}

const MOST_KEYS = 6;

function renderKeys(keys: readonly string[]): string {
  const shown = keys.slice(0, MOST_KEYS).map(printable).join(', ');
  return keys.length > MOST_KEYS ? `${shown} and ${keys.length - MOST_KEYS} more` : shown;
}

function claimsOf({ findings }: CheckResult): readonly string[] {
  const broken = findings.filter(({ holds }) => !holds);
  // The reason tells the only one already.
  if (broken.length < 2) return [];
  return broken.map(({ claim, found }) => `${claim}${found === undefined ? '' : ` (found ${found})`}`);
}

function renderGroup({ first, keys }: Group, { paint, width }: Page): string {
  const look = LOOKS[lookOf(first)];
  const indent = '    ';
  const head = hang(`${paint[look.colour](look.sign)} ${printable(first.check)}  `, renderKeys(keys), width).join('\n');
  const ids = first.exchanges.flatMap(({ requestId }) => (requestId === undefined ? [] : [requestId]));
  const lines = [
    ...hang(indent, printable(first.reason ?? ''), width),
    ...claimsOf(first).flatMap((claim) => hang(`${indent}- `, printable(claim), width)),
    ...(first.hint === undefined ? [] : hang(`${indent}hint: `, printable(first.hint), width)),
    ...(first.taskId === undefined ? [] : [`${indent}task ${printable(first.taskId)}`]),
    ...(ids.length > 0 && first.verdict === 'failed' ? hang(`${indent}request `, printable(ids.join(' ')), width) : []),
  ];
  return [head, ...lines].join('\n');
}

/** What was not asked for needs a line for all of it, not one for each. */
function renderSkipped(results: readonly CheckResult[], { paint, width }: Page): string {
  const byReason = new Map<string, Set<string>>();
  for (const { reason = '', check } of results) byReason.set(reason, (byReason.get(reason) ?? new Set()).add(check));
  const { sign, colour } = LOOKS.skipped;
  return [...byReason]
    .flatMap(([reason, checks]) => {
      const names = [...checks].map(printable).join(', ');
      return hang(`${sign} `, `${names}: ${printable(reason)}`, width);
    })
    .map((line) => paint[colour](line))
    .join('\n');
}

function renderFlaky(results: readonly CheckResult[], { paint }: Page): string {
  const { sign, colour } = LOOKS.flaky;
  const lines = results.map(
    ({ key, check, attempts }) =>
      `${paint[colour](sign)} ${printable(check)}  ${paint.faint(printable(key))}  passed at attempt ${attempts}`,
  );
  return lines.join('\n');
}

function renderLegend({ results }: CheckReport, paint: Paint): string {
  const seen = new Set(results.map(lookOf));
  const names = (Object.keys(LOOKS) as LookName[]).filter((name) => seen.has(name));
  return paint.faint(names.map((name) => `${LOOKS[name].sign} ${LOOKS[name].word}`).join('   '));
}

/** What a run of checks found out: a matrix of keys and checks, all that did not pass with its reason, and the counts. */
export function renderChecks(report: CheckReport, page: Page): string {
  const { paint, width } = page;
  const { results } = report;
  const of = (name: LookName): readonly CheckResult[] => results.filter((result) => lookOf(result) === name);
  const early = renderEarlyEnd(report);
  const summary = `Checks: ${renderCounts(report)}. ${renderTime(report.durationMs)}, ${renderCost(report)}.`;
  const blocks = [
    early === undefined ? '' : paint.bad(hang('', printable(early), width).join('\n')),
    results.length > 0 ? renderMatrix(report, page) : '',
    results.length > 0 ? renderLegend(report, paint) : '',
    groupsOf(of('failed'))
      .map((group) => renderGroup(group, page))
      .join('\n\n'),
    groupsOf(of('unprovable'))
      .map((group) => renderGroup(group, page))
      .join('\n\n'),
    renderFlaky(of('flaky'), page),
    renderSkipped(of('skipped'), page),
    paint.strong(hang('', summary, width).join('\n')),
  ];
  return blocks.filter((block) => block !== '').join('\n\n');
}
