import { maskCredentials } from '../../domain/index.ts';

/** A cell that a spreadsheet would run as a formula begins with one of these. */
const FORMULA = /^[\s]*[=+\-@\t\r|%]/;

/** A number is a number, also a negative one: only texts can be formulas. */
export type CsvCell = string | number | bigint | null | { readonly digits: string };

function cellText(cell: CsvCell): string {
  if (cell === null) return '';
  if (typeof cell === 'object') return cell.digits;
  if (typeof cell !== 'string') return String(cell);
  const text = maskCredentials(cell);
  return FORMULA.test(text) ? `'${text}` : text;
}

const quotedCell = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Comma-separated values (RFC 4180). A text that a spreadsheet would take for a formula begins with an apostrophe. */
export const renderCsv = (rows: readonly (readonly CsvCell[])[]): string =>
  rows.map((row) => `${row.map((cell) => quotedCell(cellText(cell))).join(',')}\r\n`).join('');
