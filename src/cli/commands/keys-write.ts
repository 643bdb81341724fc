import {
  type ApplyReport,
  type DesiredKey,
  Fault,
  isExhausted,
  isExpired,
  type KeyId,
  type KeyName,
  matchesKeyGlob,
  type ObservedKey,
  type Outcome,
  pendingChanges,
  type UnixSeconds,
} from '../../domain/index.ts';
import { openKeyWriter } from '../../engine/index.ts';
import type { Manifest } from '../../manifest/index.ts';
import { type KeyStore, reportFaults } from '../../reconcile/index.ts';
import { EXIT, exitCodeOf, strongestFault } from '../output/exit-codes.ts';
import { faultData, plain } from '../output/json/envelope.ts';
import { counted } from '../output/layout/amount.ts';
import { printable, quoted } from '../output/layout/printable.ts';
import { OUTCOME_WORDS } from '../output/wording.ts';
import type { Context, Result } from '../program/command.ts';
import { has } from '../program/option.ts';
import { confirm } from '../session/confirm.ts';
import { withGateway } from '../session/connect.ts';
import { currentIds, declarationsOf } from '../session/declarations.ts';
import { findKeys } from '../session/find-key.ts';
import { RUN_AGAIN } from '../session/interruption.ts';
import { tryReadManifestLeniently, tryReadManifestOf } from '../session/manifest-input.ts';
import { readSelectedKeys, selectsKeys } from '../session/named-keys.ts';
import { type DeclarationEdit, declarationData, declareKeysDisabled } from './declare-disabled.ts';

/** The change that one of these commands makes to each named key. */
interface KeyAction {
  readonly verb: 'enable' | 'disable' | 'delete';
  readonly done: string;
  /** Returns true when a key is in the wanted state already. */
  readonly isSo: (key: ObservedKey) => boolean;
  readonly consequence: string;
  /** True for an action that may stop a key from working, which protected keys must not. */
  readonly ends: boolean;
  /** For an action that stops a leak: a broken manifest does not prevent it, and the declarations follow the keys. */
  readonly disables?: { readonly writes: boolean; readonly comment: string | undefined };
  /** For an action that ends secrets permanently: a name means all generations of its key. Returns true for one that gets another. */
  readonly replaces?: (declared: DesiredKey) => boolean;
}

/** The result of an action, and what is to be done next. */
interface Performed {
  readonly result: Result;
  /** The declared names of the keys that are to get a successor. */
  readonly replaced: readonly KeyName[];
}

/** A named key, and what became of it; undefined: it was in the wanted state already. */
interface ActionOutcome {
  readonly key: ObservedKey;
  readonly outcome: Outcome | undefined;
}

/** Protection is declared for plans, and applies to commands on single keys too. */
export function refuseProtected(context: Context, keys: readonly string[], manifest: Manifest | undefined): void {
  const protect = manifest?.desired.ownership.protect ?? [];
  const names = keys.filter((name) => matchesKeyGlob(protect, name));
  if (names.length === 0 || has(context.given, 'allow-protected')) return;
  throw new Fault('guard.protected', `Protected by the manifest: ${names.map(quoted).join(', ')}.`, {
    hint: 'Nothing was changed. To allow it for one run, pass --allow-protected.',
    detail: { names },
  });
}

/** The keys may wait for a person, or for the gateway: they are read again right before their change, as an apply does. */
export async function changeKeys(
  store: KeyStore,
  verb: KeyAction['verb'],
  { keys, context }: { readonly keys: readonly ObservedKey[]; readonly context: Context },
  onOutcome: (outcome: Outcome) => void = () => {},
): Promise<ApplyReport | undefined> {
  if (keys.length === 0) return undefined;
  const ids = keys.map(({ id }) => id);
  const observed = { account: store.account, quotaPerUnit: await store.quotaPerUnit(), keys, used: new Map() };
  // Only the named keys: looking at them afterwards costs no walk over the others.
  const named: KeyStore = { ...store, walk: async () => [...(await store.readMany(ids)).values()] };
  const writer = openKeyWriter({
    store: named,
    now: context.now,
    signal: context.interruption.signal,
    onEvent: (event) => event.kind === 'outcome' && onOutcome(event.outcome),
  });
  return await writer.changeEach(verb, observed);
}

