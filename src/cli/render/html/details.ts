import { type CheckReport, type CheckResult, type Exchange, quota } from '../../../domain/index.ts';
import type { History } from '../../history.ts';
import type { Thumbnails } from '../../thumbnails.ts';
import { renderUsd } from '../amount.ts';
import { LOOKS, lookOf } from '../checks/signs.ts';
import { renderTime } from '../checks/summary.ts';
import { renderExhibit } from './exhibit.ts';
import { html, type Markup } from './markup.ts';
import type { Anchors } from './matrix.ts';
import { renderPast } from './past.ts';

/** What the details of a report need beside it. */
export interface Surroundings {
  readonly report: CheckReport;
  readonly thumbnails: Thumbnails;
  readonly anchors: Anchors;
  readonly history?: History | undefined;
}

const row = (name: string, value: string | undefined): Markup =>
  value === undefined ? html`` : html`<dt>${name}</dt><dd>${value}</dd>`;

const cost = (units: number | undefined, { quotaPerUnit }: CheckReport): string | undefined =>
  units === undefined ? undefined : quotaPerUnit ? renderUsd(quota(units), quotaPerUnit) : `${units} units`;

function facts(result: CheckResult, report: CheckReport): Markup {
  const { module, model, attempts, durationMs, firstByteMs, startedAt, code, taskId, cost: spent } = result;
  return html`<dl>
${row('module', module)}${row('model', model)}
${row('attempts', String(attempts))}
${row('began', startedAt === undefined ? undefined : new Date(startedAt).toISOString().slice(0, 19).replace('T', ' '))}
${row('took', durationMs === undefined ? undefined : renderTime(durationMs))}
${row('first byte', firstByteMs === undefined ? undefined : renderTime(firstByteMs))}
${row('cost, reckoned', cost(spent.estimated, report))}${row('cost, charged', cost(spent.charged, report))}
${row('task', taskId)}${row('code', code)}
</dl>`;
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
  return html`<details><summary>${head}</summary><div class="inside">
<p class="faint">request</p><pre tabindex="0" aria-label="Request of ${title}">${pretty(request)}</pre>
<p class="faint">answer</p><pre tabindex="0" aria-label="Answer to ${title}">${pretty(answer)}</pre>
</div></details>`;
}

/** Everything that is known of one result. What did not pass stands open. */
export function renderDetails(result: CheckResult, around: Surroundings): Markup {
  const { report, thumbnails, anchors, history } = around;
  const look = lookOf(result);
  const { sign, word } = LOOKS[look];
  const { key, check, reason, hint, exhibits, exchanges } = result;
  const isOpen = look === 'failed' || look === 'unprovable';
  return html`<details${isOpen ? html` open` : ''}>
<summary><span class="badge ${look}"><span class="sign" aria-hidden="true">${sign}</span>${word}</span> <strong>${key}</strong> ${check}</summary>
<div class="inside" id="${anchors.get(result)}">
${reason === undefined ? '' : html`<p class="wrap">${reason}</p>`}
${hint === undefined ? '' : html`<p class="wrap faint">${hint}</p>`}
${facts(result, report)}
${findingsOf(result)}
${exhibits.length === 0 ? '' : html`<div class="exhibits">${exhibits.map((exhibit) => renderExhibit(exhibit, thumbnails.get(exhibit)))}</div>`}
${renderPast(history, result)}
${exchanges.map(renderExchange)}
</div>
</details>
`;
}
