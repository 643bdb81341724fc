import type { KeyId, ObservedKey, Secret } from '../../../domain/index.ts';
import type { CheckStep } from '../../../library/index.ts';
import { underDeclaredNames } from '../../../reconcile/index.ts';
import type { Context } from '../../program/command.ts';
import { has } from '../../program/option.ts';
import type { KeyplaneSession } from '../../session/keyplane.ts';
import type { RunProgress } from '../../session/run-progress.ts';
import { carryOutChecks } from './carry-out-checks.ts';
import { maxCost } from './options.ts';
import type { CheckProgress } from './progress.ts';

/** Shows the checks of an apply as one of its phases. */
function asPhase({ onEvent }: RunProgress): CheckProgress {
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

const LEFT_DISABLED = 'the key is disabled at the gateway, and this run did not enable it';

/** A key that an apply left disabled does not work, which is neither news nor a failure of what was written. */
const leftDisabled = (keys: readonly ObservedKey[]): ReadonlyMap<string, string> =>
  new Map(keys.filter(({ status }) => status === 'disabled').map(({ name }) => [name, LEFT_DISABLED]));

const deliveredTo = (delivered: ReadonlyMap<string, Secret>, id: KeyId, name: string) => {
  const secret = delivered.get(name);
  return secret === undefined ? [] : [[id, secret] as const];
};

/** The check step of an apply: free and cheap checks of the written keys. Undefined with --no-check, and when no key selects a check. */
export function checkWrittenKeys(context: Context, session: KeyplaneSession): CheckStep | undefined {
  const { manifest, gateway, settings, progress } = session;
  if (has(context.given, 'no-check') || manifest.selections.size === 0) return undefined;
  return async (names, { quotaPerUnit }, delivered) => {
    const { adoptedIds, selectChecks } = await import('../../../checks/index.ts');
    const selections = new Map([...manifest.selections].filter(([name]) => names.includes(name)));
    const all = selectChecks({
      selections,
      adopted: adoptedIds(manifest.desired.keys),
      definitions: manifest.checks,
      asked: [],
      costly: false,
    });
    const selected = all.filter(({ omittedBecause }) => omittedBecause === undefined);
    if (selected.length === 0) return undefined;
    const keys = underDeclaredNames(names, await gateway.store.walk());
    const proof = {
      leftDisabled: leftDisabled(keys),
      manifest,
      gateway,
      settings,
      keys,
      quotaPerUnit,
      selected,
      cap: maxCost(context),
      // What arrived is what the readers of the sink will use.
      secrets: new Map(keys.flatMap(({ id, name }) => deliveredTo(delivered, id, name))),
    };
    return await carryOutChecks(context, proof, asPhase(progress));
  };
}