/** A key that somebody else changed meanwhile is a stale plan, as long as nothing was done. */
function staleFault(outcomes: readonly ActionOutcome[]): Fault | undefined {
  if (outcomes.some(({ outcome }) => outcome?.state === 'applied')) return undefined;
  const moved = outcomes.find(({ outcome }) => outcome?.state === 'skipped' && outcome.code === 'plan.stale');
  if (moved === undefined) return undefined;
  return new Fault('plan.stale', `${quoted(moved.key.name)} (id ${moved.key.id}) was changed by somebody else.`, {
    hint: `Look at it with \`keyplane keys get ${moved.key.id}\`, and run the command again if the change is still wanted.`,
  });
}

function wordsOf({ done }: KeyAction, outcome: Outcome | undefined, pending: readonly KeyId[]): string {
  if (outcome === undefined) return `is already ${done}`;
  if (outcome.state === 'applied' && 'id' in outcome.change && pending.includes(outcome.change.id)) {
    return `NOT ${done}: the gateway accepted the change, and does not show it`;
  }
  if (outcome.state === 'applied')
    return outcome.remark === undefined ? done : `${done} (${printable(outcome.remark)})`;
  if (outcome.state === 'skipped') return `skipped: ${printable(outcome.reason)}`;
  return `${OUTCOME_WORDS[outcome.state]}: ${printable(outcome.fault.message)}`;
}

/** The reason why an enabled key is rejected all the same. */
function unusableText({ verb }: KeyAction, key: ObservedKey, now: UnixSeconds): string {
  if (verb !== 'enable') return '';
  if (isExpired(key, now)) return '; it stays unusable until its expiry is changed: it has expired';
  return isExhausted(key) ? '; it stays unusable until its budget is raised: nothing is left of it' : '';
}

interface Ending {
  readonly now: UnixSeconds;
  readonly report: ApplyReport | undefined;
  /** The declarations of the keys; one that could not be edited leaves the result partial. */
  readonly edits: readonly DeclarationEdit[];
}

function resultOf(action: KeyAction, outcomes: readonly ActionOutcome[], { now, report, edits }: Ending): Result {
  const unedited = edits.flatMap(({ fault }) => (fault ? [fault] : []));
  const stale = staleFault(outcomes);
  const faults = [...(stale ? [stale] : []), ...(report ? reportFaults(report) : [])];
  const fault = strongestFault(faults) ?? unedited[0];
  const pending = report?.after
    ? pendingChanges(report.after).flatMap((change) => ('id' in change ? [change.id] : []))
    : [];
  return {
    exit: faults.length === 0 && unedited.length > 0 ? EXIT.partial : exitCodeOf(fault),
    data: plain({
      outcomes: outcomes.map(({ key, outcome }) => ({
        state: outcome?.state ?? 'unchanged',
        change: { verb: action.verb, name: key.name, id: key.id },
        ...(outcome && 'reason' in outcome ? { reason: outcome.reason } : {}),
        ...(outcome && 'fault' in outcome ? { fault: faultData(outcome.fault) } : {}),
      })),
      ...(action.disables ? { declarations: edits.map(declarationData) } : {}),
    }),
    text: outcomes
      .map(({ key, outcome }) => {
        const words = `${wordsOf(action, outcome, pending)}${unusableText(action, key, now)}`;
        return `${quoted(key.name)} (id ${key.id}): ${words}`;
      })
      .join('\n'),
    ...(fault ? { fault } : {}),
  };
}

/** Explains to the person who confirms it what the action leads to. */
function consequenceFor(action: KeyAction, due: readonly ObservedKey[], manifest: Manifest | undefined): string {
  const names = replacedNames(action, due, manifest).map(quoted);
  if (names.length === 0) return action.consequence;
  return `${action.consequence} Then ${names.join(', ')} ${names.length === 1 ? 'gets a successor' : 'get successors'}.`;
}

function replacedNames(
  { replaces }: KeyAction,
  keys: readonly ObservedKey[],
  manifest: Manifest | undefined,
): readonly KeyName[] {
  const { of } = declarationsOf(manifest?.desired);
  const declared = keys.flatMap((key) => of(key) ?? []);
  return [...new Set(declared.filter((own) => replaces?.(own)).map(({ name }) => name))];
}

/** Leaves out generations that have a successor: it works on, and its declaration is about it. Never throws, as they are disabled. */
async function withoutOld(
  store: KeyStore,
  keys: readonly ObservedKey[],
  manifest: Manifest | undefined,
): Promise<readonly ObservedKey[]> {
  const { of } = declarationsOf(manifest?.desired);
  if (!keys.some((key) => of(key))) return keys;
  const all = await store.walk().catch(() => keys);
  const current = currentIds(manifest?.desired, all);
  return keys.filter(({ id }) => current.has(id));
}

