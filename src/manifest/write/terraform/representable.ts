import {
  type DeclaredKind,
  type DeclaredValues,
  FIELD_ROWS,
  type Json,
  matchesAnyGlob,
  nameProblem,
} from '../../../domain/index.ts';
import type { Document, DocumentKey, Omission, OmittedKey } from '../document.ts';
import type { IncompatibilityFinder } from './incompatibility.ts';

type KeyOmission = Pick<Omission, 'field' | 'why'>;

type Finder<V> = (value: V, find: IncompatibilityFinder) => string | undefined;

const firstOf = (texts: readonly string[], find: IncompatibilityFinder): string | undefined =>
  texts.map(find).find((why) => why !== undefined);

const none = (): undefined => undefined;

/** Finds what the language would change in a value, by kind. */
const FINDERS: { readonly [K in DeclaredKind]: Finder<NonNullable<DeclaredValues[K]>> } = {
  flag: none,
  text: (value, find) => find(value),
  textSet: firstOf,
  ipSet: none,
  instant: none,
  budget: none,
  json: (text, find) => (text === '' ? undefined : find(JSON.parse(text) as Json)),
};

const NO_METADATA = 'Terraform has no such attribute; it is kept in a manifest alone';

/** The further fields of a manifest that Terraform does not have. */
const FURTHER: Readonly<Record<string, string>> = { deliver: 'Terraform does not deliver secrets' };

const NO_OVERLAP_BUDGET = 'in Terraform, a former key may spend what the budget leaves';

function incompatibilitiesOf({ desired }: DocumentKey, find: IncompatibilityFinder): readonly KeyOmission[] {
  const { renamedFrom } = desired;
  const found = FIELD_ROWS.map(([field, row]) => {
    const value = desired[field];
    const finder = FINDERS[row.kind] as Finder<typeof value>;
    return { field, why: value === undefined || value === null ? undefined : finder(value, find) };
  });
  const ofRename = { field: 'renamedFrom', why: renamedFrom === undefined ? undefined : find(renamedFrom) };
  return [...found, ofRename].flatMap(({ field, why }) => (why === undefined ? [] : [{ field, why }]));
}

/** Explains why a key must be omitted as a whole: a new key without its restrictions would be another key. */
function undeclarable(
  key: DocumentKey,
  adopts: boolean,
  findIncompatibility: IncompatibilityFinder,
): string | undefined {
  const problem = nameProblem(key.desired.name);
  if (problem !== undefined) return `its name cannot be declared there: ${problem}`;
  const ofName = findIncompatibility(key.desired.name);
  if (ofName !== undefined) return ofName;
  const [first] = adopts ? [] : incompatibilitiesOf(key, findIncompatibility);
  return first && `${first.field}: ${first.why}`;
}

function representableKey(key: DocumentKey, findIncompatibility: IncompatibilityFinder): DocumentKey {
  const incompatible = incompatibilitiesOf(key, findIncompatibility);
  const omitted = incompatible.map(({ field }) => field);
  const { name, metadata: facts = {}, rotate, ...fields } = key.desired;
  const declared = Object.entries(fields).filter(([field]) => !omitted.includes(field));
  const metadata = Object.keys(facts).map((field) => ({ field, why: NO_METADATA }));
  const verbatim = Object.entries(FURTHER).flatMap(([field, why]) => (field in key.verbatim ? [{ field, why }] : []));
  const { overlapBudget, ...rotation } = rotate ?? {};
  const ofRotation = overlapBudget === undefined ? [] : [{ field: 'rotate.overlapBudget', why: NO_OVERLAP_BUDGET }];
  return {
    ...key,
    desired: {
      name,
      ...Object.fromEntries(declared),
      ...(rotate && { rotate: { every: rotate.every, overlap: rotate.overlap, ...rotation } }),
    },
    omissions: [...key.omissions, ...incompatible, ...metadata, ...ofRotation, ...verbatim],
  };
}

/**
 * Returns what Terraform cannot express about the document as a whole.
 *
 * @param readAs the path when Keyplane reads the text; absent when only Terraform can
 */
export function generalOmissions(
  { gateway, ownership, owners = [], keys }: Document,
  readAs?: string,
): readonly Omission[] {
  const { scope, prune, protect } = ownership;
  const names = keys.map(({ desired }) => desired.name);
  const unused = protect.filter((glob) => !names.some((name) => matchesAnyGlob([glob], name)));
  const elsewhere =
    readAs === undefined ? '' : `; for Keyplane, declare it in a manifest and pass that along with ${readAs}`;
  const own = `the state of Terraform determines which keys it owns${elsewhere}`;
  return [
    ...(gateway.accessTokenFile === undefined
      ? []
      : [{ field: 'gateway.accessTokenFile', why: 'set KEYPLANE_ACCESS_TOKEN instead' }]),
    ...(scope ? [{ field: `ownership.scope ${scope.join(', ')}`, why: own }] : []),
    ...(prune === 'never'
      ? []
      : [{ field: `ownership.prune ${prune}`, why: `Terraform deletes keys that are no longer declared${elsewhere}` }]),
    ...(owners.length > 0 ? [{ field: 'owners', why: NO_METADATA }] : []),
    ...unused.map((glob) => ({ field: `ownership.protect ${glob}`, why: 'no declared key matches it' })),
  ];
}

/** Keeps what Terraform can express. Each key lists its omissions. */
export function representable(document: Document, findIncompatibility: IncompatibilityFinder): Document {
  const judged = document.keys.map((key) => ({ key, reason: undeclarable(key, document.adopts, findIncompatibility) }));
  const omittedKeys = judged.flatMap(({ key: { id, desired }, reason }): OmittedKey[] =>
    reason === undefined ? [] : [{ ...(id === undefined ? {} : { id }), name: desired.name, reason }],
  );
  const keys = judged.flatMap(({ key, reason }) =>
    reason === undefined ? [representableKey(key, findIncompatibility)] : [],
  );
  return { ...document, keys, omittedKeys: [...document.omittedKeys, ...omittedKeys] };
}
