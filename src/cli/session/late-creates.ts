import type { Notice } from '../../library/index.ts';
import { DEFAULT_SETTLE_SECONDS, type ResolvedCreate, type Waiting } from '../../reconcile/index.ts';
import { renderFirst } from '../output/layout/amount.ts';
import { renderLongSpan } from '../output/layout/moment.ts';
import { printable } from '../output/layout/printable.ts';
import type { Context } from '../program/command.ts';
import { SETTLE } from '../program/flags.ts';
import { count } from '../program/option.ts';

/** The time within which a create takes effect. */
export const settleSeconds = ({ given }: Pick<Context, 'given'>): number =>
  count(given, SETTLE.flag) ?? DEFAULT_SETTLE_SECONDS;

/** Shows a notice about creates that may still take effect, or a wait for the readers of sinks. */
export function showLateCreates({ print }: Pick<Context, 'print'>, notice: Notice): void {
  if (notice.kind === 'create-wait') print(renderWaiting(notice.waiting));
  if (notice.kind === 'readers-wait') print(readersText(notice.seconds));
  if (notice.kind === 'creates-resolved') for (const line of renderResolved(notice.resolved)) print(line);
}

const readersText = (seconds: number): string =>
  `Waiting ${renderLongSpan(seconds)} until the readers of the sinks have the new secrets. Then the old ones end.`;

const MOST_NAMES = 3;

/** Lists what became of the creates that an earlier run reported as unknown. */
function renderResolved(resolved: readonly ResolvedCreate[]): readonly string[] {
  const line = (keys: readonly ResolvedCreate[], end: string): readonly string[] => {
    if (keys.length === 0) return [];
    const named = keys.map(({ name, id }) => `“${printable(name)}”${id === undefined ? '' : ` (id ${id})`}`);
    return [`Creates that an earlier run reported as unknown ${end}: ${renderFirst(named, MOST_NAMES)}.`];
  };
  return [
    ...line(
      resolved.filter(({ id }) => id !== undefined),
      'were accepted',
    ),
    ...line(
      resolved.filter(({ id }) => id === undefined),
      'took no effect',
    ),
  ];
}

function renderWaiting({ seconds, names }: Waiting): string {
  const named = names.map((name) => `“${printable(name)}”`);
  const which = named.length === 0 ? 'an earlier run' : `the create of ${renderFirst(named, MOST_NAMES)}`;
  return `Waiting ${Math.ceil(seconds)} s: ${which} may still take effect. --${SETTLE.flag} sets this time.`;
}
