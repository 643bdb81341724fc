import { clip, padEnd, padStart, widthOf } from './columns.ts';

export interface TableColumn {
  readonly title: string;
  readonly align?: 'right';
  /** This column gives way first when the table is too wide. */
  readonly shrinks?: true;
}

const GAP = '  ';
const LEAST = 8;

/** Rows under titles, in columns as wide as needed; no line is wider than `width` as long as the shrinking columns allow it. */
export function renderTable(
  columns: readonly TableColumn[],
  rows: readonly (readonly string[])[],
  width: number,
): string {
  const widths = columns.map((column, i) =>
    rows.reduce((most, row) => Math.max(most, widthOf(row[i] ?? '')), widthOf(column.title)),
  );
  let excess = widths.reduce((sum, w) => sum + w, GAP.length * (columns.length - 1)) - width;
  columns.forEach((column, i) => {
    if (!column.shrinks || excess <= 0) return;
    const full = widths[i] ?? 0;
    const narrower = Math.max(Math.min(LEAST, full), full - excess);
    excess -= full - narrower;
    widths[i] = narrower;
  });
  const line = (cells: readonly string[]) =>
    columns
      .map((column, i) => {
        const cell = column.shrinks ? clip(cells[i] ?? '', widths[i] ?? 0) : (cells[i] ?? '');
        return column.align === 'right' ? padStart(cell, widths[i] ?? 0) : padEnd(cell, widths[i] ?? 0);
      })
      .join(GAP)
      .trimEnd();
  return [line(columns.map((c) => c.title)), ...rows.map(line)].join('\n');
}
