// A page of transcripts: a heading for each line or rule, the commands with their answers, and at the end a table that
// says for every line where it is shown.
import { runShown } from './curl.mjs';

const anchorOf = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');

const fenced = (language, text) => `\`\`\`${language}\n${text}\n\`\`\``;
const cell = (text) => text.replaceAll('|', '\\|');

async function renderSection({ title, says, steps }, gateway) {
  const parts = [`## ${title}`, ...(says ? [says] : [])];
  const outputs = [];
  // One after the other: what one changes the next one sees, and may be made of what it answered.
  for (const [note, given] of steps) {
    const command = typeof given === 'function' ? given(outputs) : given;
    const output = await runShown(command, gateway);
    outputs.push(output);
    parts.push(note, fenced('sh', command), fenced('text', output === '' ? '(nothing)' : output));
  }
  return parts.join('\n\n');
}

function whereShown(where, titles) {
  if (typeof where === 'object' && !Array.isArray(where)) return where.not;
  return [where]
    .flat()
    .map((title) => {
      if (!titles.has(title)) throw new Error(`there is no section “${title}”`);
      return `[${title}](#${anchorOf(title)})`;
    })
    .join(', ');
}

function renderLines(lines, titles) {
  const chapters = Object.entries(lines).map(([chapter, rows]) => {
    const table = rows.map(([line, where]) => `| ${cell(line)} | ${whereShown(where, titles)} |`);
    return [`### ${chapter}`, ['| line | shown by |', '| --- | --- |', ...table].join('\n')].join('\n\n');
  });
  return chapters.join('\n\n');
}

/**
 * The page of one gateway, whose state its commands change in the order in which they stand.
 *
 * @param page.lines by chapter, pairs of a line and the titles of the sections that show it, or `{ not: why }`
 */
export async function renderPage({ title, intro, sections, linesTitle, lines }, gateway) {
  const titles = new Set(sections.map((section) => section.title));
  if (titles.size !== sections.length) throw new Error(`two sections of “${title}” have one title`);
  const parts = [`# ${title}`, '<!-- Made by scripts/generate-transcripts.mjs. Do not edit. -->', intro];
  for (const section of sections) parts.push(await renderSection(section, gateway));
  parts.push(`## ${linesTitle}`, renderLines(lines, titles));
  return `${parts.join('\n\n')}\n`;
}
