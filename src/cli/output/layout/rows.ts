import { padEnd, widthOf, wrap } from './columns.ts';
import type { Paint } from './paint.ts';

/** A label with its value, with both values of an edit, or with what a set edit adds and removes. */
export type Row =
  | { readonly label: string; readonly value: string }
  | { readonly label: string; readonly before: string; readonly after: string }
  | { readonly label: string; readonly added: readonly string[]; readonly removed: readonly string[] };

const LABEL = 19;
const INDENT = '    ';
const SEPARATOR = ', ';

/** Items as lines of at most `width` columns; an item is never broken. */
function itemLines(sign: string, items: readonly string[], width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const item of items) {
    const longer = line === '' ? item : line + SEPARATOR + item;
    if (line !== '' && widthOf(longer) > width - 3) {
      lines.push(`${line},`);
      line = item;
    } else line = longer;
  }
  return [...lines, line].map((text, i) => `${i === 0 ? sign : ' '} ${text}`);
}

function valueLines(row: Row, paint: Paint, width: number): readonly string[] {
  if ('value' in row) return wrap(row.value, width);
  if ('added' in row) {
    return [
      ...(row.added.length > 0 ? itemLines('+', row.added, width).map(paint.good) : []),
      ...(row.removed.length > 0 ? itemLines('-', row.removed, width).map(paint.bad) : []),
    ];
  }
  const before = paint.bad(row.before);
  const after = paint.good(row.after);
  if (widthOf(row.before) + widthOf(row.after) + 3 <= width) return [`${before} → ${after}`];
  return [
    ...wrap(row.before, width).map(paint.bad),
    ...wrap(row.after, width - 2).map((line, i) => (i === 0 ? '→ ' : '  ') + paint.good(line)),
  ];
}

/** Rows under a change: labels in one column, values in another. */
export function renderRows(rows: readonly Row[], paint: Paint, width: number): readonly string[] {
  return rows.flatMap((row) =>
    valueLines(row, paint, width - INDENT.length - LABEL).map(
      (line, i) => INDENT + paint.faint(padEnd(i === 0 ? row.label : '', LABEL)) + line,
    ),
  );
}
