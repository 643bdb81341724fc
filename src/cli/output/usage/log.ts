import { type Decimal, type Json, renderInstant, usdFromQuota } from '../../../domain/index.ts';
import type { LogRecord } from '../../../gateway/index.ts';
import { masked } from '../json/envelope.ts';
import { counted, renderUnits, renderUsd } from '../layout/amount.ts';
import { printable, quoted } from '../layout/printable.ts';
import { renderTable, type TableColumn } from '../layout/table.ts';

const COLUMNS: readonly TableColumn[] = [
  { title: 'TIME' },
  { title: 'TYPE' },
  { title: 'KEY', shrinks: true },
  { title: 'MODEL', shrinks: true },
  { title: 'TOKENS', align: 'right' },
  { title: 'COST', align: 'right' },
];

/** `120+30`: input and output. */
function tokensText({ promptTokens, completionTokens }: LogRecord): string {
  const tokens = [promptTokens, completionTokens].map((count) => (count === undefined ? '-' : renderUnits(count)));
  return tokens.every((count) => count === '-' || count === '0') ? '-' : tokens.join('+');
}

/** One entry on a line of its own, for entries that appear one after another. */
export function logLine(entry: LogRecord, quotaPerUnit: Decimal): string {
  const cost = entry.spent === 0 ? '-' : renderUsd(entry.spent, quotaPerUnit);
  const model = entry.model === undefined ? '-' : printable(entry.model);
  const key = entry.keyName === '' ? '-' : quoted(entry.keyName);
  return [renderInstant(entry.at), entry.type, key, model, tokensText(entry), cost].join('  ');
}

/** Entries of the usage log as a table, in the order given; a refund has a negative cost. */
export function renderUsageLog(entries: readonly LogRecord[], quotaPerUnit: Decimal, width: number): string {
  const rows = entries.map((entry) => [
    renderInstant(entry.at),
    String(entry.type),
    entry.keyName === '' ? '-' : quoted(entry.keyName),
    entry.model === undefined ? '-' : printable(entry.model),
    tokensText(entry),
    entry.spent === 0 ? '-' : renderUsd(entry.spent, quotaPerUnit),
  ]);
  return `${renderTable(COLUMNS, rows, width)}\n\n${counted(entries.length, 'entry', 'entries')}`;
}

/** An entry as machines read it; what the gateway does not report is null. */
export function logData(entry: LogRecord, quotaPerUnit: Decimal): Json {
  const { at, type, keyId = null, keyName, model = null, group = null, spent } = entry;
  return masked({
    at: renderInstant(at),
    type,
    key: { id: keyId, name: keyName },
    model,
    group,
    cost: { quota: spent, usd: usdFromQuota(spent, quotaPerUnit, 6) },
    promptTokens: entry.promptTokens ?? null,
    completionTokens: entry.completionTokens ?? null,
    seconds: entry.seconds ?? null,
    streamed: entry.streamed ?? null,
    path: entry.path ?? null,
    ip: entry.ip ?? null,
    requestId: entry.requestId ?? null,
    taskId: entry.taskId ?? null,
    note: entry.note ?? null,
  });
}
