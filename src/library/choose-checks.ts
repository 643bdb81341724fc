import type { Selected } from '../checks/index.ts';
import {
  Fault,
  isSelected,
  type KeyMetadata,
  matchesAnyGlob,
  type NameGlob,
  selectsMetadata,
} from '../domain/index.ts';
import type { Manifest } from '../manifest/index.ts';
import type { ProofRequest } from './options.ts';

type CheckSelection = Pick<ProofRequest, 'only' | 'owners' | 'labels' | 'select' | 'costly' | 'extra'>;

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

/** The keys that select checks; all declared ones where a program adds checks. */
const keysWithChecks = (
  { selections, desired }: Pick<Manifest, 'selections' | 'desired'>,
  added: readonly string[],
) => [...new Set<string>([...selections.keys(), ...(added.length > 0 ? desired.keys.map(({ name }) => name) : [])])];

/** Selects the checks of a manifest that a request asks for, before anything is sent. */
export async function chooseChecks(
  { checks, selections, desired }: Manifest,
  request: CheckSelection,
  /** Exact names of the keys to check. Default: all keys with checks. */
  among?: readonly string[],
): Promise<ChosenChecks> {
  const { adoptedIds, SELECTION_WORDS, selectChecks, validCustomChecks } = await import('../checks/index.ts');
  const { only = [], owners = [], labels = [], select = [], costly = false } = request;
  const defined = checks.map(({ name }) => name);
  const extra = validCustomChecks(request.extra ?? [], defined);
  const added = extra.map(({ name }) => name);
  const names = among ?? keysWithChecks({ selections, desired }, added);
  const selection = { names: only, owners, labels };
  const known = [...defined, ...added, ...SELECTION_WORDS];
  const word = select.find((each) => !known.includes(each));
  const metadata = new Map<string, KeyMetadata | undefined>(desired.keys.map((key) => [key.name, key.metadata]));
  const chosen = names.filter((name) => isSelected(selection, [name], metadata.get(name)));
  const declared = new Map<string, readonly string[]>(selections);
  const wordsOf = (name: string): readonly string[] => [...(declared.get(name) ?? []), ...added];
  return {
    selected: selectChecks({
      selections: new Map(chosen.map((name) => [name, wordsOf(name)])),
      adopted: adoptedIds(desired.keys),
      definitions: checks,
      custom: extra,
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
