import type { ApplyReport, ObservedKey, Outcome } from '../../../domain/index.ts';
import { apply, planDestroy } from '../../../reconcile/index.ts';
import { isWhollyKnown, type TerraformObject } from '../../codec/value.ts';
import type { OperationContext, ProposedChange, ResourceInstance, WriteResult } from '../../provider/definition.ts';
import { DiagnosticError, diagnosticsOf, type ProtocolDiagnostic } from '../../provider/diagnostics.ts';
import type { Client } from '../client.ts';
import { newestId, type OneKeyStore, storeForExisting, storeForNew } from '../store/one-key.ts';
import { type Comparison, compareKey, logOptions, singleKey } from './compare.ts';
import { decodeKey } from './fields.ts';
import { findLive, idOf, privateFor } from './find-live.ts';
import { guardPlan } from './plan-warnings.ts';
import { hasErrors, notConverged, reportDiagnostics } from './report.ts';
import { declaredState, enabledState, observationOf, usageState } from './state.ts';

type WriteContext = OperationContext<Client>;
type Update = ProposedChange & { readonly prior: ResourceInstance };

const applyPlan = (
  { plan, desired, observed }: Comparison,
  store: OneKeyStore,
  { client, signal }: WriteContext,
): Promise<ApplyReport> =>
  apply(plan, store, { observed, desired, now: client.now, concurrency: 1, signal, ...logOptions(client) });

/** The planned state, completed by values that are known only now. */
const complete = (planned: TerraformObject, now: TerraformObject): TerraformObject =>
  Object.fromEntries(
    Object.entries(planned).map(([name, value]) => [name, isWhollyKnown(value) ? value : (now[name] ?? null)]),
  );

async function stateAfter(planned: TerraformObject, key: ObservedKey, client: Client): Promise<TerraformObject> {
  const observation = await observationOf(key, client);
  return complete(planned, { ...declaredState(planned, observation), ...usageState(observation) });
}

/** A key that may have been created: the next refresh looks for it. */
const lost = (planned: TerraformObject, newest: number, client: Client): ResourceInstance => ({
  state: complete(planned, {}),
  ...privateFor(client, { lost: { after: newest, at: client.now() } }),
});

const nameTaken = (name: string, id: number | undefined): ProtocolDiagnostic => ({
  severity: 'error',
  summary: `A key named ${JSON.stringify(name)} already exists${id === undefined ? ', or is being created' : ` (id ${id})`}`,
  detail: [
    'Two keys with the same name could not be distinguished.',
    'If this key replaces it (`create_before_destroy`), give the new key another name.',
    'If another resource releases the name in this run, apply again.',
    'If no resource manages it, import it: `import` with its ID, or `name=…`.',
  ].join('\n'),
  path: ['name'],
});

const LOST: ProtocolDiagnostic = {
  severity: 'warning',
  summary: 'It is unknown whether the key was created',
  detail: 'Terraform remembers it: the next plan looks for the key, and replaces it if it exists.',
};

/** The remains of a failed create: a half-made key, a lost one, or none. */
async function partialCreate(
  outcome: Outcome | undefined,
  { planned, store, client }: { planned: TerraformObject; store: ReturnType<typeof storeForNew>; client: Client },
): Promise<ResourceInstance | undefined> {
  const newest = newestId(store.firstWalk() ?? []);
  const created = store.lastWalk()?.filter((key) => key.name === planned.name && key.id > newest) ?? [];
  const [key] = created;
  if (key && created.length === 1) {
    const state = await stateAfter(planned, key, client);
    // A key that could not be disabled works.
    const enabled = outcome?.state === 'left-enabled' ? true : (state.enabled ?? null);
    return { state: { ...state, enabled }, ...privateFor(client) };
  }
  return outcome?.state === 'indeterminate' || created.length > 1 ? lost(planned, newest, client) : undefined;
}

async function create({ planned, config }: ProposedChange, context: WriteContext): Promise<WriteResult> {
  const { client } = context;
  const name = String(planned.name);
  const store = storeForNew(client.store, name);
  const desired = decodeKey(config);
  const comparison = await compareKey(desired, undefined, client);
  // A budget that was unknown at the plan may turn out to be missing.
  guardPlan(comparison, client);
  const report = await applyPlan(comparison, store, context);
  const diagnostics = reportDiagnostics(report);
  const [outcome] = report.outcomes;
  if (outcome && 'fault' in outcome && outcome.fault.code === 'plan.stale') {
    return { diagnostics: [nameTaken(name, store.firstWalk()?.find((key) => key.name === name)?.id)] };
  }
  const created = outcome?.state === 'applied' ? store.lastWalk()?.find(({ id }) => id === outcome.id) : undefined;
  if (created === undefined || hasErrors(diagnostics)) {
    const instance = await partialCreate(outcome, { planned, store, client });
    const isLost = instance !== undefined && idOf(instance) === undefined;
    return { diagnostics: isLost ? [...diagnostics, LOST] : diagnostics, ...(instance && { instance }) };
  }
  const summary = notConverged(report);
  return {
    instance: { state: await stateAfter(planned, created, client), ...privateFor(client) },
    diagnostics: [...diagnostics, ...(summary === undefined ? [] : [{ severity: 'warning', summary } as const])],
  };
}

