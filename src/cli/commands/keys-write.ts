import { asFault, Fault, matchesAnyGlob, type ObservedKey } from '../../domain/index.ts';
import type { Manifest } from '../../manifest/index.ts';
import type { KeyStore } from '../../reconcile/index.ts';
import { EXIT, type ExitCode, exitCodeOf } from '../output/exit-codes.ts';
import { faultData, plain } from '../output/json/envelope.ts';
import { counted } from '../output/layout/amount.ts';
import { quoted } from '../output/layout/printable.ts';
import type { Context, Result } from '../program/command.ts';
import { has } from '../program/option.ts';
import { confirm } from '../session/confirm.ts';
import { withGateway } from '../session/connect.ts';
import { findKeys } from '../session/find-key.ts';
import { RUN_AGAIN } from '../session/interruption.ts';
import { tryReadManifestLeniently, tryReadManifestOf } from '../session/manifest-input.ts';
import { type DeclarationEdit, declarationData, declareKeysDisabled, reasonComment } from './declare-disabled.ts';

/** The change that one of these commands makes to each named key. */
interface KeyAction {
  readonly verb: 'enable' | 'disable' | 'delete';
  readonly done: string;
  /** Returns true when a key is in the wanted state already. */
  readonly isSo: (key: ObservedKey) => boolean;
  readonly perform: (store: KeyStore, key: ObservedKey) => Promise<void>;
  readonly consequence: string;
  /** True for an action that may stop a key from working, which protected keys must not. */
  readonly ends: boolean;
  /** For an action that stops a leak: a broken manifest does not prevent it, and the declarations follow the keys. */
  readonly disables?: { readonly writes: boolean; readonly comment: string | undefined };
}

interface ActionOutcome {
  readonly key: ObservedKey;
  readonly state: 'applied' | 'unchanged' | 'failed';
  readonly fault?: Fault;
}

/** Protection is declared for plans, and applies to commands on single keys too. */
function refuseProtected(context: Context, keys: readonly ObservedKey[], manifest: Manifest | undefined): void {
  const protect = manifest?.desired.ownership.protect ?? [];
  const names = keys.map((key) => key.name).filter((name) => matchesAnyGlob(protect, name));
  if (names.length === 0 || has(context.given, 'allow-protected')) return;
  throw new Fault('guard.protected', `Protected by the manifest: ${names.map(quoted).join(', ')}.`, {
    hint: 'Nothing was changed. To allow it for one run, pass --allow-protected.',
    detail: { names },
  });
}

async function performOn(store: KeyStore, action: KeyAction, key: ObservedKey): Promise<ActionOutcome> {
  if (action.isSo(key)) return { key, state: 'unchanged' };
  try {
    await action.perform(store, key);
    return { key, state: 'applied' };
  } catch (thrown) {
    return { key, state: 'failed', fault: asFault(thrown) };
  }
}

/** The exit code of the first fault, or “partial” when another key was changed. */
function exitOf([first, ...others]: readonly Fault[], of: number): ExitCode {
  if (!first) return EXIT.done;
  return others.length + 1 < of ? EXIT.partial : exitCodeOf(first);
}

interface Ending {
  readonly interrupted: boolean;
  /** The declarations of the keys; one that could not be edited leaves the result partial. */
  readonly edits: readonly DeclarationEdit[];
}

function resultOf(action: KeyAction, outcomes: readonly ActionOutcome[], { interrupted, edits }: Ending): Result {
  const faults = outcomes.flatMap(({ fault }) => (fault ? [fault] : []));
  const unedited = edits.flatMap(({ fault }) => (fault ? [fault] : []));
  const [first] = [...faults, ...unedited];
  const partial = faults.length === 0 && unedited.length > 0;
  const lines = outcomes.map(({ key, state, fault }) => {
    const words = { applied: action.done, unchanged: `is already ${action.done}`, failed: `FAILED: ${fault?.message}` };
    return `${quoted(key.name)} (id ${key.id}): ${words[state]}`;
  });
  return {
    exit: interrupted && first ? EXIT.interrupted : partial ? EXIT.partial : exitOf(faults, outcomes.length),
    data: plain({
      outcomes: outcomes.map(({ key, state, fault }) => ({
        state,
        change: { verb: action.verb, name: key.name, id: key.id },
        ...(fault ? { fault: faultData(fault) } : {}),
      })),
      ...(action.disables ? { declarations: edits.map(declarationData) } : {}),
    }),
    text: lines.join('\n'),
    ...(first ? { fault: first } : {}),
  };
}

