import {
  declaredNameProblem,
  Fault,
  matchesAnyGlob,
  nameFold,
  type ObservedKey,
  type Outcome,
  reservedFormOf,
} from '../../domain/index.ts';
import { openKeyWriter, type RunLocks } from '../../engine/index.ts';
import type { Manifest } from '../../manifest/index.ts';
import type { KeyStore } from '../../reconcile/index.ts';
import { EXIT, exitCodeOf } from '../output/exit-codes.ts';
import { faultData, plain } from '../output/json/envelope.ts';
import { renderLine } from '../output/layout/place.ts';
import { quoted } from '../output/layout/printable.ts';
import type { Context, Result } from '../program/command.ts';
import { has } from '../program/option.ts';
import { confirm } from '../session/confirm.ts';
import { findKeys } from '../session/find-key.ts';
import { withLockedAccount } from '../session/lock/locks.ts';
import { tryReadManifestOf } from '../session/manifest-input.ts';

function refuseName(name: string): void {
  const problem = declaredNameProblem(name);
  if (problem === undefined) return;
  throw new Fault('usage.invalid', `Invalid key name ${quoted(name)}: ${problem}.`, {
    hint: reservedFormOf(name)
      ? 'A later apply could end a key with such a name. Choose another one.'
      : 'Expected 1 to 50 characters and at most 50 UTF-8 bytes.',
  });
}

/** Two keys with one name, regardless of case, could not be distinguished by a manifest. */
function refuseTaken(name: string, { id }: ObservedKey, keys: readonly ObservedKey[]): void {
  const holder = keys.find((key) => key.id !== id && nameFold(key.name) === nameFold(name));
  if (holder === undefined) return;
  throw new Fault('plan.ambiguous', `Key ${holder.id} is named ${quoted(holder.name)} already.`, {
    hint: 'Nothing was changed. Choose another name, or rename that key first.',
    detail: { ids: [holder.id] },
  });
}

function refuseProtected(context: Context, { name }: ObservedKey, manifest: Manifest | undefined): void {
  const isProtected = matchesAnyGlob(manifest?.desired.ownership.protect ?? [], name);
  if (!isProtected || has(context.given, 'allow-protected')) return;
  throw new Fault('guard.protected', `Protected by the manifest: ${quoted(name)}.`, {
    hint: 'Nothing was changed. --allow-protected allows it for this one run.',
    detail: { names: [name] },
  });
}

/** The others would no longer be generations of the key: an apply could end them before their overlap is over. */
function refuseOneOfSeveral(word: string, found: readonly ObservedKey[]): void {
  if (found.length < 2) return;
  const ids = found.map(({ id }) => id);
  throw new Fault('usage.invalid', `${quoted(word)} has ${found.length} generations: ids ${ids.join(', ')}.`, {
    hint: 'Nothing was changed. To rename all of them, declare the new name with `renamedFrom`, and apply. To rename one alone, name its ID.',
  });
}

/** Renames on fresh knowledge: everything else is written back as it was read. */
async function renameKey(context: Context, { store, key, name, locks }: Renaming): Promise<Outcome> {
  const seen = { account: store.account, quotaPerUnit: await store.quotaPerUnit(), used: new Map() };
  const { signal } = context.interruption;
  const writer = openKeyWriter({ store, now: context.now, signal, locks });
  const { outcomes, fatal, interrupted } = await writer.edit({ key, name, fields: {} }, seen);
  const [outcome] = outcomes;
  if (outcome === undefined) throw fatal ?? new Fault('tool.defect', 'A rename has no outcome.');
  // A command about one key has no report of what was skipped.
  if (outcome.state !== 'skipped') return outcome;
  const { change, reason, code = interrupted ? 'gateway.interrupted' : 'plan.stale' } = outcome;
  return { state: 'failed', change, fault: fatal ?? new Fault(code, `${reason}.`) };
}

interface Renaming {
  readonly store: KeyStore;
  readonly key: ObservedKey;
  readonly name: string;
  readonly locks: RunLocks;
}

function resultOf(outcome: Outcome, key: ObservedKey, name: string): Result {
  const fault = 'fault' in outcome ? outcome.fault : undefined;
  const done = fault === undefined ? `renamed to ${quoted(name)}` : `FAILED: ${fault.message}`;
  return {
    exit: exitCodeOf(fault),
    data: plain({
      outcomes: [
        {
          state: outcome.state,
          change: { verb: 'rename', name, from: key.name, id: key.id },
          ...(fault ? { fault: faultData(fault) } : {}),
        },
      ],
    }),
    text: `${quoted(key.name)} (id ${key.id}): ${done}`,
    ...(fault ? { fault } : {}),
  };
}

/** A plan would create the former name again, where the manifest still declares it. */
function remindOfDeclaration(context: Context, { id, name }: ObservedKey, manifest: Manifest | undefined): void {
  const own = manifest?.desired.keys.find((key) => key.name === name && (key.id ?? id) === id);
  if (!own?.place) return;
  context.print(`${renderLine(own.place)} declares ${quoted(name)}. Write the new name there before the next plan.`);
}

/** Gives a key another name. It keeps its ID and its secret. */
export async function keysRenameAction(context: Context): Promise<Result> {
  const [word = '', name = ''] = context.arguments;
  refuseName(name);
  const manifest = await tryReadManifestOf(context);
  return await withLockedAccount(context, manifest?.gateway, async ({ store }, locks) => {
    const find = async (): Promise<ObservedKey> => {
      const [found, keys] = await Promise.all([findKeys(store, [word], 'all'), store.walk()]);
      refuseOneOfSeveral(word, found);
      const [key] = found;
      if (!key) throw new Fault('tool.defect', 'A key was looked up, and none came back.');
      if (key.name === name) return key;
      refuseProtected(context, key, manifest);
      refuseTaken(name, key, keys);
      return key;
    };
    let key = await find();
    // Another run has written since the key was read.
    if (key.name !== name && (await locks.takeClaim())) key = await find();
    if (key.name === name) return unchanged(key);
    const about = `${quoted(key.name)} (id ${key.id}) will be renamed to ${quoted(name)}. It keeps its ID and its secret; a manifest that declares its former name no longer matches it.`;
    await confirm(context, { about, expect: 'yes' });
    const outcome = await renameKey(context, { store, key, name, locks });
    if (outcome.state === 'applied') remindOfDeclaration(context, key, manifest);
    return resultOf(outcome, key, name);
  });
}

const unchanged = ({ id, name }: ObservedKey): Result => ({
  exit: EXIT.done,
  data: plain({ outcomes: [{ state: 'unchanged', change: { verb: 'rename', name, id } }] }),
  text: `${quoted(name)} (id ${id}): has this name already`,
});
