import {
  type Change,
  declaredName,
  isPolicyChange,
  type KeyPolicy,
  type Plan,
  type PlanNote,
  renderInstant,
  SETTINGS,
  type UnixSeconds,
  type Verb,
} from '../../domain/index.ts';
import { renderDeliveries } from './deliveries.ts';
import { heldRows } from './held.ts';
import { hang, widthOf, wrap } from './layout/columns.ts';
import type { Paint } from './layout/paint.ts';
import { renderLine } from './layout/place.ts';
import { printable, quoted } from './layout/printable.ts';
import { type Row, renderRows } from './layout/rows.ts';
import { metadataRows } from './metadata.ts';
import { exposureLine, newPolicyRows, policyRows } from './policy.ts';
import { wordedNote } from './remedies.ts';
import { editRows, newKeyRows, type Scale } from './setting.ts';
import { renderSummary } from './summary.ts';
import { PLAN_WORDING, REASONS, SYMBOLS, type Wording } from './wording.ts';

export interface PlanStyle {
  readonly paint: Paint;
  readonly width: number;
  readonly wording?: Wording;
}

/** The facts that the texts of a plan depend on. */
export interface PlanScale extends Scale {
  readonly edits: Wording['edits'];
  readonly guidance: Wording['guidance'];
  readonly policyOf: (change: Change) => KeyPolicy | undefined;
  /** Did the budget policy of a key change? */
  readonly hasNewPolicies: boolean;
}

const COLOURS: Readonly<Record<Verb, (paint: Paint) => (text: string) => string>> = {
  create: (p) => p.good,
  rename: (p) => p.change,
  update: (p) => p.change,
  hold: (p) => p.bad,
  enable: (p) => p.change,
  disable: (p) => p.change,
  delete: (p) => p.bad,
  keep: (p) => p.faint,
  retain: (p) => p.faint,
};

const LONGEST_VERB = 8;

const inParentheses = (...parts: readonly (string | undefined)[]): string => {
  const texts = parts.filter((part) => part !== undefined);
  return texts.length === 0 ? '' : ` (${texts.join(', ')})`;
};

/** The name of a generation at the gateway, which differs from that of its key but for the first one. */
const generationOf = ({ of, name }: Change): string | undefined => {
  if (of === undefined) return undefined;
  return of === name ? 'first generation' : `generation ${quoted(name)}`;
};

/** `prod-checkout`, or `checkout → prod-checkout (id 3)`: the key of a change. */
export function changeSubject(change: Change, wording: Wording): string {
  const own = quoted(declaredName(change));
  if (change.verb === 'create') return `${own}${inParentheses(generationOf(change))}`;
  const [from, to] = [change.verb === 'rename' ? quoted(change.from) : '', quoted(change.name)];
  const renamed = wording.edits === 'sides' ? `${to}, live ${from}` : `${from} → ${to}`;
  if (change.verb === 'rename') return `${renamed} (id ${change.id})`;
  return `${own}${inParentheses(generationOf(change), `id ${change.id}`)}`;
}

/** `create   prod-checkout`: the beginning of a line about a change. */
export const changeTitle = (change: Change, wording: Wording = PLAN_WORDING): string =>
  `${wording.verbs[change.verb].padEnd(LONGEST_VERB)} ${changeSubject(change, wording)}`;

/** The scale of a plan, with the policy of each key at the first of its changes. */
export function planScale(plan: Plan, now: UnixSeconds, wording: Wording): PlanScale {
  const { edits, guidance } = wording;
  const { quotaPerUnit } = plan;
  let firsts: ReadonlyMap<Change, KeyPolicy> | undefined;
  const policyOf = (change: Change): KeyPolicy | undefined => {
    firsts ??= wording.policies ? firstPolicies(plan) : new Map();
    return firsts.get(change);
  };
  const hasNewPolicies = wording.policies && plan.policies.some((policy) => isPolicyChange(policy, quotaPerUnit));
  return { quotaPerUnit, now, edits, guidance, policyOf, hasNewPolicies };
}

function firstPolicies({ policies, changes }: Plan): ReadonlyMap<Change, KeyPolicy> {
  const left = new Map(policies.map((policy) => [policy.id ?? policy.name, policy]));
  const firsts = new Map<Change, KeyPolicy>();
  for (const change of changes) {
    const key = 'id' in change ? change.id : change.name;
    const policy = left.get(key);
    if (policy) firsts.set(change, policy);
    left.delete(key);
  }
  return firsts;
}

