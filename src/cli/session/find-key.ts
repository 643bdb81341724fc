import { closest, distance } from 'fastest-levenshtein';
import {
  byText,
  Fault,
  keyId,
  matchesGlob,
  type NameGlob,
  type ObservedKey,
  stemOf,
  tryParseGeneration,
} from '../../domain/index.ts';
import { type KeyStore, underDeclaredNames } from '../../reconcile/index.ts';
import { quoted } from '../output/layout/printable.ts';

/** Numbers are ids; a key whose name is a number is reached as `name:123`. */
const ID = /^[1-9]\d{0,14}$/;
const NAME_PREFIX = 'name:';

/** A key as it is named on the command line. */
export type KeyReference = { readonly id: number } | { readonly name: string };

function parseReference(text: string): KeyReference {
  if (text.startsWith(NAME_PREFIX)) return { name: text.slice(NAME_PREFIX.length) };
  return ID.test(text) ? { id: Number(text) } : { name: text };
}

/** A name that somebody may have mistyped. */
function nearest(keys: readonly ObservedKey[], name: string): string {
  const similar =
    keys.length === 0
      ? undefined
      : closest(
          name,
          keys.map((key) => key.name),
        );
  if (similar === undefined || distance(name, similar) > 2) return 'Names must match exactly.';
  return `Did you mean ${quoted(similar)}? Names must match exactly.`;
}

function findIn(keys: readonly ObservedKey[], reference: KeyReference): ObservedKey {
  const found = keys.filter((key) => ('id' in reference ? key.id === reference.id : key.name === reference.name));
  const [first, second] = found;
  const shown = 'id' in reference ? `id ${reference.id}` : quoted(reference.name);
  if (!first) {
    const hint =
      'id' in reference ? `For a key with this name, write name:${reference.id}.` : nearest(keys, reference.name);
    throw new Fault('gateway.not-found', `This account has no key ${shown}.`, {
      hint: `${hint} \`keyplane keys list\` lists the keys.`,
    });
  }
  if (!second) return first;
  const ids = found.map((key) => key.id).sort((a, b) => a - b);
  throw new Fault('plan.ambiguous', `${ids.length} keys are named ${shown}: ids ${ids.join(', ')}.`, {
    hint: 'Use the ID of the key that you mean.',
    detail: { ids },
  });
}

/** A name means the current generation of its key. */
const keysFor = (keys: readonly ObservedKey[], reference: KeyReference): readonly ObservedKey[] =>
  'name' in reference ? underDeclaredNames([reference.name], keys) : keys;

/** The older generations of a key that is meant by its name. An ID means one generation. */
const olderOf = (
  keys: readonly ObservedKey[],
  reference: KeyReference,
  current: ObservedKey,
): readonly ObservedKey[] =>
  'name' in reference
    ? keys.filter(
        ({ id, name }) =>
          id !== current.id && (name === reference.name || tryParseGeneration(name)?.stem === stemOf(reference.name)),
      )
    : [];

/**
 * The keys that were meant, each once, in the order given. Every reference must be settled before anything is done to
 * any of them.
 *
 * @param generations `all`: a name also means the older generations of its key
 * @throws Fault `gateway.not-found`, `plan.ambiguous`
 */
export async function findKeys(
  store: KeyStore,
  words: readonly string[],
  generations: 'current' | 'all' = 'current',
): Promise<readonly ObservedKey[]> {
  const references = words.map(parseReference);
  const [only, ...others] = references;
  if (only && others.length === 0 && 'id' in only) {
    const key = await store.tryRead(keyId(only.id));
    return [findIn(key ? [key] : [], only)];
  }
  const keys = await store.walk();
  const byId = new Map(keys.map((key) => [key.id, key]));
  const found = references.flatMap((reference) => {
    const current = findIn(keysFor(keys, reference), reference);
    return [current, ...(generations === 'all' ? olderOf(keys, reference, current) : [])];
  });
  return [...new Set(found.map((key) => byId.get(key.id) ?? key))];
}

const isGlob = (word: string): boolean => /[*?]/.test(word) && !word.startsWith(NAME_PREFIX);

/**
 * The same for words of which some may be globs, which mean all keys with such a name.
 *
 * @param declared the names of the manifest: a glob means the current generations of these keys
 * @param mayMatch false: a glob is refused
 * @throws Fault `usage.invalid`, and as `findKeys` does
 */
export async function findMatchingKeys(
  store: KeyStore,
  words: readonly string[],
  { declared, mayMatch }: { readonly declared: readonly string[]; readonly mayMatch: boolean },
): Promise<readonly ObservedKey[]> {
  const globs = words.filter(isGlob);
  const [glob] = globs;
  if (glob === undefined) return await findKeys(store, words);
  if (!mayMatch) {
    throw new Fault('usage.invalid', `${quoted(glob)} may match many keys.`, {
      hint: `To continue with all of them, pass --yes. For a key with this name, write name:${glob}.`,
    });
  }
  const keys = await store.walk();
  const known = underDeclaredNames(declared, keys);
  const found: ObservedKey[] = [];
  for (const word of words) {
    const matched = isGlob(word) ? matching(known, word) : await findKeys(store, [word]);
    if (matched.length === 0) refuseUnmatchedWord(word);
    found.push(...matched);
  }
  return [...new Map(found.map((key) => [key.id, key])).values()];
}

const matching = (keys: readonly ObservedKey[], glob: NameGlob): readonly ObservedKey[] =>
  keys.filter(({ name }) => matchesGlob(glob, name)).sort((a, b) => byText(a.name, b.name));

function refuseUnmatchedWord(word: string): never {
  throw new Fault('gateway.not-found', `${quoted(word)} matches no key of this account.`, {
    hint: '`*` matches any run of characters, `?` matches one; names are case-sensitive.',
  });
}
