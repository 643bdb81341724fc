import type { CheckReport, CheckResult, Exchange } from '../../../domain/index.ts';
import type { History } from '../../session/files/history.ts';
import { MARKS, markOf } from '../checks/signs.ts';
import { renderTime } from '../checks/summary.ts';
import { renderEstimated } from '../layout/amount.ts';
import { renderArtifact } from './artifact.ts';
import { renderCharge, renderRemaining } from './cost-chart.ts';
import { renderMoment } from './heading.ts';
import { html, type Markup } from './markup.ts';
import type { Anchors } from './matrix.ts';
import { renderPast } from './past.ts';
import { chargedTo } from './tally.ts';
import type { Thumbnails } from './thumbnails.ts';

/** The inputs of the details in addition to the report. */
export interface DetailContext {
  readonly report: CheckReport;
  readonly thumbnails: Thumbnails;
  readonly anchors: Anchors;
  readonly history: History | undefined;
}

const fact = (name: string, value: string | number | undefined): Markup | undefined =>
  value === undefined ? undefined : html`<div><dt>${name}</dt><dd>${value}</dd></div>`;

const ifKnown = (value: number | undefined, render: (value: number) => string): string | undefined =>
  value === undefined ? undefined : render(value);

function facts(result: CheckResult, report: CheckReport): Markup {
  const { module, model, schedule, attempts, durationMs, firstByteMs, startedAt, code, taskId, cost } = result;
  const money = (units: number): string => renderCharge(units, report);
  return html`<dl>${[
    fact('module', module),
    fact('model', model),
    fact('class', schedule),
    fact('attempts', attempts),
    fact('started', ifKnown(startedAt, renderMoment)),
    fact('duration', ifKnown(durationMs, renderTime)),
    fact('first byte', ifKnown(firstByteMs, renderTime)),
    fact(
      'cost, estimated',
      ifKnown(cost.estimated, (units) => renderEstimated(money(units), cost.estimateIsMaximum === true)),
    ),
    fact('cost, charged', ifKnown(cost.charged, money)),
    fact('task', taskId),
    fact('code', code),
  ]}</dl>`;
}

function findingsOf({ findings }: CheckResult): Markup | undefined {
  if (findings.length === 0) return undefined;
  const items = findings.map(({ claim, holds, found }) => {
    const note = found === undefined ? '' : ` — ${holds ? found : `found ${found}`}`;
    const [look, sign, word] = holds ? ['holds', '✓', 'holds'] : ['broken', '✗', 'does not hold'];
    return html`<li><span class="sign ${look}" role="img" aria-label="${word}">${sign}</span> ${claim}<span class="faint">${note}</span></li>\n`;
  });
  return html`<ul class="findings">${items}</ul>`;
}

const pretty = (value: unknown): string => JSON.stringify(value, null, 2) ?? 'null';

function renderExchange({ title, request, answer, status, requestId }: Exchange): Markup {
  const head = [title, status === undefined ? '' : `status ${status}`, requestId ?? ''].filter(Boolean).join(' · ');
  const side = (name: string, label: string, value: unknown): Markup =>
    html`<div><p class="faint">${name}</p><pre tabindex="0" role="group" aria-label="${label}">${pretty(value)}</pre></div>`;
  return html`<details class="exchange"><summary>${head}</summary><div class="columns inside">
${side('request', `Request of ${title}`, request)}${side('answer', `Answer to ${title}`, answer)}
</div></details>`;
}

function renderSummary(result: CheckResult, report: CheckReport): Markup {
  const look = markOf(result);
  const { check, model, durationMs, cost, attempts } = result;
  const asides = [
    look === 'flaky' ? `attempt ${attempts}` : undefined,
    ifKnown(durationMs, renderTime),
    ifKnown(cost.charged, (units) => renderCharge(units, report)),
  ].filter((aside) => aside !== undefined);
  return html`<summary><span class="badge ${look}"><span class="sign" aria-hidden="true">${MARKS[look].sign}</span>${MARKS[look].word}</span> <b class="wrap">${check}</b> <span class="faint wrap">${model}</span> <span class="aside">${asides.join(' · ')}</span></summary>`;
}

/** Everything that is known of one result. A result that did not pass is open. */
function renderDetails(result: CheckResult, around: DetailContext): Markup {
  const { report, thumbnails, anchors, history } = around;
  const look = markOf(result);
  const { reason, hint, artifacts, exchanges } = result;
  const isOpen = look === 'failed' || look === 'unprovable';
  return html`<details class="is-${look}"${isOpen ? html` open` : ''}>
${renderSummary(result, report)}
<div class="inside" id="${anchors.get(result)}">
${reason === undefined ? '' : html`<p class="reason ${look}">${reason}</p>`}
${hint === undefined ? '' : html`<p class="wrap">${hint}</p>`}
${findingsOf(result)}
${facts(result, report)}
${artifacts.length === 0 ? '' : html`<div class="artifacts">${artifacts.map((artifact) => renderArtifact(artifact, thumbnails.get(artifact)))}</div>`}
${renderPast(history, result)}
${exchanges.map(renderExchange)}
</div>
</details>
`;
}

/** All results of one key, under its name. */
export function renderKeyDetails(key: string, results: readonly CheckResult[], around: DetailContext): Markup {
  const { report } = around;
  const remaining = renderRemaining(key, report);
  const charged = chargedTo(key, report);
  const money = [
    ...(charged === undefined ? [] : [`${renderCharge(charged, report)} charged`]),
    ...(remaining === undefined ? [] : [remaining === 'unlimited' ? 'budget unlimited' : `${remaining} remains`]),
  ];
  return html`<section class="key"><h3>${key}</h3><p class="faint">${money.join(' · ')}</p>
${results.map((result) => renderDetails(result, around))}</section>
`;
}

/** Hides what passed, by style alone. Nothing to choose where nothing passed, or everything did. */
export function renderFilter({ results }: CheckReport): Markup | undefined {
  const passed = results.filter(({ verdict }) => verdict === 'passed').length;
  if (passed === 0 || passed === results.length) return undefined;
  return html`<fieldset class="filter"><legend>Show</legend>
<label><input type="radio" name="shown" checked>everything</label>
<label><input type="radio" name="shown" class="unpassed">everything but passed</label></fieldset>`;
}
