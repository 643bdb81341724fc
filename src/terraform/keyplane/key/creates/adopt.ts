import {
  type Decimal,
  type DesiredKey,
  initialCeiling,
  isPending,
  type ObservedKey,
} from '../../../../domain/index.ts';
import { createDigest, patchOf, type Recognized, settingsOfNew } from '../../../../reconcile/index.ts';
import type { TerraformObject } from '../../../codec/value.ts';
import type { ProposedChange, WriteResult } from '../../../provider/definition.ts';
import { DiagnosticError } from '../../../provider/diagnostics.ts';
import { storeForExisting } from '../../store/one-key.ts';
import { nameTaken } from '../names/name-taken.ts';
import { type Comparison, planWrite, singleKey } from '../plan/compare.ts';
import { adoption } from '../plan/plan-warnings.ts';
import { declaredRestrictions } from '../plan/released.ts';
import { privateFor } from '../private-data.ts';
import { decodeKey, INITIAL_VALUES } from '../values/fields.ts';
import { originAfter } from '../values/origin.ts';
import { applyPlan, stateAfter, type WriteContext, writerOf } from '../write/apply-plan.ts';
import { reportDiagnostics } from '../write/report.ts';

type OwnKey = Extract<Recognized, { readonly state: 'own' }>;

/** The declared and the default values: a key that is adopted becomes what a create would have made. */
function desiredOf(declared: TerraformObject): DesiredKey {
  const given = Object.entries(declared).filter(([, value]) => value !== null);
  return decodeKey({ ...INITIAL_VALUES, ...Object.fromEntries(given), enabled: declared.enabled ?? true });
}

/** The key was never used, so whatever it may spend at first is what it may spend at all. */
function asCreated(desired: DesiredKey, quotaPerUnit: Decimal, formerUse: number): DesiredKey {
  if (desired.budget === undefined) return desired;
  const { unlimited, remain } = initialCeiling(desired.budget, quotaPerUnit, formerUse);
  return { ...desired, budget: unlimited ? { kind: 'unlimited' } : { kind: 'lifetime', amount: { quota: remain } } };
}

const settingsAfter = ({ plan: { changes } }: Comparison, key: ObservedKey) =>
  Object.assign({}, key, ...changes.filter(isPending).map((c) => ('edits' in c ? patchOf(c.edits) : {})));

/** Deletes unused twins, which several interrupted runs made. @throws DiagnosticError when one stays */
async function settleOwnTwins({ key, twins }: OwnKey, { enabled }: DesiredKey, context: WriteContext): Promise<void> {
  if (twins.length === 0) return;
  const writer = writerOf(context.client.store, context);
  const gone = await writer.settleTwins([key, ...twins], { isDisabled: enabled === false });
  if (gone.size < twins.length)
    throw new DiagnosticError(
      nameTaken(
        key.name,
        [key, ...twins].map(({ id }) => id),
      ),
    );
}

interface Adoption extends ProposedChange {
  readonly declared: TerraformObject;
  /** The part of the allowance that former keys of the name used. */
  readonly formerUse: number;
}

/**
 * Adopts the key that an interrupted run created, and changes what was configured otherwise since. The state gets the key in
 * any case: a half-changed one is replaced by the next run.
 *
 * @throws DiagnosticError, Fault before anything is written
 */
export async function adoptKey(
  { planned, config, declared, formerUse }: Adoption,
  own: OwnKey,
  context: WriteContext,
): Promise<WriteResult> {
  // The key was never used, so no log decides how far its budget may be raised.
  const client = { ...context.client, assumeLogComplete: true };
  const { signal } = context;
  const { key } = own;
  const quotaPerUnit = await client.store.quotaPerUnit();
  const desired = desiredOf(declared);
  await settleOwnTwins(own, desired, context);
  const comparison = await planWrite(asCreated(desired, quotaPerUnit, formerUse), key, client);
  const digest = createDigest(settingsAfter(comparison, key));
  // What cannot become equal to a new key is left to a person.
  if (digest !== createDigest(settingsOfNew(desired, quotaPerUnit, formerUse))) {
    throw new DiagnosticError(nameTaken(key.name, [key.id], { state: 'foreign', ids: [key.id] }));
  }
  const recorded = { name: key.name, digest, enabled: desired.enabled !== false };
  await client.creates?.protection(signal).journal.record([recorded], key.id - 1);
  client.creates?.made(key.name, key.id);
  const store = storeForExisting(client.store, key.id);
  const write = { ...comparison, judged: singleKey(desired, client.policies) };
  const diagnostics = reportDiagnostics(await applyPlan(write, store, { ...context, client }));
  const [after = key] = store.lastWalk() ?? [];
  const state = await stateAfter(planned, after, client);
  const marks = { ...declaredRestrictions(config), ...originAfter({ state, now: client.now() }) };
  return {
    instance: { state, ...privateFor(client, marks) },
    diagnostics: [{ severity: 'warning', ...adoption(key.id) }, ...diagnostics],
  };
}
