import { openFileJournal } from '../../disk/index.ts';
import type { AccountRef } from '../../domain/index.ts';
import { DEFAULT_SETTLE_SECONDS, type LateCreates, type ResolvedCreate, type Waiting } from '../../reconcile/index.ts';
import { printable } from '../output/layout/printable.ts';
import type { Context } from '../program/command.ts';
import { SETTLE } from '../program/flags.ts';
import { count } from '../program/option.ts';
import { nowOf } from './io.ts';

/** The time within which a create takes effect. */
export const settleSeconds = ({ given }: Pick<Context, 'given'>): number =>
  count(given, SETTLE.flag) ?? DEFAULT_SETTLE_SECONDS;

/** The protection of a run from creates that take effect late: the journal in a file, and a wait that a person sees. */
export function lateCreatesOf(context: Context, account: AccountRef): LateCreates {
  const { io, interruption, print } = context;
  const { env, pid, random } = io;
  return {
    journal: openFileJournal({ env, account, pid, random, now: () => nowOf(io) }),
    settle: settleSeconds(context),
    async wait(waiting) {
      print(renderWaiting(waiting));
      await io.pause(waiting.seconds, interruption.signal);
    },
    onResolved(resolved) {
      for (const line of renderResolved(resolved)) print(line);
    },
  };
}

const MOST_NAMES = 3;

/** Lists what became of the creates that an earlier run reported as unknown. */
function renderResolved(resolved: readonly ResolvedCreate[]): readonly string[] {
  const line = (keys: readonly ResolvedCreate[], end: string): readonly string[] => {
    if (keys.length === 0) return [];
    const shown = keys
      .slice(0, MOST_NAMES)
      .map(({ name, id }) => `“${printable(name)}”${id === undefined ? '' : ` (id ${id})`}`);
    const more = keys.length > MOST_NAMES ? ` and ${keys.length - MOST_NAMES} more` : '';
    return [`Creates that an earlier run reported as unknown ${end}: ${shown.join(', ')}${more}.`];
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
  const shown = names.slice(0, MOST_NAMES).map((name) => `“${printable(name)}”`);
  const others = names.length - shown.length;
  const which = shown.length === 0 ? 'an earlier run' : `the create of ${shown.join(', ')}`;
  const more = others > 0 ? ` and ${others} more` : '';
  return `Waiting ${Math.ceil(seconds)} s: ${which}${more} may still take effect. --${SETTLE.flag} sets this time.`;
}
