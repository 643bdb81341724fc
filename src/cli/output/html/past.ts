import type { CheckResult } from '../../../domain/index.ts';
import type { History, PastResult } from '../../session/files/history.ts';
import { MARKS, type MarkName } from '../checks/signs.ts';
import { renderTime } from '../checks/summary.ts';
import { html, type Markup } from './markup.ts';

interface PastMoment extends PastResult {
  readonly at: number;
}

const markOf = ({ verdict, attempts }: PastResult): MarkName =>
  verdict === 'passed' && attempts > 1 ? 'flaky' : verdict;

const day = (at: number): string => new Date(at).toISOString().slice(0, 16).replace('T', ' ');

function momentsOf({ runs }: History, { key, check }: CheckResult): readonly PastMoment[] {
  return runs.flatMap(({ startedAt, results }) =>
    results.flatMap((result) => (result.key === key && result.check === check ? [{ ...result, at: startedAt }] : [])),
  );
}

const WIDTH = 144;
const HEIGHT = 24;

/** The duration, run by run; empty where there is no line to draw. */
function sparkline(moments: readonly PastMoment[]): Markup | undefined {
  const times = moments.flatMap(({ durationMs }) => (durationMs === undefined ? [] : [durationMs]));
  const most = Math.max(...times, 1);
  if (times.length < 2) return undefined;
  const points = times.map((ms, index) => {
    const x = (index / (times.length - 1)) * (WIDTH - 4) + 2;
    const y = HEIGHT - 2 - (ms / most) * (HEIGHT - 4);
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  });
  const label = `Latency of the last ${times.length} runs: from ${renderTime(Math.min(...times))} to ${renderTime(most)}`;
  return html`<svg class="spark" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${label}"><polyline points="${points.join(' ')}"/></svg>`;
}

const MOST_SIGNS = 20;

/** The results of a check in earlier runs, the newest last. */
export function renderPast(history: History | undefined, result: CheckResult): Markup | undefined {
  const moments = history === undefined ? [] : momentsOf(history, result);
  if (moments.length === 0) return undefined;
  const signs = moments.slice(-MOST_SIGNS).map((moment) => {
    const { sign, word } = MARKS[markOf(moment)];
    return html`<span class="badge ${markOf(moment)}" title="${day(moment.at)} ${word}" role="img" aria-label="${day(moment.at)} ${word}">${sign}</span> `;
  });
  const [first, last] = [moments.at(-signs.length), moments.at(-1)];
  const span = first && last ? `${day(first.at)} to ${day(last.at)}` : '';
  return html`<p class="past"><span class="faint">Earlier runs, ${span}:</span> <span class="runs">${signs}</span> ${sparkline(moments)}</p>`;
}