/** Creates a key once. No process creates two keys with one name. */
export async function createKey(change: ProposedChange, context: WriteContext): Promise<WriteResult> {
  const { claimedNames } = context.client;
  const name = String(change.planned.name);
  if (claimedNames.has(name)) return { diagnostics: [nameTaken(name, undefined)] };
  claimedNames.add(name);
  const result = await create(change, context).catch(
    (thrown: unknown): WriteResult => ({ diagnostics: diagnosticsOf(thrown) }),
  );
  if (result.instance === undefined) claimedNames.delete(name);
  return result;
}

const keyGone = (prior: TerraformObject): DiagnosticError =>
  new DiagnosticError({
    summary: `The key ${prior.id} (${JSON.stringify(prior.name)}) no longer exists`,
    detail: 'Plan again: the key will be created again.',
  });

/**
 * Changes a key. The returned instance is true to the gateway, even after a failure; it is as before only when the key can no
 * longer be read.
 *
 * @throws DiagnosticError, Fault
 */
export async function updateKey(change: Update, context: WriteContext): Promise<WriteResult> {
  const { claimedNames } = context.client;
  const live = await findLive(change.prior, context.client);
  if (live === undefined) throw keyGone(change.prior.state);
  const name = String(change.planned.name);
  if (name === live.name) return await update(change, live, context);
  if (claimedNames.has(name)) return { diagnostics: [nameTaken(name, undefined)] };
  claimedNames.add(name);
  const result = await update(change, live, context).catch((thrown: unknown) => {
    claimedNames.delete(name);
    throw thrown;
  });
  if (result.instance?.state.name !== name) claimedNames.delete(name);
  return result;
}

async function update(change: Update, live: ObservedKey, context: WriteContext): Promise<WriteResult> {
  const { planned, config } = change;
  const { client } = context;
  const desired = decodeKey(config, live.name);
  const store = storeForExisting(client.store, live.id, desired.name !== live.name);
  const report = await applyPlan(await compareKey(desired, live, client), store, context);
  const diagnostics = reportDiagnostics(report);
  const summary = notConverged(report);
  const [walked] = store.lastWalk() ?? [];
  // After the change the key may have been impossible to read, once.
  const key = walked ?? (await client.store.tryRead(live.id).catch(() => undefined)) ?? live;
  if (!hasErrors(diagnostics) && summary === undefined) {
    return { instance: { state: await stateAfter(planned, key, client), ...privateFor(client) }, diagnostics };
  }
  const all: readonly ProtocolDiagnostic[] =
    summary === undefined || hasErrors(diagnostics) ? diagnostics : [...diagnostics, { severity: 'error', summary }];
  const state = await stateAfterFailure(change, key, client);
  return { instance: { state, ...privateFor(client) }, diagnostics: all };
}

/** The state after a change that failed, perhaps in part: only values that hold. */
async function stateAfterFailure(
  { prior, planned }: Update,
  key: ObservedKey,
  client: Client,
): Promise<TerraformObject> {
  const observation = await observationOf(key, client);
  const { plan } = await compareKey(decodeKey(prior.state, key.name), key, client);
  const enabled = enabledState(prior.state.enabled !== false, plan, observation);
  const configured = { ...planned, budget: prior.state.budget ?? null };
  return { ...declaredState(configured, observation), enabled, ...usageState(observation) };
}

/** Deletes a key, and verifies that it is gone. @throws DiagnosticError, Fault */
export async function deleteKey(prior: ResourceInstance, context: WriteContext): Promise<void> {
  const { client, signal } = context;
  const live = await findLive(prior, client);
  if (live === undefined) return;
  const desired = singleKey(decodeKey({ name: live.name }, live.name));
  const quotaPerUnit = await client.store.quotaPerUnit();
  const observed = { account: client.store.account, quotaPerUnit, keys: [live], used: new Map() };
  const plan = planDestroy(desired, observed, client.now());
  const store = storeForExisting(client.store, live.id, false);
  const report = await apply(plan, store, { observed, now: client.now, concurrency: 1, signal });
  const errors = reportDiagnostics(report).filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new DiagnosticError(...errors);
}
