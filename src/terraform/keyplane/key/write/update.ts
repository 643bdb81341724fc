import type { ObservedKey, Plan } from '../../../../domain/index.ts';
import { isUnknown, type TerraformObject } from '../../../codec/value.ts';
import type { ProposedChange, ResourceInstance, WriteResult } from '../../../provider/definition.ts';
import { DiagnosticError, type ProtocolDiagnostic } from '../../../provider/diagnostics.ts';
import type { Client } from '../../client.ts';
import { storeForExisting } from '../../store/one-key.ts';
import { findGenerations } from '../find-live.ts';
import { generateName } from '../names/generated-name.ts';
import { nameTaken } from '../names/name-taken.ts';
import { interimName } from '../names/rename-order.ts';
import { type Comparison, compareKey, planWrite } from '../plan/compare.ts';
import { declaredRestrictions } from '../plan/released.ts';
import { privateFor, privateOf } from '../private-data.ts';
import { takenByGenerations } from '../rotation/generations.ts';
import { hasGenerations, updateGenerations } from '../rotation/rotate.ts';
import { declaredValues } from '../values/declared.ts';
import { decodeKey } from '../values/fields.ts';
import { originAfter, withOrigin } from '../values/origin.ts';
import { declaredState, enabledState, observationOf, usageState } from '../values/state.ts';
import { applyPlan, stateAfter, type WriteContext, writerOf } from './apply-plan.ts';
import { hasErrors, notConverged, reportDiagnostics } from './report.ts';
import { rejectUnseenEdits } from './unseen-edits.ts';

type Update = ProposedChange & { readonly prior: ResourceInstance };

const CHANGE_LOST: ProtocolDiagnostic = {
  severity: 'warning',
  summary: 'It is unknown whether the key was changed',
  detail: 'Apply again: the provider reads the key first, and plans only what is left to do.',
};

/** The key has its new name: only the list that was read after the write shows that somebody else gave it as well. */
const nameShared = ({ id, name }: ObservedKey, own: number): ProtocolDiagnostic => ({
  severity: 'error',
  summary: `The keys ${own} and ${id} are both named ${JSON.stringify(name)} now`,
  detail: `The key ${id} got the name while this run renamed the key ${own}. Give one of them another name: two keys with the same name could not be distinguished.`,
  path: ['name'],
});

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
  const { store, claimedNames, run } = context.client;
  run.renames.noteActivity();
  const found = await findGenerations(change.prior, context.client, change.planned);
  if (found === undefined) throw keyGone(change.prior.state);
  const named = await withGeneratedName(change, context.client);
  if (hasGenerations(change, found)) return await updateGenerations(named, found, context);
  const { current: live } = found;
  const { name } = decodeKey(declaredValues(named), live.name);
  if (name === live.name) return await store.rounds.during(() => update(named, live, context));
  const taken = await takenByGenerations({ name, own: [live] }, context.client);
  if (taken) return { diagnostics: [taken] };
  // A generated name is claimed already.
  if (named === change && claimedNames.has(name)) return { diagnostics: [nameTaken(name, [])] };
  claimedNames.add(name);
  const result = await rename(named, live, { ...context, name }).catch((thrown: unknown) => {
    claimedNames.delete(name);
    throw thrown;
  });
  if (result.instance?.state.name !== name) claimedNames.delete(name);
  return result;
}

/** Generates the name of a key that has none with the planned prefix. */
async function withGeneratedName(change: Update, client: Client): Promise<Update> {
  const { name_prefix: prefix = null, name = null } = change.planned;
  if (name === null || !isUnknown(name) || typeof prefix !== 'string') return change;
  return { ...change, planned: { ...change.planned, name: await generateName(prefix, client) } };
}

type RenameContext = WriteContext & { readonly name: string };

