import type { ObservedKey } from '../../../domain/index.ts';
import type { TerraformObject } from '../../codec/value.ts';
import type { OperationContext, ResourceInstance } from '../../provider/definition.ts';
import { DiagnosticError } from '../../provider/diagnostics.ts';
import type { Client } from '../client.ts';
import { findKey } from '../find-key.ts';
import { checkAccount, findGenerations, generationsFor, idOf, otherOwner } from './find-live.ts';
import { noId } from './names/name-taken.ts';
import { compareKey, hasOtherBudget, isInSync, isUsedUp, unlessTooLong } from './plan/compare.ts';
import { noteRead } from './plan/on-destroy.ts';
import { warnOfNotes, warnOfUndeclarable } from './plan/plan-warnings.ts';
import { privateFor, privateOf } from './private-data.ts';
import { presentNameOf } from './rotation/generations.ts';
import { rotationDue } from './rotation/planned.ts';
import { decodeKey } from './values/fields.ts';
import { withOrigin } from './values/origin.ts';
import {
  declaredState,
  enabledState,
  importedState,
  liveBudget,
  type Observation,
  observationOf,
  usageState,
} from './values/state.ts';

const CONSUMPTION = ['remaining_quota', 'used_quota'] as const;

/** Consumption is not drift: a key in sync keeps its prior figures. The status is always current. */
function usageAfter(prior: TerraformObject, observation: Observation, isDeclared: boolean): TerraformObject {
  const now = usageState(observation);
  if (!isDeclared || (prior.status ?? null) === null) return now;
  return { ...now, ...Object.fromEntries(CONSUMPTION.map((name) => [name, prior[name] ?? null])) };
}

/** Warns of a key in two resources, which would rename it back and forth forever. */
function warnOfSharedKey(key: ObservedKey, { client, warn }: OperationContext<Client>): void {
  const { managedIds } = client.run;
  if (managedIds.has(key.id)) {
    const summary = `The key ${key.id} (${JSON.stringify(key.name)}) is in two resources`;
    warn({
      summary,
      detail:
        'Remove one of them from the state without its key: with `terraform state rm`, or a `removed` block and `lifecycle { destroy = false }`.',
    });
  }
  managedIds.add(key.id);
}

/** Warns of a state that is corrected. Its other users may have the same mistake in their configuration. */
function warnOfOtherOwner(instance: ResourceInstance, { client, warn }: OperationContext<Client>): void {
  const userId = otherOwner(instance, client);
  if (userId === undefined) return;
  const { userId: owner } = client.store.account;
  warn({
    summary: `The state has the key ${instance.state.id} as one of user ${userId}, and it belongs to user ${owner}`,
    detail: 'It is the same key: its credential and its creation have not changed. The next apply corrects the state.',
  });
}

/** Warns of a state without an ID, which ends here. Its key may exist: an earlier version stored one that it had not found. */
async function warnOfNoId({ state }: ResourceInstance, { client, warn }: OperationContext<Client>): Promise<void> {
  const ids = (await client.store.recent()).filter((key) => key.name === state.name).map(({ id }) => id);
  if (ids.length > 0) warn(noId(String(state.name), ids));
}

/** Refreshes a key. Undefined when it is gone. @throws DiagnosticError, Fault */
export async function readKey(
  instance: ResourceInstance,
  context: OperationContext<Client>,
): Promise<ResourceInstance | undefined> {
  const { client, warn } = context;
  const found = await findGenerations(instance, client);
  if (idOf(instance) === undefined) await warnOfNoId(instance, context);
  if (found === undefined) return undefined;
  const { current: key, all } = found;
  warnOfSharedKey(key, context);
  warnOfOtherOwner(instance, context);
  for (const each of all) await client.creates?.stored(each);
  noteRead(instance, client.run);
  const { state } = instance;
  const { imported, budgetDrifted, declared, unproven, origin } = privateOf(instance);
  const observation = await observationOf(key, client, all);
  const isSuccessor = key.id !== state.id;
  warnOfUndeclarable(observation, context);
  // The state of a key that was moved here from another provider has nothing but its ID.
  if (state.enabled === null)
    return { state: importedState(observation), ...privateFor(client, imported ? { imported } : {}) };
  const desired = withOrigin(decodeKey(state, presentNameOf(state, state, found)), instance);
  const comparison = await compareKey(desired, all, client).catch(unlessTooLong);
  const isDeclared = comparison === undefined || isInSync(comparison);
  const wasEnabled = state.enabled !== false;
  const enabled = comparison === undefined ? wasEnabled : enabledState(wasEnabled, comparison.plan, observation);
  // The budget of an imported state is the live one. A plan knows whether it is declared.
  const notes = comparison?.plan.notes.filter((note) => !imported || !isUsedUp(note)) ?? [];
  if (isDeclared) warnOfNotes(notes, { client, warn });
  const isOtherBudget = comparison !== undefined && !isDeclared && hasOtherBudget(comparison, client);
  const current = {
    ...declaredState(state, observation),
    ...(isOtherBudget ? liveBudget(observation) : {}),
    enabled,
    ...(isSuccessor ? usageState(observation) : usageAfter(state, observation, isDeclared)),
  };
  const marks = {
    ...(imported && { imported }),
    ...(declared && { declared }),
    ...(origin && { origin }),
    ...((comparison === undefined || !isDeclared) && ({ due: true } as const)),
    ...((budgetDrifted || isOtherBudget) && ({ budgetDrifted: true } as const)),
    // Another run rotated the key, or this one was killed before it had proven the successor.
    ...((unproven || isSuccessor) && ({ unproven: true } as const)),
    ...(comparison && rotationDue(comparison)),
    ...generationsFor(found, { instance, keys: await client.store.recent() }),
  };
  return { state: current, ...privateFor(client, marks) };
}

/** Parses an import ID: `7`, `id=7` or `name=prod-checkout`. @throws DiagnosticError */
function parseImportId(text: string): { readonly id: number } | { readonly name: string } {
  const [, field, value = ''] = /^(?:(id|name)=)?(.*)$/su.exec(text) ?? [];
  if (field === 'name' && value !== '') return { name: value };
  if (field !== 'name' && /^[1-9]\d{0,14}$/.test(value)) return { id: Number(value) };
  throw new DiagnosticError({
    summary: `Invalid import ID ${JSON.stringify(text)}`,
    detail: 'Expected a key ID such as `7`, or `name=prod-checkout`.',
  });
}

/** Imports a live key by import ID or identity. @throws DiagnosticError, Fault */
export async function importKey(
  by: string | TerraformObject,
  { client }: OperationContext<Client>,
): Promise<ResourceInstance> {
  if (typeof by !== 'string' && typeof by.user_id === 'number') {
    checkAccount({ state: by, private: { userId: by.user_id } }, client);
  }
  const key = await findKey(typeof by === 'string' ? parseImportId(by) : { id: Number(by.id) }, client);
  return { state: importedState(await observationOf(key, client)), ...privateFor(client, { imported: true }) };
}
