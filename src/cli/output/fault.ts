import type { Fault } from '../../domain/index.ts';
import { hang, outdent } from './layout/columns.ts';
import type { Paint } from './layout/paint.ts';
import { printable, printableLines } from './layout/printable.ts';
import { hintOf } from './remedies.ts';

/** One line of a message, whose own indentation its broken lines keep. */
function renderLine(line: string, width: number): readonly string[] {
  const [indent = ''] = /^ */.exec(line) ?? [];
  return hang(`  ${indent}`, line.slice(indent.length), width);
}

/** `error[plan.stale]: message`, and what can be done about it. */
export function renderFault(fault: Fault, paint: Paint, width: number): string {
  const head = `${paint.bad(paint.strong('error'))}${paint.faint(`[${fault.code}]`)}: `;
  const [first = '', ...others] = printableLines(fault.message).split('\n');
  const advice = hintOf(fault);
  const hint = advice === undefined ? [] : hang('  hint: ', printable(advice), width);
  return [...outdent(head + first, width), ...others.flatMap((line) => renderLine(line, width)), ...hint].join('\n');
}
