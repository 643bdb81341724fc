import type { CheckReport, CheckResult } from '../../../domain/index.ts';
import { clip, padEnd, widthOf } from '../layout/columns.ts';
import type { Paint } from '../layout/paint.ts';
import { printable } from '../layout/printable.ts';
import { MARKS, markOf } from './signs.ts';

/** Keys and checks of a report, each once, in the order in which they first occur. */
export interface Axes {
  readonly keys: readonly string[];
  readonly checks: readonly string[];
  readonly at: (key: string, check: string) => CheckResult | undefined;
}

export function axesOf({ results }: Pick<CheckReport, 'results'>): Axes {
  const cells = new Map(results.map((result) => [JSON.stringify([result.key, result.check]), result]));
  return {
    keys: [...new Set(results.map(({ key }) => key))],
    checks: [...new Set(results.map(({ check }) => check))],
    at: (key, check) => cells.get(JSON.stringify([key, check])),
  };
}

const GAP = '  ';
const LEAST_LABEL = 32;

interface Heading {
  readonly title: string;
  readonly check: string;
}

const widthFor = (headings: readonly Heading[]): number =>
  headings.reduce((sum, { title }) => sum + widthOf(title) + GAP.length, 0);

/** A name in at most `room` columns. Names often differ at their end, so the middle is shortened. */
function fitted(name: string, room: number): string {
  if (widthOf(name) <= room) return name;
  const before = clip(name, Math.ceil(room / 2));
  let end = name;
  while (widthOf(end) > room - widthOf(before)) end = [...end].slice(1).join('');
  return before + end;
}

/** Columns in blocks that are as wide as the page allows. */
function blocksOf(headings: readonly Heading[], room: number): readonly (readonly Heading[])[] {
  const blocks: Heading[][] = [[]];
  let used = 0;
  for (const heading of headings) {
    const width = widthOf(heading.title) + GAP.length;
    if (used + width > room && blocks.at(-1)?.length) {
      blocks.push([]);
      used = 0;
    }
    blocks.at(-1)?.push(heading);
    used += width;
  }
  return blocks;
}

function renderBlock(
  axes: Axes,
  headings: readonly Heading[],
  { label, paint }: { label: number; paint: Paint },
): string {
  const head = `${' '.repeat(label)}${headings.map(({ title }) => GAP + title).join('')}`;
  const lines = axes.keys.map((key) => {
    const cells = headings.map(({ title, check }) => {
      const result = axes.at(key, check);
      const look = result && MARKS[markOf(result)];
      return GAP + (look ? padEnd(paint[look.colour](look.sign), widthOf(title)) : padEnd(' ', widthOf(title)));
    });
    return `${padEnd(fitted(printable(key), label), label)}${cells.join('')}`.trimEnd();
  });
  return [paint.faint(head.trimEnd()), ...lines].join('\n');
}

/** Numbers in place of names, with what they mean. */
function legendOf(headings: readonly Heading[], width: number): string {
  const items = headings.map(({ title, check }) => `${title} ${printable(check)}`);
  const lines: string[] = [];
  for (const item of items) {
    const longer = `${lines.at(-1)}   ${item}`;
    if (lines.length > 0 && widthOf(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(fitted(item, width));
  }
  return lines.join('\n');
}

/** Keys down, checks across: with their names where those fit, else with numbers and a legend. */
export function renderMatrix(
  report: Pick<CheckReport, 'results'>,
  { paint, width }: { paint: Paint; width: number },
): string {
  const axes = axesOf(report);
  const longest = axes.keys.reduce((most, key) => Math.max(most, widthOf(printable(key))), 0);
  const named = axes.checks.map((check): Heading => ({ title: printable(check), check }));
  if (longest + widthFor(named) <= width) return renderBlock(axes, named, { label: longest, paint });
  const numbered = axes.checks.map((check, index): Heading => ({ title: String(index + 1), check }));
  // A name may be longer than half of the page.
  const label = Math.min(longest, Math.max(LEAST_LABEL, width - widthFor(numbered)));
  const blocks = blocksOf(numbered, width - label).map((block) => renderBlock(axes, block, { label, paint }));
  return [...blocks, legendOf(numbered, width)].join('\n\n');
}
