import type { ApplyReport, ObservedKey, Outcome } from '../../../../domain/index.ts';
import { createDigest, type Recognized } from '../../../../reconcile/index.ts';
import type { TerraformObject } from '../../../codec/value.ts';
import type { ProposedChange, ResourceInstance, WriteResult } from '../../../provider/definition.ts';
import { DiagnosticError, diagnosticsOf, type ProtocolDiagnostic } from '../../../provider/diagnostics.ts';
import type { Client } from '../../client.ts';
import { newestId, storeForExisting, storeForNew } from '../../store/one-key.ts';
import { adoptKey } from '../creates/adopt.ts';
import { settleOwn } from '../creates/recognize-own.ts';
import { findGenerations } from '../find-live.ts';
import { chooseName } from '../names/generated-name.ts';
import { NAMELESS, nameTaken } from '../names/name-taken.ts';
import { formerUseOf, planWrite } from '../plan/compare.ts';
import { endOf } from '../plan/on-destroy.ts';
import { guardPlan } from '../plan/refusals.ts';
import { declaredRestrictions } from '../plan/released.ts';
import { privateFor } from '../private-data.ts';
import { isRotating } from '../rotation/block.ts';
import { firstGeneration } from '../rotation/first.ts';
import { takenByGenerations } from '../rotation/generations.ts';
import { giveWay } from '../rotation/give-way.ts';
import { declaredValues } from '../values/declared.ts';
import { decodeKey } from '../values/fields.ts';
import { originAfter } from '../values/origin.ts';
import { applyPlan, stateAfter, type WriteContext, writerOf } from './apply-plan.ts';
import { hasErrors, isMadeTwice, notConverged, reportDiagnostics } from './report.ts';
import { rejectUnseenDelete } from './unseen-edits.ts';

const LOST: ProtocolDiagnostic = {
  severity: 'warning',
  summary: 'It is unknown whether the key was created',
  detail: 'Apply again: the provider adopts the key if this run created it, and creates no second one.',
};

type NewKeyStore = ReturnType<typeof storeForNew>;

/** The key that a create made, whole or not. Undefined where it made none, or none that could be located. */
function createdKey(outcome: Outcome | undefined, store: NewKeyStore): ObservedKey | undefined {
  if (outcome?.change.verb !== 'create') return undefined;
  const { name, settings } = outcome.change;
  if ('id' in outcome && outcome.id !== undefined) return store.seen(outcome.id);
  if (outcome.state !== 'indeterminate' && outcome.state !== 'left-enabled') return undefined;
  const newest = newestId(store.firstWalk() ?? []);
  const named = store.lastWalk()?.filter((key) => key.name === name && key.id > newest) ?? [];
  const [key] = named;
  return key && named.length === 1 && createDigest(key) === createDigest(settings) ? key : undefined;
}

/** May a create that was not located have made a key all the same, now or later? Nobody can recognize one that another run made too. */
const mayExist = (outcome: Outcome): boolean =>
  (outcome.state === 'indeterminate' || outcome.state === 'left-enabled') && !isMadeTwice(outcome);

interface MadeKey {
  readonly change: ProposedChange;
  readonly report: ApplyReport;
  readonly outcome: Outcome | undefined;
  readonly key: ObservedKey;
}

/** The state of a key that a create made, whole or not. */
async function createdResult(
  { change, report, outcome, key }: MadeKey,
  { client }: WriteContext,
): Promise<WriteResult> {
  const diagnostics = reportDiagnostics(report);
  const unkept = hasErrors(diagnostics) ? [] : notConverged(report);
  const state = await stateAfter(change.planned, key, client);
  // A key that was not disabled, or that only a later list showed, works.
  const isLeftEnabled =
    outcome?.state === 'left-enabled' ||
    (outcome?.state === 'indeterminate' && state.enabled === false && key.status !== 'disabled');
  const enabled = isLeftEnabled ? true : (state.enabled ?? null);
  const marks = { ...declaredRestrictions(change.config), ...originAfter({ state, now: client.now() }) };
  return {
    instance: { state: { ...state, enabled }, ...privateFor(client, marks) },
    diagnostics: [...diagnostics, ...unkept.map((content) => ({ severity: 'warning', ...content }) as const)],
  };
}

/** The refusal of a name that keys had when the create was about to be sent. */
function takenMeanwhile(name: string, store: NewKeyStore, own: Recognized | undefined): WriteResult {
  const named = store.firstWalk()?.filter((each) => each.name === name) ?? [];
  const ids = named.map(({ id }) => id).sort((a, b) => a - b);
  return { diagnostics: [nameTaken(name, ids, own)] };
}

