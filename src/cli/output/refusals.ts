import type { Refusal } from '../../reconcile/index.ts';
import { hang } from './layout/columns.ts';
import type { Paint } from './layout/paint.ts';
import { printable } from './layout/printable.ts';

interface Look {
  readonly paint: Paint;
  readonly width: number;
  readonly severity: 'warning' | 'error';
}

/** What a guard says, and the flag that lifts it for one run. */
export function renderRefusals(refusals: readonly Refusal[], { paint, width, severity }: Look): string {
  const colour = severity === 'error' ? paint.bad : paint.change;
  return refusals
    .flatMap(({ code, message, flag }) => [
      `${colour(paint.strong(severity))}${paint.faint(`[${code}]`)}: ${printable(message)}`,
      ...hang(
        '  hint: ',
        `${flag} allows it for one run${severity === 'warning' ? '; apply refuses without it' : ''}`,
        width,
      ),
    ])
    .join('\n');
}
