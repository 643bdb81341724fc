import type { Fault } from '../../domain/index.ts';
import { hang } from './columns.ts';
import type { Paint } from './paint.ts';
import { printable, printableLines } from './printable.ts';

/** `error[plan.stale]: message`, and what can be done about it. */
export function renderFault(fault: Fault, paint: Paint, width: number): string {
  const head = `${paint.bad(paint.strong('error'))}${paint.faint(`[${fault.code}]`)}: `;
  const lines = printableLines(fault.message).split('\n');
  const hint = fault.hint === undefined ? [] : hang('  hint: ', printable(fault.hint), width);
  return [head + (lines[0] ?? ''), ...lines.slice(1).map((line) => `  ${line}`), ...hint].join('\n');
}
