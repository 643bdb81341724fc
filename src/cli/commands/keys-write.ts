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
import { tryReadManifestOf } from '../session/manifest-input.ts';

/** What one of these commands does to each key that was named. */
interface Deed {
  readonly verb: 'enable' | 'disable' | 'delete';
  readonly done: string;
  /** Is it so already? */
  readonly isSo: (key: ObservedKey) => boolean;
  readonly perform: (store: KeyStore, key: ObservedKey) => Promise<void>;
  readonly consequence: string;
  /** May it end a key's working? Then a protected key is not for it. */
  readonly ends: boolean;
}

interface Deeds {
  readonly key: ObservedKey;
  readonly state: 'applied' | 'unchanged' | 'failed';
  readonly fault?: Fault;
}

/** Protection is declared for plans, and holds by hand too. */
function refuseProtected(context: Context, keys: readonly ObservedKey[], manifest: Manifest | undefined): void {
  const protect = manifest?.desired.ownership.protect ?? [];
  const names = keys.map((key) => key.name).filter((name) => matchesAnyGlob(protect, name));
  if (names.length === 0 || has(context.given, 'allow-protected')) return;
  throw new Fault('guard.protected', `Protected by the manifest: ${names.map(quoted).join(', ')}.`, {
    hint: 'Nothing was changed. --allow-protected allows it for this one run.',
    detail: { names },
  });
}

async function performOn(store: KeyStore, deed: Deed, key: ObservedKey): Promise<Deeds> {
  if (deed.isSo(key)) return { key, state: 'unchanged' };
  try {
    await deed.perform(store, key);
    return { key, state: 'applied' };
  } catch (thrown) {
    return { key, state: 'failed', fault: asFault(thrown) };
  }
}

/** What went wrong first, unless something was done: then “in part”. */
function exitOf([first, ...others]: readonly Fault[], of: number): ExitCode {
  if (!first) return EXIT.done;
  return others.length + 1 < of ? EXIT.partial : exitCodeOf(first);
}

function resultOf(deed: Deed, deeds: readonly Deeds[], interrupted: boolean): Result {
  const faults = deeds.flatMap(({ fault }) => (fault ? [fault] : []));
  const [first] = faults;
  const lines = deeds.map(({ key, state, fault }) => {
    const words = { applied: deed.done, unchanged: `is ${deed.done} already`, failed: `FAILED: ${fault?.message}` };
    return `${quoted(key.name)} (id ${key.id}): ${words[state]}`;
  });
  return {
    exit: interrupted && first ? EXIT.interrupted : exitOf(faults, deeds.length),
    data: plain({
      outcomes: deeds.map(({ key, state, fault }) => ({
        state,
        change: { verb: deed.verb, name: key.name, id: key.id },
        ...(fault ? { fault: faultData(fault) } : {}),
      })),
    }),
    text: lines.join('\n'),
    ...(first ? { fault: first } : {}),
  };
}

async function perform(context: Context, deed: Deed): Promise<Result> {
  const manifest = await tryReadManifestOf(context);
  return await withGateway(context, manifest?.gateway, async ({ store }) => {
    const keys = await findKeys(store, context.arguments);
    if (deed.ends) refuseProtected(context, keys, manifest);
    const due = keys.filter((key) => !deed.isSo(key));
    if (due.length > 0) {
      const named = due.map(({ name, id }) => `${quoted(name)} (id ${id})`).join(', ');
      const about = `${counted(due.length, 'key')} will be ${deed.done}: ${named}. ${deed.consequence}`;
      await confirm(context, { about, expect: 'yes' });
    }
    const deeds: Deeds[] = [];
    const work = async (): Promise<void> => {
      for (const key of keys) deeds.push(await performOn(store, deed, key));
    };
    const announce = (): void => context.say('Interrupted: once more ends at once.');
    const open = () => {
      const left = due.filter((key) => !deeds.some((one) => one.key === key));
      return { left: left.map(({ name, id }) => `${deed.verb} ${quoted(name)} (id ${id})`), hint: RUN_AGAIN };
    };
    await context.interruption.finishing(work, { announce, open });
    return resultOf(deed, deeds, context.interruption.signal.aborted);
  });
}

export const keysEnableAction = (context: Context): Promise<Result> =>
  perform(context, {
    verb: 'enable',
    done: 'enabled',
    isSo: (key) => key.status === 'enabled',
    perform: (store, { id }) => store.setEnabled(id, true),
    consequence: 'Whoever holds their secrets may use them.',
    ends: false,
  });

export const keysDisableAction = (context: Context): Promise<Result> =>
  perform(context, {
    verb: 'disable',
    done: 'disabled',
    isSo: (key) => key.status === 'disabled',
    perform: (store, { id }) => store.setEnabled(id, false),
    consequence: 'Their secrets are refused until they are enabled again.',
    ends: true,
  });

export const keysDeleteAction = (context: Context): Promise<Result> =>
  perform(context, {
    verb: 'delete',
    done: 'deleted',
    isSo: () => false,
    perform: async (store, { id }) => void (await store.delete([id])),
    consequence: 'This can not be undone: a key made anew has another secret.',
    ends: true,
  });
