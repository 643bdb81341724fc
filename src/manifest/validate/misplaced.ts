import type { Report } from '../../source/index.ts';
import { isBudgetPart } from '../schema/advice/field.ts';
import { didYouMean, inFlow } from '../schema/advice/form.ts';
import { type Entry, exactData, hasReferences, type MapNode } from '../yaml/node.ts';

/** Does a field of this name belong inside an empty field of that name? */
export type Belongs = (outer: string, inner: Entry) => boolean;

const isEmpty = ({ node }: Entry): boolean => node.kind === 'scalar' && node.value === null && !node.broken;

const named = (entries: readonly Entry[]): string => {
  const names = entries.map(({ name }) => `\`${name}\``);
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
};

function reportColumn(outer: Entry, inner: readonly Entry[], report: Report): void {
  const [first] = inner;
  if (!first) return;
  report.problem({
    code: 'manifest.unknown-field',
    at: first.at,
    message: `${named(inner)} must be indented deeper than \`${outer.name}\` to be part of it.`,
    found: named(inner),
    expected: `fields of \`${outer.name}\`, indented below it`,
    hint: `Indent ${named(inner)} by two more spaces.`,
  });
}

/**
 * Reports fields in the column of the empty field that they belong to, once for all of them.
 * @returns the entries that are reported: the empty ones and what follows them
 */
export function reportInColumn({ entries }: MapNode, belongs: Belongs, report: Report): ReadonlySet<Entry> {
  const reported = new Set<Entry>();
  for (const [i, outer] of entries.entries()) {
    if (reported.has(outer) || !isEmpty(outer)) continue;
    const end = entries.findIndex((inner, at) => at > i && !belongs(outer.name, inner));
    const inner = entries.slice(i + 1, end < 0 ? undefined : end);
    if (inner.length === 0) continue;
    reportColumn(outer, inner, report);
    for (const entry of [outer, ...inner]) reported.add(entry);
  }
  return reported;
}

/** Reports the parts of a budget that are fields of the key, once for all of them. @returns those entries */
export function reportLooseBudget(entries: readonly Entry[], report: Report): ReadonlySet<Entry> {
  const parts = entries.filter(({ name }) => isBudgetPart(name));
  const [first] = parts;
  if (!first) return new Set();
  const budget = entries.find(({ name }) => name === 'budget');
  const data = parts.map(({ name, node }) => [name, exactData(node)]);
  const isAmount = parts.some(({ name }) => name === 'usd' || name === 'quota');
  const mayShow = !parts.some(({ node }) => hasReferences(node) || node.broken);
  report.problem({
    code: 'manifest.unknown-field',
    at: first.at,
    message: `${named(parts)} must be inside \`budget\`.`,
    found: named(parts),
    expected: '`budget: { usd: 25, per: month }`',
    hint:
      !budget && isAmount && mayShow
        ? didYouMean(`budget: ${inFlow(Object.fromEntries(data))}`)
        : `Move ${named(parts)} into \`budget\`.`,
  });
  return new Set(parts);
}