/** Renames a key once no other one has the name. Where keys swap their names, one of them gets another name first. */
async function rename(change: Update, live: ObservedKey, context: RenameContext): Promise<WriteResult> {
  const { name, client } = context;
  const { store, run } = client;
  const turn = () => run.renames.turn({ id: live.id, to: name }, store.recent);
  let key = live;
  if ((await turn()) === 'swap') {
    await planUpdate(change, live, client);
    key = (await store.rounds.during(() => stepAside(live, context))) ?? live;
    if (key.name !== live.name) {
      run.renames.renamed(key.id, key.name);
      await turn();
    }
  }
  const result = await store.rounds.during(() => update(change, key, context));
  if (result.instance?.state.name === name) run.renames.renamed(live.id, name);
  return result;
}

async function stepAside(live: ObservedKey, context: WriteContext): Promise<ObservedKey | undefined> {
  const { client } = context;
  const name = interimName(live.id);
  const store = storeForExisting(client.store, live.id, name);
  const { account } = client.store;
  const quotaPerUnit = await client.store.quotaPerUnit();
  const seen = { account, quotaPerUnit, used: new Map() };
  await writerOf(store, context).edit({ key: live, name, fields: {} }, seen);
  return store.lastWalk()?.[0];
}

/** Plans the write of a key as it is now. @throws DiagnosticError where that would undo what somebody else did meanwhile */
async function planUpdate(change: Update, live: ObservedKey, client: Client): Promise<Comparison<Plan>> {
  const desired = withOrigin(decodeKey(declaredValues(change), live.name), change.prior);
  const comparison = await planWrite(desired, live, client);
  await rejectUnseenEdits(change.prior, { comparison, found: { current: live, all: [live] } }, client);
  return comparison;
}

async function update(change: Update, live: ObservedKey, context: WriteContext): Promise<WriteResult> {
  const { planned } = change;
  const { client } = context;
  const { name } = decodeKey(declaredValues(change), live.name);
  const store = storeForExisting(client.store, live.id, name === live.name ? undefined : name);
  const now = client.now();
  const comparison = await planUpdate(change, live, client);
  const report = await applyPlan(comparison, store, context);
  const diagnostics = [...reportDiagnostics(report), ...store.namesakes().map((key) => nameShared(key, live.id))];
  const unkept = hasErrors(diagnostics) ? [] : notConverged(report);
  const [walked] = store.lastWalk() ?? [];
  // After the change the key may have been impossible to read, once.
  const read = walked ?? (await client.store.tryRead(live.id).catch(() => undefined));
  const key = read ?? live;
  if (!hasErrors(diagnostics) && unkept.length === 0) {
    const state = await stateAfter(planned, key, client);
    const marks = { ...declaredRestrictions(change.config), ...originAfter({ prior: change.prior, state, now }) };
    return { instance: { state, ...privateFor(client, marks) }, diagnostics };
  }
  const all: readonly ProtocolDiagnostic[] = [
    ...diagnostics,
    ...unkept.map((content) => ({ severity: 'error', ...content }) as const),
  ];
  const isLost = report.outcomes.some(
    ({ state }) => state === 'indeterminate' || (state === 'applied' && read === undefined),
  );
  const state = await stateAfterFailure(change, key, client);
  const { declared } = privateOf(change.prior);
  const marks = { ...(declared && { declared }), ...originAfter({ prior: change.prior, state, now }) };
  return {
    instance: { state, ...privateFor(client, marks) },
    diagnostics: isLost ? [...all, CHANGE_LOST] : all,
  };
}

/** The state after a change that failed, perhaps in part: only values that hold. */
async function stateAfterFailure(
  { prior, planned }: Update,
  key: ObservedKey,
  client: Client,
): Promise<TerraformObject> {
  const observation = await observationOf(key, client);
  const { plan } = await compareKey(withOrigin(decodeKey(prior.state, key.name), prior), key, client);
  const enabled = enabledState(prior.state.enabled !== false, plan, observation);
  const configured = { ...planned, budget: prior.state.budget ?? null };
  return { ...declaredState(configured, observation), enabled, ...usageState(observation) };
}
