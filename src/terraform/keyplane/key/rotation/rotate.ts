import type { ApplyReport, ObservedKey, Outcome } from '../../../../domain/index.ts';
import type { TerraformObject } from '../../../codec/value.ts';
import type { ProposedChange, ResourceInstance, WriteResult } from '../../../provider/definition.ts';
import { diagnosticsOf, type ProtocolDiagnostic } from '../../../provider/diagnostics.ts';
import type { Client } from '../../client.ts';
import type { OneKeyStore } from '../../store/one-key.ts';
import { generationsFor } from '../find-live.ts';
import { type Comparison, compareKey, planWrite } from '../plan/compare.ts';
import { declaredRestrictions } from '../plan/released.ts';
import { privateFor, privateOf } from '../private-data.ts';
import { declaredValues } from '../values/declared.ts';
import { decodeKey } from '../values/fields.ts';
import { declaredState, enabledState, isOfOldGeneration, observationOf, usageState } from '../values/state.ts';
import { applyPlan, stateAfter, type WriteContext } from '../write/apply-plan.ts';
import { hasErrors, notConverged, reportDiagnostics } from '../write/report.ts';
import { rejectUnseenEdits } from '../write/unseen-edits.ts';
import { isRotating } from './block.ts';
import {
  declaredNameOf,
  generationsOf,
  isGenerationOf,
  joinGenerations,
  type LiveGenerations,
  presentNameOf,
  takenByGenerations,
} from './generations.ts';
import { rejectStrayed } from './keep-apart.ts';
import { asApproved } from './planned.ts';
import { isProvable, proofsWith, unprovenBecause } from './prove.ts';

type Update = ProposedChange & { readonly prior: ResourceInstance };

/** Has a resource several keys, or does it get them? */
export const hasGenerations = ({ planned, prior }: Update, { current, all }: LiveGenerations): boolean =>
  isRotating(planned) || all.length > 1 || isGenerationOf(prior.state.name, current.name);

/**
 * A store whose walks read all keys, because any of them may be a generation, without those of somebody else that have the name of the
 * first one.
 */
function storeForGenerations(store: Client['store'], names: readonly string[], { all }: LiveGenerations): OneKeyStore {
  let walked: readonly ObservedKey[] | undefined;
  const own = new Set(all.map(({ id }) => id));
  return {
    ...store,
    async walk() {
      const keys = await store.walk();
      walked = keys.filter(({ id, name }) => own.has(id) || !names.includes(name));
      return walked;
    },
    lastWalk: () => walked,
  };
}

const staysBecause = (reason: string): ProtocolDiagnostic => ({
  severity: 'warning',
  summary: `The former key stays: ${reason}`,
  detail: 'The next apply looks again.',
});

const isHeld = (outcome: Outcome): outcome is Extract<Outcome, { state: 'skipped' }> =>
  outcome.state === 'skipped' && isOfOldGeneration(outcome.change);

/** The diagnostics of a run: a former key that cannot end yet is only worth a warning. */
function diagnosticsIn(report: ApplyReport): readonly ProtocolDiagnostic[] {
  const held = report.outcomes.filter(isHeld);
  const others = report.outcomes.filter((outcome) => !isHeld(outcome));
  return [...reportDiagnostics({ ...report, outcomes: others }), ...held.map(({ reason }) => staysBecause(reason))];
}

/** The attributes that the gateway did not keep. A later run ends former keys. */
function unkeptIn({ after }: ApplyReport): ReturnType<typeof notConverged> {
  if (after === undefined) return [];
  const changes = after.changes.filter((change) => change.verb !== 'create' && !isOfOldGeneration(change));
  return notConverged({ after: { ...after, changes } });
}

interface Rotated {
  readonly change: Update;
  readonly comparison: Comparison;
  readonly found: LiveGenerations;
  readonly report: ApplyReport;
}

