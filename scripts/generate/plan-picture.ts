import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type GeneratedFiles, ROOT } from './generated-files.ts';

const [WIDTH, LINE, LEFT, TOP] = [760, 19, 20, 44] as const;

/** Colours of lines by how they begin, as the program prints them on a terminal. */
const COLOURS: readonly (readonly [RegExp, string])[] = [
  [/^\+ /, '#7ee787'],
  [/^~ /, '#e3b341'],
  [/^(?:Maximum|Plan)\b/, '#ffffff'],
  [/^Notes|^ {2}- /, '#8b949e'],
];

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

function lineOf(text: string, index: number): string {
  const colour = COLOURS.find(([pattern]) => pattern.test(text))?.[1] ?? '#c9d1d9';
  return `<text x="${LEFT}" y="${TOP + (index + 1) * LINE}" fill="${colour}" xml:space="preserve">${escaped(text)}</text>`;
}

function picture(text: string): string {
  const lines = text.split('\n');
  const height = TOP + (lines.length + 1) * LINE;
  const dots = ['#ff5f57', '#febc2e', '#28c840'].map(
    (colour, at) => `<circle cx="${24 + at * 20}" cy="22" r="6" fill="${colour}"/>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,monospace" font-size="14">
<title>keyplane plan</title>
<rect width="${WIDTH}" height="${height}" rx="8" fill="#0d1117"/>
${dots.join('')}
${lines.map(lineOf).join('\n')}
</svg>
`;
}

/** Writes docs/plan.svg: the first plan of the README, which a test compares with the output of the program. */
export function generatePlanPicture(files: GeneratedFiles): void {
  const [, plan] =
    /<!-- output -->\n```text\n([\s\S]*?)\n```/.exec(readFileSync(join(ROOT, 'README.md'), 'utf8')) ?? [];
  if (plan === undefined) files.fail('README.md shows no plan');
  else files.settle('docs/plan.svg', picture(`$ keyplane plan\n${plan}`));
}
