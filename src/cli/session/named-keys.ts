import { type DesiredState, Fault, type KeyName, type ObservedKey, selectsMetadata } from '../../domain/index.ts';
import type { KeyStore } from '../../reconcile/index.ts';
import { quoted } from '../output/layout/printable.ts';
import type { Context } from '../program/command.ts';
import { currentIds } from './declarations.ts';
import { selectedKeys, selectionOf } from './key-filter.ts';

/**
 * Does a command line select keys by `--owner` and `--label`, instead of naming them? Never both: a name that a selection leaves out
 * would look like a key with nothing to do.
 *
 * @throws Fault `usage.invalid` for both, or neither
 */
export function selectsKeys({ arguments: words, given, command }: Context): boolean {
  const selects = selectsMetadata(selectionOf(given));
  if (selects && words.length > 0) {
    throw new Fault('usage.invalid', 'Keys are both named and selected by --owner or --label.', {
      hint: `Name the keys, or select them. Nothing was done to ${words.map(quoted).join(', ')}.`,
    });
  }
  if (selects || words.length > 0) return selects;
  throw new Fault('usage.invalid', 'No key is named.', {
    hint: `\`keyplane ${command.path.join(' ')} --help\` shows how to name keys, or to select them by owner and label.`,
  });
}

/**
 * Reads the keys that a command line selects by the metadata of the manifest.
 *
 * @param generations `all`: the older generations of declared keys, too
 * @throws Fault `usage.invalid` when there is no manifest, or it selects nothing
 */
export async function readSelectedKeys(
  context: Context,
  store: KeyStore,
  {
    desired,
    generations = 'current',
  }: { readonly desired: DesiredState | undefined; readonly generations?: 'current' | 'all' },
): Promise<readonly ObservedKey[]> {
  const all = await store.walk();
  const current = generations === 'all' ? undefined : currentIds(desired, all);
  return selectedKeys(
    context,
    all.filter(({ id }) => current?.has(id) ?? true),
    desired,
  );
}

/** The names of the declared keys that a command line selects. @throws Fault `usage.invalid` when it selects nothing */
export const selectedNames = (context: Context, desired: DesiredState): readonly KeyName[] =>
  selectedKeys(context, desired.keys, desired).map(({ name }) => name);