/** Reads the keys after a run, as far as they can be read. */
async function keysAfter({ change, found }: Rotated, store: OneKeyStore): Promise<LiveGenerations> {
  const { name } = change.planned;
  const walked = store.lastWalk() ?? (await store.walk().catch(() => found.all));
  const names = [name, change.prior.state.name].filter((each) => typeof each === 'string');
  const own = new Set(found.all.map(({ id }) => id));
  const all = joinGenerations(...names.map((each) => generationsOf(each, walked, ({ id }) => own.has(id))));
  const current = all.at(-1);
  return current ? { current, all } : found;
}

async function stateAfterFailure({ change }: Rotated, { current, all }: LiveGenerations, client: Client) {
  const { prior, planned } = change;
  const observation = await observationOf(current, client, all);
  const name = declaredNameOf(planned.name, current);
  const { plan } = await compareKey(decodeKey({ ...prior.state, name }, name), all, client);
  const enabled = enabledState(prior.state.enabled !== false, plan, observation);
  const own = isGenerationOf(planned.name, current.name) ? planned.name : (prior.state.name ?? null);
  const configured: TerraformObject = { ...planned, name: own, budget: prior.state.budget ?? null };
  return { ...declaredState(configured, observation), enabled, ...usageState(observation) };
}

async function resultOf(rotated: Rotated, store: OneKeyStore, client: Client): Promise<WriteResult> {
  const { change, report } = rotated;
  const { prior, planned } = change;
  const after = await keysAfter(rotated, store);
  const { id } = after.current;
  const isUnproven = id !== prior.state.id || privateOf(prior).unproven === true;
  const desired = decodeKey(declaredValues(change), after.current.name);
  const unproven =
    isUnproven && isProvable(desired)
      ? await unprovenBecause(after.current, client).catch((thrown) => diagnosticsOf(thrown)[0])
      : undefined;
  const own = diagnosticsIn(report);
  const unkept = hasErrors(own) ? [] : unkeptIn(report).map((content) => ({ severity: 'error', ...content }) as const);
  const diagnostics = [...own, ...unkept, ...(unproven ? [unproven] : [])];
  const hasFailed = hasErrors([...own, ...unkept]);
  const state = hasFailed
    ? await stateAfterFailure(rotated, after, client)
    : await stateAfter(planned, after.current, client, after.all);
  const restrictions = hasFailed ? { declared: privateOf(prior).declared ?? [] } : declaredRestrictions(change.config);
  const marks = {
    ...restrictions,
    ...(isUnproven && (unproven || !isProvable(desired)) && ({ unproven: true } as const)),
    ...generationsFor(after, { instance: prior, keys: await client.store.recent() }),
  };
  return { instance: { state, ...privateFor(client, marks) }, diagnostics };
}

/**
 * Changes a key that rotates: creates the successor that the plan announced and proves its secret, changes all generations, and ends
 * the former ones of the plan whose successor is proven. A run that is killed anywhere leaves what the next one continues: the names
 * at the gateway state it.
 *
 * @throws DiagnosticError, Fault before anything is written
 */
export async function updateGenerations(
  change: Update,
  found: LiveGenerations,
  context: WriteContext,
): Promise<WriteResult> {
  const { client } = context;
  const { prior, planned } = change;
  rejectStrayed(found);
  const name = presentNameOf(planned, prior.state, found);
  const desired = decodeKey(declaredValues(change), name);
  const isRenamed = desired.name !== name && !isGenerationOf(desired.name, name);
  const taken = isRenamed
    ? await takenByGenerations({ name: desired.name, own: found.all, isOfGenerations: true }, client)
    : undefined;
  if (taken) return { instance: prior, diagnostics: [taken] };
  const comparison = asApproved(await planWrite(desired, found.all, client), planned);
  await rejectUnseenEdits(prior, { comparison, found }, client);
  const store = storeForGenerations(client.store, [desired.name, name], found);
  const report = await applyPlan(comparison, store, { ...context, proveSecrets: proofsWith(client) });
  return await resultOf({ change, comparison, found, report }, store, client);
}
