import { Fault, type KeyId, keyId, matchesAnyGlob } from '../../domain/index.ts';
import { openKeyWriter, type Removal } from '../../engine/index.ts';
import type { Manifest } from '../../manifest/index.ts';
import { type DuplicateKeys, type DuplicateOptions, findDuplicates } from '../../reconcile/index.ts';
import { adviceOf, duplicatesData, renderDuplicates } from '../output/duplicates.ts';
import { EXIT, exitCodeOf, strongestExit } from '../output/exit-codes.ts';
import { counted } from '../output/layout/amount.ts';
import { quoted } from '../output/layout/printable.ts';
import type { Scale } from '../output/setting.ts';
import type { Context, Result } from '../program/command.ts';
import { count, has, texts } from '../program/option.ts';
import { confirm } from '../session/confirm.ts';
import { withLockedAccount } from '../session/lock/locks.ts';
import { tryReadManifestOf } from '../session/manifest-input.ts';
import { whileReading } from '../session/progress.ts';

function optionsOf({ given }: Context, manifest: Manifest | undefined): DuplicateOptions {
  const keep = texts(given, 'keep').map((text) => {
    if (/^[1-9]\d{0,14}$/.test(text)) return keyId(Number(text));
    throw new Fault('usage.invalid', `Invalid value for --keep: ${quoted(text)}.`, { hint: 'Expected a key ID.' });
  });
  const maxLogPages = count(given, 'max-log-pages', 1);
  const adopted = (manifest?.desired.keys ?? []).flatMap(({ id }) => id ?? []);
  return { keep, adopted, ...(maxLogPages === undefined ? {} : { maxLogPages }) };
}

/** @throws Fault `usage.invalid` when an ID to keep is not one of the duplicates: it would keep nothing */
function refuseStrange(keep: readonly KeyId[], groups: readonly DuplicateKeys[]): void {
  const known = new Set(groups.flatMap(({ twins }) => twins.map(({ key }) => key.id)));
  const strange = keep.filter((id) => !known.has(id));
  if (strange.length === 0) return;
  throw new Fault('usage.invalid', `No other key has the name of key ${strange.join(', ')}.`, {
    hint: '--keep names one of several keys with one name.',
  });
}

function refuseProtected(context: Context, groups: readonly DuplicateKeys[], manifest: Manifest | undefined): void {
  const protect = manifest?.desired.ownership.protect ?? [];
  const names = groups.filter(({ name, remove }) => remove.length > 0 && matchesAnyGlob(protect, name));
  if (names.length === 0 || has(context.given, 'allow-protected')) return;
  throw new Fault(
    'guard.protected',
    `Protected by the manifest: ${names.map(({ name }) => quoted(name)).join(', ')}.`,
    {
      hint: 'Nothing was changed. To allow it for one run, pass --allow-protected.',
      detail: { names: names.map(({ name }) => name) },
    },
  );
}

const removable = (groups: readonly DuplicateKeys[]): readonly KeyId[] => groups.flatMap(({ remove }) => remove);

function resultOf(groups: readonly DuplicateKeys[], { removed, fault }: Removal, scale: Scale, width: number): Result {
  const kept = removable(groups).filter((id) => !removed.has(id));
  const lines = [
    ...[...removed].map((id) => `key ${id}: deleted`),
    ...kept.map((id) => `key ${id}: not deleted${fault ? '' : ', because it was used or changed meanwhile'}`),
    ...adviceOf(groups),
  ];
  const isOpen = kept.length > 0 || groups.some(({ undecided }) => undecided !== undefined);
  return {
    exit: strongestExit([isOpen ? EXIT.pending : EXIT.done, ...(fault ? [exitCodeOf(fault)] : [])]),
    data: { duplicates: duplicatesData(groups, removed, scale) },
    text: [renderDuplicates(groups, scale, width), ...(lines.length > 0 ? ['', ...lines] : [])].join('\n'),
    ...(fault && { fault }),
  };
}

/** Shows the keys that share a name, and removes those that nobody uses. */
export async function keysDedupeAction(context: Context): Promise<Result> {
  const manifest = await tryReadManifestOf(context);
  const options = optionsOf(context, manifest);
  return await withLockedAccount(context, manifest?.gateway, async ({ store }, locks) => {
    const [groups, quotaPerUnit] = await whileReading(context, () =>
      Promise.all([findDuplicates(store, options), store.quotaPerUnit()]),
    );
    refuseStrange(options.keep ?? [], groups);
    if (groups.length === 0) {
      return { exit: EXIT.done, data: { duplicates: [] }, text: 'No two keys have the same name.' };
    }
    const scale = { quotaPerUnit, now: context.now() };
    const chosen = removable(groups);
    if (chosen.length === 0) return resultOf(groups, { removed: new Set() }, scale, context.width.out);
    refuseProtected(context, groups, manifest);
    context.print(renderDuplicates(groups, scale, context.width.err));
    const about = `${counted(chosen.length, 'unused key')} will be deleted: ids ${chosen.join(', ')}. This cannot be undone; each name keeps a key.`;
    // Afterwards each key is read again, so a wait for another run makes nothing stale.
    await locks.takeClaim();
    await confirm(context, { about, expect: 'yes' });
    const writer = openKeyWriter({ store, now: context.now, locks, signal: context.interruption.signal });
    const removal = await writer.removeDuplicates(chosen, options);
    return resultOf(groups, removal, scale, context.width.out);
  });
}
