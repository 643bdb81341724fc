import { type Fault, renderInstant } from '../../domain/index.ts';
import type { AmbiguousName } from '../../reconcile/index.ts';
import { hang, outdent } from './layout/columns.ts';
import type { Paint } from './layout/paint.ts';
import { printable, printableLines, quoted } from './layout/printable.ts';
import { renderTable, type TableColumn } from './layout/table.ts';
import { hintOf } from './remedies.ts';

/** One line of a message, whose own indentation its broken lines keep. */
function renderLine(line: string, width: number): readonly string[] {
  const [indent = ''] = /^ */.exec(line) ?? [];
  return hang(`  ${indent}`, line.slice(indent.length), width);
}

const COLUMNS: readonly TableColumn[] = [
  { title: 'NAME', shrinks: true },
  { title: 'ID', align: 'right' },
  { title: 'STATUS' },
  { title: 'GROUP', shrinks: true },
  { title: 'USED' },
  { title: 'CREATED' },
  { title: 'LAST REQUEST' },
];

const timeOf = (at: number | undefined): string => (at === undefined ? '-' : renderInstant(at));

/** The keys that share a declared name, as a table: what a person needs to choose one. */
function ambiguousRows({ detail }: Fault, width: number): readonly string[] {
  if (!Array.isArray(detail.ambiguous)) return [];
  const found: readonly AmbiguousName[] = detail.ambiguous;
  const rows = found.flatMap(({ keys }) =>
    keys.map(({ id, name, status, group, used, createdAt, accessedAt }) => [
      quoted(name),
      String(id),
      status,
      group === '' ? '-' : quoted(group),
      used === undefined ? '-' : used > 0 ? 'yes' : 'no',
      timeOf(createdAt),
      timeOf(accessedAt === createdAt ? undefined : accessedAt),
    ]),
  );
  return renderTable(COLUMNS, rows, width - 2)
    .split('\n')
    .map((line) => `  ${line}`);
}

/** `error[plan.stale]: message`, and what can be done about it. */
export function renderFault(fault: Fault, paint: Paint, width: number): string {
  const head = `${paint.bad(paint.strong('error'))}${paint.faint(`[${fault.code}]`)}: `;
  const [first = '', ...others] = printableLines(fault.message).split('\n');
  const advice = hintOf(fault);
  const hint = advice === undefined ? [] : hang('  hint: ', printable(advice), width);
  const lines = [...outdent(head + first, width), ...others.flatMap((line) => renderLine(line, width))];
  return [...lines, ...ambiguousRows(fault, width), ...hint].join('\n');
}
