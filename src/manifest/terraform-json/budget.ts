import type { Report } from '../problem.ts';
import { type Entry, type Fields, found, type Tree } from '../tree.ts';
import { isNothing, scalarAt, withoutNothing } from './nodes.ts';

/** `false` says as little as null: modules pass it along. */
const isGiven = ({ node }: Entry): boolean =>
  !isNothing(node) && !(node.kind === 'scalar' && (node.value === false || node.value === 'false'));

function unlimited(node: Fields, given: readonly Entry[], report: Report): Tree {
  const others = given.filter(({ name }) => name !== 'unlimited');
  if (others.length === 0) return scalarAt(node, 'unlimited');
  report.problem({
    code: 'manifest.invalid-value',
    at: node.place,
    message: 'A budget that is unlimited has nothing else.',
    found: found({ ...node, entries: given }),
    expected: '`{ "unlimited": true }`, or an amount',
    hint: `Take "unlimited" out, or ${others.map(({ name }) => `\`${name}\``).join(' and ')}.`,
  });
  return { ...node, broken: true };
}

/** A budget as the manifest writes it, of the object that Terraform has for all its forms. */
export function budgetTree(node: Tree, report: Report): Tree {
  if (node.kind !== 'map' || node.broken) return node;
  const given = node.entries.filter(isGiven);
  if (given.some(({ name }) => name === 'unlimited')) return unlimited(node, given, report);
  const entries = given.map((entry) =>
    entry.name === 'below' ? { ...entry, node: withoutNothing(entry.node) } : entry,
  );
  return { ...node, entries };
}
