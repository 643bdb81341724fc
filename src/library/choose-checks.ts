import type { Selected } from '../checks/index.ts';
import { Fault, isSelected, matchesAnyGlob, type NameGlob, selectsMetadata } from '../domain/index.ts';
import type { Manifest } from '../manifest/index.ts';
import type { ProofRequest } from './options.ts';

type CheckSelection = Pick<ProofRequest, 'only' | 'owners' | 'labels' | 'select' | 'costly'>;

/** The checks that a request selects, and the parts of the request that select nothing. */
export interface ChosenChecks {
  readonly selected: readonly Selected[];
  /** The first word that is not a check, and all words that are. */
  readonly unknown?: { readonly word: string; readonly known: readonly string[] };
  /** Globs that match no key with checks. */
  readonly unmatched: readonly NameGlob[];
  /** Owners and labels that no key with checks has. */
  readonly selectsNothing: boolean;
}

/** Selects the checks of a manifest that a request asks for, before anything is sent. */
export async function chooseChecks(
  { checks, selections, desired }: Manifest,
  request: CheckSelection,
  /** Exact names of the keys to check. Default: all keys with checks. */
  names: readonly string[] = [...selections.keys()],
): Promise<ChosenChecks> {
  const { adoptedIds, SELECTION_WORDS, selectChecks } = await import('../checks/index.ts');
  const { only = [], owners = [], labels = [], select = [], costly = false } = request;
  const selection = { names: only, owners, labels };
  const known = [...checks.map(({ name }) => name), ...SELECTION_WORDS];
  const word = select.find((each) => !known.includes(each));
  const metadata = new Map(desired.keys.map((key) => [key.name as string, key.metadata]));
  const chosen = [...selections].filter(
    ([name]) => names.includes(name) && isSelected(selection, [name], metadata.get(name)),
  );
  return {
    selected: selectChecks({
      selections: new Map(chosen),
      adopted: adoptedIds(desired.keys),
      definitions: checks,
      asked: select,
      costly,
    }),
    ...(word === undefined ? {} : { unknown: { word, known } }),
    unmatched: only.filter((glob) => !names.some((name) => matchesAnyGlob([glob], name))),
    selectsNothing: selectsMetadata(selection) && chosen.length === 0,
  };
}

/** An empty run would look like success. @throws Fault `usage.invalid` */
export function refuseMeaningless(chosen: ChosenChecks, { only = [], select = [] }: CheckSelection): void {
  const { selected, unknown, unmatched, selectsNothing } = chosen;
  if (unknown) {
    throw new Fault('usage.invalid', `There is no check, module, kind or class ${JSON.stringify(unknown.word)}.`);
  }
  if (unmatched.length > 0) {
    const globs = unmatched.map((glob) => JSON.stringify(glob)).join(', ');
    throw new Fault('usage.invalid', `No key with checks matches ${globs}.`, { detail: { unmatched } });
  }
  if (selectsNothing || (selected.length === 0 && only.length + select.length > 0)) {
    throw new Fault('usage.invalid', 'The request selects no check of any key.');
  }
}
