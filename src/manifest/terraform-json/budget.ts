import { type Entry, type Fields, found, type Tree } from '../yaml/tree.ts';
import { type AMOUNT_TYPES, BUDGET_TYPES } from './key-attributes.ts';
import { isNothing, scalarAt } from './nodes.ts';
import type { Site } from './resolve.ts';
import { refuseType, type SimpleType, typed } from './typed.ts';

const OBJECT = 'an object';

type Types = Readonly<Record<string, SimpleType | typeof AMOUNT_TYPES>>;

/** The attributes of an object, each with its type; what is null is absent, and nothing else is. */
function objectTree(node: Tree, { what, types }: { what: string; types: Types }, site: Site): Tree {
  if (node.kind !== 'map') return refuseType(node, { what, expected: OBJECT }, site);
  const given = node.entries.filter((entry) => !isNothing(entry.node));
  const entries = given.map((entry): Entry => {
    const type = Object.hasOwn(types, entry.name) ? types[entry.name] : undefined;
    const path = `${what}.${entry.name}`;
    if (type === undefined) return entry;
    const made =
      typeof type === 'string'
        ? typed(entry.node, { what: path, type }, site)
        : objectTree(entry.node, { what: path, types: type }, site);
    return { ...entry, node: made };
  });
  return { ...node, entries, broken: node.broken || entries.some((entry) => entry.node.broken) };
}

const isFalse = ({ node }: Entry): boolean => node.kind === 'scalar' && node.value === false;

/** A flag that is false says as little as null: modules pass it along. */
const isGiven = (entry: Entry): boolean => !(BUDGET_TYPES[entry.name as 'initial'] === 'flag' && isFalse(entry));

function unlimited(node: Fields, { report }: Site): Tree {
  const others = node.entries.filter(({ name }) => name !== 'unlimited');
  if (others.length === 0) return scalarAt(node, 'unlimited');
  report.problem({
    code: 'manifest.invalid-value',
    at: node.place,
    message: 'A budget that is unlimited has nothing else.',
    found: found(node),
    expected: '`{ "unlimited": true }`, or an amount',
    hint: `Take "unlimited" out, or ${others.map(({ name }) => `\`${name}\``).join(' and ')}.`,
  });
  return { ...node, broken: true };
}

/** A budget as the manifest writes it, of the object that Terraform has for all its forms. */
export function budgetTree(node: Tree, site: Site): Tree {
  const made = objectTree(node, { what: 'budget', types: BUDGET_TYPES }, site);
  if (made.kind !== 'map' || made.broken) return made;
  const given = { ...made, entries: made.entries.filter(isGiven) };
  return given.entries.some(({ name }) => name === 'unlimited') ? unlimited(given, site) : given;
}