async function perform(context: Context, action: KeyAction): Promise<Performed> {
  const { disables, replaces } = action;
  const selects = selectsKeys(context);
  const { manifest, invalid } = disables
    ? await tryReadManifestLeniently(context)
    : { manifest: await tryReadManifestOf(context) };
  return await withGateway(context, manifest?.gateway, async ({ store }) => {
    const generations = replaces ? 'all' : 'current';
    const keys = selects
      ? await readSelectedKeys(context, store, { desired: manifest?.desired, generations })
      : await findKeys(store, context.arguments, generations);
    const names = keys.map(({ name }) => name);
    if (action.ends) refuseProtected(context, names, manifest);
    const due = keys.filter((key) => !action.isSo(key));
    if (due.length > 0) {
      const named = due.map(({ name, id }) => `${quoted(name)} (id ${id})`).join(', ');
      const consequence = consequenceFor(action, due, manifest);
      const about = `${counted(due.length, 'key')} will be ${action.done}: ${named}. ${consequence}`;
      await confirm(context, { about, expect: 'yes' });
    }
    const { settled, report } = await change(context, store, { verb: action.verb, due });
    const outcomes = keys.map((key) => ({ key, outcome: settled.get(key.id) }));
    const disabled = outcomes.flatMap(({ key, outcome }) =>
      outcome === undefined || outcome.state === 'applied' ? [key] : [],
    );
    const current = disables ? await withoutOld(store, disabled, manifest) : [];
    const replaced = replacedNames(action, current, manifest);
    const { of } = declarationsOf(manifest?.desired);
    const lasting = current.filter((key) => !replaced.some((name) => name === of(key)?.name));
    const edits = disables ? await declareKeysDisabled(context, { manifest, invalid, keys: lasting }, disables) : [];
    for (const { message } of edits) context.print(message);
    return { result: resultOf(action, outcomes, { now: context.now(), report, edits }), replaced };
  });
}

/** Makes the change to each key that is due. An interruption waits for the requests that run. */
async function change(
  context: Context,
  store: KeyStore,
  { verb, due }: { readonly verb: KeyAction['verb']; readonly due: readonly ObservedKey[] },
) {
  const settled = new Map<number, Outcome>();
  const settle = (outcome: Outcome): void => {
    if ('id' in outcome.change) settled.set(outcome.change.id, outcome);
  };
  let report: ApplyReport | undefined;
  const work = async (): Promise<void> => {
    report = await changeKeys(store, verb, { keys: due, context }, settle);
  };
  const announce = (): void =>
    context.print('Interrupted: waiting for running requests. Interrupt again to exit immediately.');
  const open = () => {
    const left = due.filter(({ id }) => !settled.has(id));
    return { left: left.map(({ name, id }) => `${verb} ${quoted(name)} (id ${id})`), hint: RUN_AGAIN };
  };
  await context.interruption.finishing(work, { announce, open });
  return { settled, report };
}

const resultAlone = async (context: Context, action: KeyAction): Promise<Result> =>
  (await perform(context, action)).result;

export const keysEnableAction = (context: Context): Promise<Result> =>
  resultAlone(context, {
    verb: 'enable',
    done: 'enabled',
    isSo: (key) => key.status === 'enabled',
    consequence: 'Anyone with their secrets can use them.',
    ends: false,
  });

const DISABLE: KeyAction = {
  verb: 'disable',
  done: 'disabled',
  isSo: (key) => key.status === 'disabled',
  consequence: 'The gateway rejects their secrets until they are enabled again.',
  ends: true,
};

export const keysDisableAction = (context: Context): Promise<Result> =>
  resultAlone(context, { ...DISABLE, disables: { writes: has(context.given, 'write'), comment: undefined } });

/**
 * Disables keys, with all generations of those that are named by their names, and declares those disabled that get no successor.
 *
 * @param replaces returns true for a key that is to get a successor
 */
export const revokeKeys = (
  context: Context,
  { comment, replaces }: { readonly comment: string; readonly replaces: (declared: DesiredKey) => boolean },
): Promise<Performed> => perform(context, { ...DISABLE, disables: { writes: true, comment }, replaces });

export const keysDeleteAction = (context: Context): Promise<Result> =>
  resultAlone(context, {
    verb: 'delete',
    done: 'deleted',
    isSo: () => false,
    consequence: 'This cannot be undone: a new key has another secret.',
    ends: true,
  });
