import { type ApplyReport, Fault, type ObservedKey } from '../../../../domain/index.ts';
import { type DeclaredWrite, type KeyWriter, openKeyWriter } from '../../../../engine/index.ts';
import type { ProveSecrets } from '../../../../reconcile/index.ts';
import { isWhollyKnown, type TerraformObject } from '../../../codec/value.ts';
import type { OperationContext } from '../../../provider/definition.ts';
import type { Client } from '../../client.ts';
import type { OneKeyStore } from '../../store/one-key.ts';
import { logOptions } from '../plan/compare.ts';
import { refusedPlan } from '../plan/refusals.ts';
import { declaredState, observationOf, usageState } from '../values/state.ts';

export type WriteContext = OperationContext<Client>;

type Proving = WriteContext & { readonly proveSecrets?: ProveSecrets };

/** The writer of one key, with the claim and the journal of the run. */
export function writerOf(store: OneKeyStore | Client['store'], { client, signal, proveSecrets }: Proving): KeyWriter {
  const { creates, claim, limits, now } = client;
  return openKeyWriter({
    store,
    now,
    signal,
    claim,
    limits,
    proveSecrets,
    recentKeys: client.store.recent,
    ...(creates && { late: creates.protection(signal), notes: creates }),
    ...logOptions(client),
  });
}

/** Applies the plan of one key. @throws DiagnosticError, Fault before anything is written */
export async function applyPlan(write: DeclaredWrite, store: OneKeyStore, context: Proving): Promise<ApplyReport> {
  try {
    return await writerOf(store, context).reconcile(write);
  } catch (thrown) {
    throw thrown instanceof Fault ? refusedPlan(thrown) : thrown;
  }
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
