import {
  type Change,
  isPending,
  type Plan,
  type PlanNote,
  renderInstant,
  type UnixSeconds,
  type Verb,
} from '../../domain/index.ts';
import { counted, renderUnits } from './layout/amount.ts';
import { hang, widthOf, wrap } from './layout/columns.ts';
import type { Paint } from './layout/paint.ts';
import { renderLine } from './layout/place.ts';
import { printable, quoted } from './layout/printable.ts';
import { type Row, renderRows } from './layout/rows.ts';
import { editRows, newKeyRows, type Scale } from './setting.ts';
import { PLAN_WORDING, REASONS, SYMBOLS, type Wording } from './wording.ts';

export interface PlanStyle {
  readonly paint: Paint;
  readonly width: number;
  readonly wording?: Wording;
}

const COLOURS: Readonly<Record<Verb, (paint: Paint) => (text: string) => string>> = {
  create: (p) => p.good,
  rename: (p) => p.change,
  update: (p) => p.change,
  enable: (p) => p.change,
  disable: (p) => p.change,
  delete: (p) => p.bad,
  keep: (p) => p.faint,
  retain: (p) => p.faint,
};

const LONGEST_VERB = 8;

/** `create   prod-checkout`, or `rename   checkout → prod-checkout (id 3)`; what a line about a change begins with. */
export function changeTitle(change: Change, wording: Wording = PLAN_WORDING): string {
  const verb = wording.verbs[change.verb].padEnd(LONGEST_VERB);
  if (change.verb === 'create') return `${verb} ${quoted(change.name)}`;
  const name = change.verb === 'rename' ? `${quoted(change.from)} → ${quoted(change.name)}` : quoted(change.name);
  return `${verb} ${name} (id ${change.id})`;
}

/** The rows of a change, field by field. */
export function changeRows(change: Change, scale: Scale): readonly Row[] {
  if (change.verb === 'create') return newKeyRows(change.settings, change.enabled, scale);
  if (change.verb === 'update') return editRows(change.edits, change.before, scale);
  if (change.verb === 'rename') {
    const others = change.edits.filter((edit) => edit.field !== 'name');
    return editRows(others, change.before, scale);
  }
  if ('reason' in change && REASONS[change.reason] !== '') return [{ label: 'because', value: REASONS[change.reason] }];
  return [];
}

/** One change: its title with the place of its declaration, and a row for each field. */
function renderChange(change: Change, scale: Scale, look: PlanStyle): string {
  const { paint, width, wording } = look;
  const title = `${SYMBOLS[change.verb]} ${changeTitle(change, wording)}`;
  const head = paint.strong(COLOURS[change.verb](paint)(title));
  const place = change.place && renderLine(change.place);
  const rows = renderRows(changeRows(change, scale), paint, width);
  if (!place) return [head, ...rows].join('\n');
  const gap = width - widthOf(title) - widthOf(place);
  if (gap >= 2) return [head + ' '.repeat(gap) + paint.faint(place), ...rows].join('\n');
  return [head, `    ${paint.faint(place)}`, ...rows].join('\n');
}

const ORDER: readonly Verb[] = ['create', 'rename', 'update', 'enable', 'disable', 'delete', 'retain', 'keep'];

/** The number of changes of each verb, including zeros. */
export function countVerbs(plan: Pick<Plan, 'changes'>): Readonly<Record<Verb, number>> {
  const counts = Object.fromEntries(ORDER.map((verb) => [verb, 0])) as Record<Verb, number>;
  for (const { verb } of plan.changes) counts[verb] += 1;
  return counts;
}

/** `Plan: 2 to create, 1 to delete, 12 unchanged. 3 keys outside the scope.` */
export function renderSummary(plan: Pick<Plan, 'changes' | 'invisible'>, wording: Wording = PLAN_WORDING): string {
  const counts = countVerbs(plan);
  const parts = ORDER.filter((verb) => counts[verb] > 0).map(
    (verb) => `${renderUnits(counts[verb])} ${wording.counts[verb][counts[verb] === 1 ? 0 : 1]}`,
  );
  const pending = plan.changes.some(isPending);
  const summary = [...(pending ? [] : [wording.nothing]), ...parts].join(', ');
  const outside = plan.invisible > 0 ? ` ${counted(plan.invisible, 'key')} outside the scope.` : '';
  return `${wording.title}: ${summary}.${outside}`;
}

function renderNote({ data, message }: PlanNote, width: number): readonly string[] {
  const subject = data === undefined ? '' : `${quoted(data.name)}: `;
  return hang('  - ', subject + printable(message), width);
}

/** The account and the time of a plan. */
function renderHead(plan: Plan, now: UnixSeconds, wording: Wording): string {
  const made = plan.at === now ? '' : `, made ${renderInstant(plan.at)}`;
  return `${wording.title} for ${printable(plan.account.url)}, user ${plan.account.userId}${made}`;
}

/**
 * A plan for people: every change with its fields before and after, the notes, and a summary. Keys without change are
 * only counted. What came from the gateway is made harmless for a terminal.
 */
export function renderPlan(plan: Plan, now: UnixSeconds, look: PlanStyle): string {
  const { width, paint, wording = PLAN_WORDING } = look;
  const scale = { quotaPerUnit: plan.quotaPerUnit, now };
  const shown = plan.changes.filter((change) => change.verb !== 'keep');
  const blocks = [paint.faint(renderHead(plan, now, wording))];
  blocks.push(...shown.map((change) => renderChange(change, scale, look)));
  if (plan.notes.length > 0) {
    blocks.push(['Notes', ...plan.notes.flatMap((note) => renderNote(note, width))].join('\n'));
  }
  const summary = wrap(renderSummary(plan, wording), width).map(paint.strong).join('\n');
  return [...blocks, summary].join('\n\n');
}
