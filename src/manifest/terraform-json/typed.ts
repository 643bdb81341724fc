import { found, type Tree } from '../yaml/tree.ts';
import { toFlag, toNumber, toText } from './conversion.ts';
import { isNothing } from './nodes.ts';
import { Refused } from './refused.ts';
import type { Site } from './resolve.ts';
import { literalOfTree, treeOfValue } from './tree-value.ts';
import type { Value } from './value.ts';

/** The simple types of Terraform, and what a person writes for each. */
const TYPES = {
  text: [toText, 'a text'],
  flag: [toFlag, 'true or false'],
  number: [toNumber, 'a number'],
} as const satisfies Readonly<Record<string, readonly [(value: Value) => Value, string]>>;

export type SimpleType = keyof typeof TYPES;

/** Says of a value that its attribute has another type; it is broken then. */
export function refuseType(node: Tree, { what, expected }: { what: string; expected: string }, site: Site): Tree {
  if (node.broken) return node;
  site.report.problem({
    code: 'manifest.wrong-type',
    at: node.place,
    message: `Invalid value for \`${what}\`.`,
    found: found(node),
    expected,
    hint: 'Terraform refuses it as well.',
  });
  return { ...node, broken: true };
}

/** The value as its attribute has it: Terraform makes a number of "5" and a flag of "1". What it would refuse is refused. */
export function typed(node: Tree, { what, type }: { what: string; type: SimpleType }, site: Site): Tree {
  const [convert, expected] = TYPES[type];
  if (node.broken || isNothing(node)) return node;
  if (node.kind !== 'scalar') return refuseType(node, { what, expected }, site);
  try {
    return treeOfValue(convert(literalOfTree(node)), node.place, node.range);
  } catch (thrown) {
    if (thrown instanceof Refused) return refuseType(node, { what, expected }, site);
    throw thrown;
  }
}
