import type { Seed } from '../../../src/reference/index.ts';
import { fenced, table } from '../markdown.ts';
import { runShown } from './curl.ts';

/** A remark and a command, which can be built from the outputs of the commands before it. */
export type Step = readonly [remark: string, command: string | ((outputs: readonly string[]) => string)];

export interface Section {
  readonly title: string;
  readonly about?: string;
  readonly steps: readonly Step[];
}

/** The titles of the sections that show a line, or the reason why none does. */
type Evidence = string | readonly string[] | { readonly not: string };

/** By chapter, the lines of a contract. */
export type Lines = Readonly<Record<string, readonly (readonly [line: string, evidence: Evidence])[]>>;

/** The transcripts of one gateway, whose state the commands change in their order. */
export interface Page {
  readonly seed: Seed;
  readonly title: string;
  readonly intro: string;
  readonly sections: readonly Section[];
  readonly linesTitle: string;
  readonly lines: Lines;
}

const NOTICE = '<!-- Generated from scripts/generate/transcripts by `npm run generate`. Do not edit. -->';

const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');

async function renderSection({ title, about, steps }: Section, gateway: string): Promise<string> {
  const parts = [`## ${title}`, ...(about ? [about] : [])];
  const outputs: string[] = [];
  // One after the other: each command sees the state that the one before left.
  for (const [remark, given] of steps) {
    const command = typeof given === 'function' ? given(outputs) : given;
    const output = await runShown(command, gateway);
    outputs.push(output);
    parts.push(remark, fenced('sh', command), fenced('text', output === '' ? '(nothing)' : output));
  }
  return parts.join('\n\n');
}

function renderEvidence(evidence: Evidence, titles: ReadonlySet<string>): string {
  if (typeof evidence === 'object' && 'not' in evidence) return evidence.not;
  return [evidence]
    .flat()
    .map((title) => {
      if (!titles.has(title)) throw new Error(`there is no section “${title}”`);
      return `[${title}](#${anchorOf(title)})`;
    })
    .join(', ');
}

const renderLines = (lines: Lines, titles: ReadonlySet<string>): string =>
  Object.entries(lines)
    .map(([chapter, rows]) => {
      const cells = rows.map(([line, evidence]) => [line, renderEvidence(evidence, titles)]);
      return `### ${chapter}\n\n${table(['line', 'shown by'], cells)}`;
    })
    .join('\n\n');

/** Runs the commands of a page and renders it: the sections, and a table of the lines with the sections that show them. */
export async function renderPage(
  { title, intro, sections, linesTitle, lines }: Page,
  gateway: string,
): Promise<string> {
  const titles = new Set(sections.map((section) => section.title));
  if (titles.size !== sections.length) throw new Error(`two sections of “${title}” have the same title`);
  const parts = [`# ${title}`, NOTICE, intro];
  for (const section of sections) parts.push(await renderSection(section, gateway));
  parts.push(`## ${linesTitle}`, renderLines(lines, titles));
  return `${parts.join('\n\n')}\n`;
}
