import type { OperationContext, ResourceInstance } from '../../../provider/definition.ts';
import { DiagnosticError } from '../../../provider/diagnostics.ts';
import type { Comparison } from './compare.ts';

/** The disabled key that a plan enables. Undefined where it enables none. */
function enabledKey({ plan, observed }: Comparison) {
  const enables = plan.changes.some((change) => change.verb === 'enable' && change.reason !== 'repaired');
  return enables ? observed.keys.at(-1) : undefined;
}

/** Warns of a key that will be enabled again. The summary names it, because core groups warnings with one summary. */
export function warnOfEnable(comparison: Comparison, warn: OperationContext<unknown>['warn']): void {
  const key = enabledKey(comparison);
  if (!key) return;
  warn({
    summary: `The disabled key ${JSON.stringify(key.name)} (id ${key.id}) will be enabled`,
    detail:
      'If someone disabled it because its credential leaked, this makes the credential valid again. To keep it disabled, set `enabled = false`, or remove the attribute.',
    path: ['enabled'],
  });
}

/**
 * Refuses to enable a key whose state has it as enabled: somebody disabled it since the refresh, perhaps because its credential leaked,
 * and no plan showed that it would be enabled. @throws DiagnosticError
 */
export function rejectUnseenEnable({ state }: ResourceInstance, comparison: Comparison): void {
  const key = enabledKey(comparison);
  if (!key || state.enabled !== true) return;
  throw new DiagnosticError({
    summary: `The key ${JSON.stringify(key.name)} (id ${key.id}) has been disabled since the last refresh`,
    detail:
      'Applying this plan would enable it, which the plan does not show. Nothing was changed. Plan again, without `-refresh=false`: that plan shows whether the key will be enabled.',
    path: ['enabled'],
  });
}
