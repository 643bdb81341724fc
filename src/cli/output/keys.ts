import { effectiveStatus, lastUseOf, type ObservedKey, renderInstant } from '../../domain/index.ts';
import type { DeclarationLookup } from '../session/declarations.ts';
import { counted, renderMoney, renderUsd } from './layout/amount.ts';
import { renderDistance } from './layout/moment.ts';
import type { Paint } from './layout/paint.ts';
import { quoted } from './layout/printable.ts';
import { renderRows } from './layout/rows.ts';
import { renderTable, type TableColumn } from './layout/table.ts';
import { type Scale, settingRows } from './setting.ts';

/** The status that counts; when the gateway has another one stored, that too. */
function statusText(key: ObservedKey, now: number): string {
  const effective = effectiveStatus(key, now);
  return effective === key.status ? effective : `${effective} (stored: ${key.status})`;
}

const COLUMNS: readonly TableColumn[] = [
  { title: 'ID', align: 'right' },
  { title: 'NAME', shrinks: true },
  { title: 'STATUS' },
  { title: 'GROUP', shrinks: true },
  { title: 'REMAINING', align: 'right' },
  { title: 'USED', align: 'right' },
  { title: 'EXPIRES' },
  { title: 'MANAGED' },
  { title: 'OWNER', shrinks: true },
  { title: 'LAST USED' },
];

/** `3 days ago`, `never`, or `unknown` where the gateway does not report it. */
function lastUseText(key: ObservedKey, now: number): string {
  const last = lastUseOf(key);
  return typeof last === 'number' ? renderDistance(last, now) : last;
}

const lastUseLine = (key: ObservedKey, now: number): string => {
  const last = lastUseOf(key);
  return typeof last === 'number' ? `${renderInstant(last)} (${renderDistance(last, now)})` : last;
};

const quotedOr = (name: string | undefined): string => (name === undefined ? '-' : quoted(name));

/** Keys as a table, by name, with the status that counts; unknown values are a dash. */
export function renderKeys(
  keys: readonly ObservedKey[],
  scale: Scale & { readonly declarations: DeclarationLookup },
  width: number,
): string {
  const { quotaPerUnit, now, declarations } = scale;
  const rows = keys.map((key) => [
    String(key.id),
    quoted(key.name),
    effectiveStatus(key, now),
    key.group === '' ? '-' : quoted(key.group),
    key.unlimited ? 'unlimited' : renderUsd(key.remain, quotaPerUnit),
    key.used === undefined ? '-' : renderUsd(key.used, quotaPerUnit),
    key.expires === null ? 'never' : renderDistance(key.expires, now),
    declarations.of(key) ? 'yes' : 'no',
    quotedOr(declarations.metadataOf(key.name)?.owner),
    lastUseText(key, now),
  ]);
  const odd = keys.filter((key) => key.odd).map((key) => `${quoted(key.name)} (id ${key.id}) has ${oddText(key)}`);
  return [`${renderTable(COLUMNS, rows, width)}\n\n${counted(keys.length, 'key')}`, ...odd].join('\n');
}

/** The stored values of which the table shows the nearest that Keyplane can work with. */
const oddText = ({ odd = [] }: ObservedKey): string => odd.map(({ field, stored }) => `${field} ${stored}`).join(', ');

/** One key with all its settings. */
export function renderKey(key: ObservedKey, scale: Scale, look: { paint: Paint; width: number; mask: string }): string {
  const { paint, width, mask } = look;
  const { quotaPerUnit, now } = scale;
  const rows = [
    { label: 'status', value: statusText(key, now) },
    ...settingRows(key, scale),
    { label: 'used', value: key.used === undefined ? 'unknown' : renderMoney(key.used, quotaPerUnit) },
    { label: 'last used', value: lastUseLine(key, now) },
    { label: 'created', value: key.createdAt === undefined ? 'unknown' : renderInstant(key.createdAt) },
    { label: 'key', value: mask },
    ...(key.odd ? [{ label: 'odd values', value: oddText(key) }] : []),
  ];
  return [paint.strong(`${quoted(key.name)} (id ${key.id})`), ...renderRows(rows, paint, width)].join('\n');
}
