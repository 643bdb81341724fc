import type { CheckReport } from '../../../domain/index.ts';
import type { Context } from '../../program/command.ts';
import { has } from '../../program/option.ts';
import type { Sight } from '../../session/planning.ts';
import type { Progress } from '../../session/progress.ts';
import { carryOutChecks } from './carry-out-checks.ts';
import { maxCost } from './options.ts';
import type { CheckProgress } from './progress.ts';

/** Shows the checks of an apply as one of its phases. */
function asPhase({ onEvent }: Progress): CheckProgress {
  const open = new Set<string>();
  return {
    stop: () => {},
    left: () => [...open],
    onEvent(event) {
      if (event.kind === 'begin') onEvent({ kind: 'phase', phase: 'check', total: event.total });
      if (event.kind === 'start') open.add(`${event.key} ${event.check}`);
      if (event.kind !== 'result') return;
      open.delete(`${event.result.key} ${event.result.check}`);
      onEvent({ kind: 'step', phase: 'check', done: event.done, total: event.total });
    },
  };
}

/**
 * The check step of an apply: the free and the cheap checks of keys that were written. Undefined: the run is told to leave
 * them away, or the manifest selects none.
 */
export function proverFor(context: Context, sight: Sight, progress: Progress) {
  const { manifest, gateway, settings } = sight;
  if (has(context.given, 'no-check') || manifest.selections.size === 0) return undefined;
  return async (names: readonly string[]): Promise<CheckReport | undefined> => {
    const { selectChecks } = await import('../../../checks/index.ts');
    const selections = new Map([...manifest.selections].filter(([name]) => names.includes(name)));
    const all = selectChecks({ selections, definitions: manifest.checks, asked: [], costly: false });
    const selected = all.filter(({ leftOut }) => leftOut === undefined);
    if (selected.length === 0) return undefined;
    const keys = await gateway.store.walk();
    const { quotaPerUnit } = sight.observed;
    const proof = { manifest, gateway, settings, keys, quotaPerUnit, selected, cap: maxCost(context) };
    return await carryOutChecks(context, proof, asPhase(progress));
  };
}