async function create(change: ProposedChange, context: WriteContext): Promise<WriteResult> {
  const { client, signal } = context;
  const name = String(change.planned.name);
  const declared = declaredValues(change);
  const comparison = await planWrite(decodeKey(declared), undefined, client);
  // A budget that was unknown at the plan may turn out to be missing. A create that is refused waits for nothing.
  guardPlan(comparison, client);
  const taken = await takenByGenerations({ name }, client);
  if (taken) return { diagnostics: [taken] };
  const own = await settleOwn(name, client, signal);
  if (own?.state === 'ambiguous') await client.creates?.disown(name);
  if (own?.state === 'own') {
    return await adoptKey({ ...change, declared, formerUse: formerUseOf(comparison) }, own, context);
  }
  const store = storeForNew(client.store, name);
  const report = await applyPlan(comparison, store, context);
  const [outcome] = report.outcomes;
  const key = createdKey(outcome, store);
  if (key) client.creates?.made(name, key.id);
  if (outcome && 'fault' in outcome && outcome.fault.code === 'plan.stale') return takenMeanwhile(name, store, own);
  if (key) return await createdResult({ change, report, outcome, key }, context);
  const diagnostics = reportDiagnostics(report);
  return { diagnostics: outcome && mayExist(outcome) ? [...diagnostics, LOST] : diagnostics };
}

/** The change with a generated name, which this claims. */
async function withGeneratedName(change: ProposedChange, client: Client): Promise<ProposedChange> {
  const { name_prefix: prefix = null } = change.planned;
  if (typeof prefix !== 'string') throw new DiagnosticError(NAMELESS);
  const name = await chooseName(prefix, decodeKey({ ...declaredValues(change), name: prefix }), client);
  const withName = (values: TerraformObject): TerraformObject => ({ ...values, name });
  return { ...change, config: withName(change.config), planned: withName(change.planned) };
}

/** Creates the first generation of a key that rotates, whose name no other key of this run gets. @throws DiagnosticError, Fault */
async function createRotating(proposed: ProposedChange, context: WriteContext): Promise<WriteResult> {
  const { client } = context;
  const { claimedNames } = client;
  const declared = String(proposed.planned.name);
  if (claimedNames.has(declared)) return { diagnostics: [nameTaken(declared, [])] };
  claimedNames.add(declared);
  const { first, asDeclared } = await firstGeneration(proposed, client);
  const withdraw = (own: ObservedKey): Promise<void> => deleteKey(own, context);
  return asDeclared(await giveWay(await createKey(first, context), { declared, client, withdraw }));
}

/** Creates a key once. No process creates two keys with one name. */
export async function createKey(proposed: ProposedChange, context: WriteContext): Promise<WriteResult> {
  const { claimedNames, run } = context.client;
  run.renames.noteActivity();
  const isNamed = typeof proposed.planned.name === 'string';
  if (isNamed && isRotating(proposed.planned)) return await createRotating(proposed, context);
  const change = isNamed ? proposed : await withGeneratedName(proposed, context.client);
  const name = String(change.planned.name);
  if (isNamed && claimedNames.has(name)) return { diagnostics: [nameTaken(name, [])] };
  claimedNames.add(name);
  const result = await create(change, context).catch(
    (thrown: unknown): WriteResult => ({ diagnostics: diagnosticsOf(thrown) }),
  );
  if (result.instance === undefined) claimedNames.delete(name);
  return result;
}

/** A resource whose label changed without a `moved` block is a new one, and an old one to delete. */
const heldByOther = ({ id, name }: ObservedKey): DiagnosticError =>
  new DiagnosticError({
    summary: `The key ${id} (${JSON.stringify(name)}) is managed by another resource of this run`,
    detail:
      'Remove this resource from the state with `terraform state rm`: deleting it would delete the key of the other.',
  });

/** Disables a key whose resource ends, and verifies that. @throws DiagnosticError, Fault */
async function disable(live: ObservedKey, context: WriteContext): Promise<void> {
  const { client } = context;
  const comparison = await planWrite(decodeKey({ enabled: false }, live.name), live, client);
  const report = await applyPlan(comparison, storeForExisting(client.store, live.id), context);
  const errors = reportDiagnostics(report).filter(({ severity }) => severity === 'error');
  const unkept = errors.length > 0 ? errors : notConverged(report);
  if (unkept.length > 0) throw new DiagnosticError(...unkept);
}

/** Ends a key, with all its generations, as its state asks for: deletes it and verifies that it is gone, disables it, or leaves it. @throws DiagnosticError, Fault */
export async function endKey(prior: ResourceInstance, context: WriteContext): Promise<void> {
  const { client } = context;
  const end = endOf(prior.state);
  if (end === 'abandon') return;
  client.run.renames.noteActivity();
  const found = await findGenerations(prior, client);
  if (found && end === 'delete') await rejectUnseenDelete(prior, found.current, context);
  for (const live of found?.all ?? []) await endOne(live, end, context);
}

async function endOne(live: ObservedKey, end: ReturnType<typeof endOf>, context: WriteContext): Promise<void> {
  const { client } = context;
  if (client.creates?.hasMade(live.id) || client.run.keptBy.has(live.id)) throw heldByOther(live);
  client.run.managedIds.add(live.id);
  if (end === 'disable') return await disable(live, context);
  await deleteKey(live, context);
}

/** Deletes a key, and verifies that. @throws DiagnosticError, Fault */
async function deleteKey(live: ObservedKey, context: WriteContext): Promise<void> {
  const { client } = context;
  const quotaPerUnit = await client.store.quotaPerUnit();
  const observed = { account: client.store.account, quotaPerUnit, keys: [live], used: new Map() };
  const report = await writerOf(storeForExisting(client.store, live.id), context).changeEach('delete', observed);
  const errors = reportDiagnostics(report).filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new DiagnosticError(...errors);
  client.run.renames.renamed(live.id, undefined);
}
