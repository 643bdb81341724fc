import { type ApplyReport, type ObservedKey, type Plan, pendingChanges } from '../../../../domain/index.ts';
import { apply, leavesNoRoom, type ProveSecrets } from '../../../../reconcile/index.ts';
import { isWhollyKnown, type TerraformObject } from '../../../codec/value.ts';
import type { OperationContext } from '../../../provider/definition.ts';
import type { Client } from '../../client.ts';
import type { OneKeyStore } from '../../store/one-key.ts';
import { type Comparison, logOptions } from '../plan/compare.ts';
import { declaredState, observationOf, usageState } from '../values/state.ts';

export type WriteContext = OperationContext<Client>;

type Decided = Pick<Comparison, 'plan' | 'observed'> & Partial<Comparison>;

/** Applies the plan of one key, with the claim of the run. */
export async function applyPlan(
  { plan, desired, observed }: Decided,
  store: OneKeyStore,
  { client, signal, proveSecrets }: WriteContext & { readonly proveSecrets?: ProveSecrets },
): Promise<ApplyReport> {
  if (pendingChanges(plan).length > 0) await claimFor(plan, client, signal);
  const report = await apply(plan, store, {
    observed,
    ...(desired && { desired }),
    now: client.now,
    concurrency: 1,
    ...(proveSecrets && { proveSecrets }),
    // Each state has its own keys. As long as the claim keeps other states out, a second key is a request that was delivered twice.
    isAlone: async () => (await client.claim?.isHeld()) ?? false,
    signal,
    ...(client.creates && { late: client.creates.protection(signal) }),
    ...(client.claim && { ensureHeld: client.claim.ensureHeld }),
    ...logOptions(client),
  });
  // Without an interruption, the provider has waited for it.
  if (signal.aborted && report.outcomes.some(({ state }) => state === 'indeterminate')) client.claim?.leaveAtEnd();
  return report;
}

/** Takes the claim. Whatever another run wrote meanwhile is found by the reads before each write. */
async function claimFor({ changes }: Plan, { claim, store }: Client, signal: AbortSignal): Promise<void> {
  if (claim === undefined) return;
  const creates = changes.some(({ verb }) => verb === 'create');
  if (creates && leavesNoRoom(changes, { keys: await store.recent() })) await claim.forgo();
  else await claim.take(signal);
}

/** The planned state, completed by values that are known only now. */
const complete = (planned: TerraformObject, now: TerraformObject): TerraformObject =>
  Object.fromEntries(
    Object.entries(planned).map(([name, value]) => [name, isWhollyKnown(value) ? value : (now[name] ?? null)]),
  );

/** The state after a write that succeeded. */
export async function stateAfter(
  planned: TerraformObject,
  key: ObservedKey,
  client: Client,
  generations?: readonly ObservedKey[],
): Promise<TerraformObject> {
  const observation = await observationOf(key, client, generations);
  return complete(planned, { ...declaredState(planned, observation), ...usageState(observation) });
}
