import {
  type DesiredState,
  Fault,
  isSelected,
  type KeyMetadata,
  type KeySelection,
  LABEL_NAME,
  type LabelSelector,
  matchesKeyGlob,
  type NameGlob,
  selectsMetadata,
} from '../../domain/index.ts';
import { printable } from '../output/layout/printable.ts';
import type { Context } from '../program/command.ts';
import { type GivenFlags, texts } from '../program/option.ts';
import { declarationsOf } from './declarations.ts';

/**
 * Refuses globs of `--key` that match no key: misspelt, they would look like an account with nothing to do.
 *
 * @throws Fault `usage.invalid`
 */
export function refuseUnmatched(globs: readonly NameGlob[]): void {
  if (globs.length === 0) return;
  const listed = globs.map((glob) => `--key "${printable(glob)}"`).join(', ');
  throw new Fault('usage.invalid', `${listed} matches no key.`, {
    hint: 'Nothing was changed. `*` matches any run of characters, `?` matches one; names are case-sensitive.',
  });
}

/** The same for the owners and labels of a run. @throws Fault `usage.invalid` */
export function refuseEmptySelection({ given }: Context, selectsNothing: boolean): void {
  const selection = selectionOf(given);
  if (!selectsNothing || !selectsMetadata(selection)) return;
  const listed = [
    ...texts(given, 'owner').map((owner) => `--owner "${printable(owner)}"`),
    ...texts(given, 'label').map((label) => `--label "${printable(label)}"`),
  ].join(', ');
  throw new Fault('usage.invalid', `No selected key has ${listed}.`, {
    hint: 'Nothing was changed. The owners and labels of keys are in the manifest; they are case-sensitive.',
  });
}

function parseLabel(text: string): LabelSelector {
  const [name = '', ...rest] = text.split('=');
  if (LABEL_NAME.test(name)) return rest.length === 0 ? { name } : { name, value: rest.join('=') };
  throw new Fault('usage.invalid', `Invalid value for --label: "${printable(text)}".`, {
    hint: 'Write the name of a label, or a name and its value: --label team=search.',
  });
}

/** The keys that `--key`, `--owner` and `--label` select. @throws Fault `usage.invalid` */
export const selectionOf = (given: GivenFlags): KeySelection => ({
  names: texts(given, 'key'),
  owners: texts(given, 'owner'),
  labels: texts(given, 'label').map(parseLabel),
});

/** Is a live key selected? The declared name selects all its generations. */
export const selectsKey = ({ names = [], ...rest }: KeySelection, name: string, metadata?: KeyMetadata): boolean =>
  (names.length === 0 || matchesKeyGlob(names, name)) && isSelected(rest, [name], metadata);

/**
 * The keys that the flags select, of all that there are.
 *
 * @throws Fault `usage.invalid` when a flag selects nothing, or asks for a manifest that there is not
 */
export function selectedKeys<K extends { readonly name: string }>(
  context: Context,
  all: readonly K[],
  desired: DesiredState | undefined,
): readonly K[] {
  const selection = selectionOf(context.given);
  refuseUnmatched((selection.names ?? []).filter((glob) => !all.some(({ name }) => matchesKeyGlob([glob], name))));
  if (selectsMetadata(selection) && desired === undefined) {
    throw new Fault('usage.invalid', '--owner and --label require a manifest.', {
      hint: 'Pass the manifest that declares the keys: -f keyplane.yaml.',
    });
  }
  const { metadataOf } = declarationsOf(desired);
  const chosen = all.filter(({ name }) => selectsKey(selection, name, metadataOf(name)));
  refuseEmptySelection(context, chosen.length === 0);
  return chosen;
}
