import { type DesiredKey, type Json, matchesAnyGlob } from '../../../domain/index.ts';
import type { Document, DocumentKey, Remark, UnsaidKey } from '../document.ts';
import type { Oddity } from './oddity.ts';

type Unsaid = Pick<Remark, 'field' | 'why'>;

/** What the language would make something else of, by the field that says it. */
const PROBLEMS: Readonly<Record<string, (desired: DesiredKey, oddity: Oddity) => string | undefined>> = {
  group: ({ group = '' }, oddity) => oddity(group),
  models: ({ models }, oddity) =>
    models?.includes('any') ? 'a model that is called "any" would mean any model' : firstOf(models ?? [], oddity),
  smartRouting: ({ smartRouting = '""' }, oddity) => oddity(JSON.parse(smartRouting) as Json),
  renamedFrom: ({ renamedFrom = '' }, oddity) => oddity(renamedFrom),
};

const firstOf = (texts: readonly string[], oddity: Oddity): string | undefined =>
  texts.map(oddity).find((why) => why !== undefined);

const NOT_YET = 'Terraform has no word for it, and it does not act yet';

const odditiesOf = ({ desired }: DocumentKey, oddity: Oddity): readonly Unsaid[] =>
  Object.entries(PROBLEMS).flatMap(([field, problem]) => {
    const why = problem(desired, oddity);
    return why === undefined ? [] : [{ field, why }];
  });

/** Why a key is better not declared at all: made anew without its restrictions, it would be another key. */
function undeclarable(key: DocumentKey, adopts: boolean, oddity: Oddity): string | undefined {
  const ofName = oddity(key.desired.name);
  if (ofName !== undefined) return ofName;
  const [odd] = adopts ? [] : odditiesOf(key, oddity);
  return odd && `${odd.field}: ${odd.why}`;
}

function sayableKey(key: DocumentKey, oddity: Oddity): DocumentKey {
  const odd = odditiesOf(key, oddity);
  const without = odd.map(({ field }) => field);
  const desired = Object.fromEntries(Object.entries(key.desired).filter(([field]) => !without.includes(field)));
  const unimplemented: readonly Unsaid[] = Object.keys(key.unimplemented).map((field) => ({ field, why: NOT_YET }));
  const unsaid = odd.map(({ field, why }) => ({ field, why }));
  return { ...key, desired: desired as unknown as DesiredKey, unsaid: [...key.unsaid, ...unsaid, ...unimplemented] };
}

/**
 * What Terraform can not say of the whole.
 *
 * @param readAs what `-f` names when Keyplane applies it; absent where only Terraform can
 */
export function unsaidOfAll({ gateway, ownership, keys }: Document, readAs?: string): readonly Remark[] {
  const { scope, prune, protect } = ownership;
  const names = keys.map(({ desired }) => desired.name);
  const idle = protect.filter((glob) => !names.some((name) => matchesAnyGlob([glob], name)));
  const beside =
    readAs === undefined ? '' : `; for keyplane, put it in a manifest beside it: -f ${readAs} -f ownership.yaml`;
  const own = `the state of Terraform says which keys are its own${beside}`;
  return [
    ...(gateway.accessTokenFile === undefined
      ? []
      : [{ field: 'gateway.accessTokenFile', why: 'give the access token in KEYPLANE_ACCESS_TOKEN' }]),
    ...(scope ? [{ field: `ownership.scope ${scope.join(', ')}`, why: own }] : []),
    ...(prune === 'never'
      ? []
      : [{ field: `ownership.prune ${prune}`, why: `Terraform deletes what is no longer declared${beside}` }]),
    ...idle.map((glob) => ({ field: `ownership.protect ${glob}`, why: 'no declared key has such a name' })),
  ];
}

/** The document with what the languages of Terraform can say; what they can not is told by the keys. */
export function sayable(document: Document, oddity: Oddity): Document {
  const judged = document.keys.map((key) => ({ key, reason: undeclarable(key, document.adopts, oddity) }));
  const unsaidKeys = judged.flatMap(({ key: { id, desired }, reason }): UnsaidKey[] =>
    reason === undefined ? [] : [{ ...(id === undefined ? {} : { id }), name: desired.name, reason }],
  );
  const keys = judged.flatMap(({ key, reason }) => (reason === undefined ? [sayableKey(key, oddity)] : []));
  return { ...document, keys, unsaidKeys: [...document.unsaidKeys, ...unsaidKeys] };
}