/** Is the change worth a line? Keys without a change are only counted, unless their policy changed. */
export function isReported(change: Change, { policyOf, quotaPerUnit, hasNewPolicies }: PlanScale): boolean {
  if (change.verb !== 'keep') return true;
  const policy = hasNewPolicies ? policyOf(change) : undefined;
  return policy !== undefined && isPolicyChange(policy, quotaPerUnit);
}

/** The rows of a change, field by field, and the budget policy of its key. */
export const changeRows = (change: Change, scale: PlanScale): readonly Row[] => [
  ...settingRowsOf(change, scale),
  ...metadataRows(change.metadata),
];

function settingRowsOf(change: Change, scale: PlanScale): readonly Row[] {
  const policy = scale.policyOf(change);
  const rows = scale.edits === 'sides' ? fieldRows(change, scale).map(asSides) : fieldRows(change, scale);
  if (!policy) return rows;
  if (change.verb !== 'create') return [...rows, ...policyRows(policy, change, scale.quotaPerUnit)];
  const own = newPolicyRows(policy, scale.quotaPerUnit);
  const { label } = SETTINGS.remain;
  return own.length === 0 ? rows : rows.flatMap((row) => (row.label === label ? own : [row]));
}

/** An edit as the two sides that differ: an arrow reads as a change that somebody made. */
function asSides(row: Row): Row {
  if ('value' in row) return row;
  const { label } = row;
  if ('before' in row) return { label, value: `declared ${row.after}, live ${row.before}` };
  const parts = [
    ...(row.added.length > 0 ? [`only declared: ${row.added.join(', ')}`] : []),
    ...(row.removed.length > 0 ? [`only live: ${row.removed.join(', ')}`] : []),
  ];
  return { label, value: parts.join('; ') };
}

function fieldRows(change: Change, scale: PlanScale): readonly Row[] {
  if (change.verb === 'create') return newKeyRows(change.settings, change.enabled, scale);
  if (change.verb === 'update') return editRows(change.edits, change.before, scale);
  if (change.verb === 'rename') {
    const others = change.edits.filter((edit) => edit.field !== 'name');
    return editRows(others, change.before, scale);
  }
  if (change.verb === 'hold') return heldRows(change, scale.guidance);
  const why = 'reason' in change ? REASONS[change.reason] : '';
  return [...(why === '' ? [] : [{ label: 'because', value: why }]), ...quarantineRows(change)];
}

const dayText = (at: UnixSeconds): string => renderInstant(at).slice(0, 10);

/** `quarantine   until 2026-12-10`, and since when. */
function quarantineRows(change: Change): readonly Row[] {
  const { since, until } = ('quarantine' in change && change.quarantine) || {};
  if (until === undefined) return [];
  if (since === undefined) return [{ label: 'quarantine', value: `until ${dayText(until)}, then deleted` }];
  const value =
    change.verb === 'delete' ? `since ${dayText(since)}` : `since ${dayText(since)}, until ${dayText(until)}`;
  return [{ label: 'quarantine', value }];
}

/** One change: its title with the place of its declaration, and a row for each field. */
function renderChange(change: Change, scale: PlanScale, look: PlanStyle): string {
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

function renderNote(note: PlanNote, { width, wording = PLAN_WORDING }: PlanStyle): readonly string[] {
  const subject = note.data === undefined ? '' : `${quoted(note.data.name)}: `;
  return hang('  - ', subject + printable(wordedNote(note, wording.guidance)), width);
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
  const scale = planScale(plan, now, wording);
  const shown = plan.changes.filter((change) => isReported(change, scale));
  const exposure = exposureLine(plan, wording);
  const blocks = exposure === undefined ? [] : [wrap(exposure, width).map(paint.strong).join('\n')];
  blocks.push(paint.faint(renderHead(plan, now, wording)));
  blocks.push(...shown.map((change) => renderChange(change, scale, look)));
  const deliveries = renderDeliveries(plan.deliveries ?? [], { paint, width, edits: wording.edits });
  if (deliveries !== '') blocks.push(deliveries);
  if (plan.notes.length > 0) {
    blocks.push(['Notes', ...plan.notes.flatMap((note) => renderNote(note, look))].join('\n'));
  }
  const summary = wrap(renderSummary(plan, wording), width).map(paint.strong).join('\n');
  return [...blocks, summary].join('\n\n');
}