async function perform(context: Context, action: KeyAction): Promise<Result> {
  const { manifest, invalid } = action.disables
    ? await tryReadManifestLeniently(context)
    : { manifest: await tryReadManifestOf(context) };
  return await withGateway(context, manifest?.gateway, async ({ store }) => {
    const keys = await findKeys(store, context.arguments);
    if (action.ends) refuseProtected(context, keys, manifest);
    const due = keys.filter((key) => !action.isSo(key));
    if (due.length > 0) {
      const named = due.map(({ name, id }) => `${quoted(name)} (id ${id})`).join(', ');
      const about = `${counted(due.length, 'key')} will be ${action.done}: ${named}. ${action.consequence}`;
      await confirm(context, { about, expect: 'yes' });
    }
    const outcomes: ActionOutcome[] = [];
    const work = async (): Promise<void> => {
      for (const key of keys) outcomes.push(await performOn(store, action, key));
    };
    const announce = (): void =>
      context.print('Interrupted: waiting for running requests. Interrupt again to exit immediately.');
    const open = () => {
      const left = due.filter((key) => !outcomes.some((one) => one.key === key));
      return { left: left.map(({ name, id }) => `${action.verb} ${quoted(name)} (id ${id})`), hint: RUN_AGAIN };
    };
    await context.interruption.finishing(work, { announce, open });
    const disabled = outcomes.flatMap(({ key, state }) => (state === 'failed' ? [] : [key]));
    const { disables } = action;
    const edits = disables ? await declareKeysDisabled(context, { manifest, invalid, keys: disabled }, disables) : [];
    for (const { message } of edits) context.print(message);
    return resultOf(action, outcomes, { interrupted: context.interruption.signal.aborted, edits });
  });
}

export const keysEnableAction = (context: Context): Promise<Result> =>
  perform(context, {
    verb: 'enable',
    done: 'enabled',
    isSo: (key) => key.status === 'enabled',
    perform: (store, { id }) => store.setEnabled(id, true),
    consequence: 'Anyone with their secrets can use them.',
    ends: false,
  });

const disable = (context: Context, disables: KeyAction['disables']): Promise<Result> =>
  perform(context, {
    verb: 'disable',
    done: 'disabled',
    isSo: (key) => key.status === 'disabled',
    perform: (store, { id }) => store.setEnabled(id, false),
    consequence: 'The gateway rejects their secrets until they are enabled again.',
    ends: true,
    ...(disables ? { disables } : {}),
  });

export const keysDisableAction = (context: Context): Promise<Result> =>
  disable(context, { writes: has(context.given, 'write'), comment: undefined });

/** Disables keys, and declares them disabled with the reason. */
export async function keysRevokeAction(context: Context): Promise<Result> {
  const comment = reasonComment(context);
  if (comment !== undefined) return await disable(context, { writes: true, comment });
  throw new Fault('usage.invalid', '`keyplane keys revoke` requires --reason.', {
    hint: 'State why the key is revoked: --reason "leaked in CI". The manifest keeps it as a comment.',
  });
}

export const keysDeleteAction = (context: Context): Promise<Result> =>
  perform(context, {
    verb: 'delete',
    done: 'deleted',
    isSo: () => false,
    perform: async (store, { id }) => void (await store.delete([id])),
    consequence: 'This cannot be undone: a new key has another secret.',
    ends: true,
  });
