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
  if (notice.kind === 'twins-deleted') print(`${TWINS_DELETED}: ${named(notice.twins)}.`);
}

const readersText = (seconds: number): string =>
  `Waiting ${renderLongSpan(seconds)} until the readers of the sinks have the new secrets. Then the old ones end.`;

const TWINS_DELETED =
  'Creates of an earlier run took effect after the keys had been created again. Their keys, which nobody had used, were deleted';

const MOST_NAMES = 3;

const named = (keys: readonly (Pick<ResolvedCreate, 'name'> & Partial<ResolvedCreate>)[]): string =>
  renderFirst(
    keys.map(({ name, id }) => `“${printable(name)}”${id === undefined ? '' : ` (id ${id})`}`),
    MOST_NAMES,
  );

/** Lists what became of the creates whose outcome earlier runs did not know. */
function renderResolved(resolved: readonly ResolvedCreate[]): readonly string[] {
  const made = resolved.filter(({ id }) => id !== undefined);
  const lost = resolved.filter(({ id }) => id === undefined);
  return [
    ...(made.length > 0 ? [`Creates of unknown outcome in an earlier run were accepted: ${named(made)}.`] : []),
    ...(lost.length > 0 ? [`Creates of unknown outcome in an earlier run took no effect: ${named(lost)}.`] : []),
  ];
}

function renderWaiting({ seconds, names }: Waiting): string {
  const which = names.length === 0 ? 'an earlier run' : `the create of ${named(names.map((name) => ({ name })))}`;
  return `Waiting ${Math.ceil(seconds)} s: ${which} may still take effect. --${SETTLE.flag} sets this time.`;
}
