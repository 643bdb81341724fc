/**
 * The steps of a documentation page, in order. A fenced block is a step by its language and by the comments right before
 * it:
 *
 * - `sh`: commands, one per line; `<!-- exit 2 -->` gives the exit code of the last one, 0 by default.
 * - `<!-- file: NAME -->`: the block is the text of that file.
 * - `text` with `<!-- output -->`: the standard output of the last command.
 */
export type Step =
  | { readonly kind: 'file'; readonly name: string; readonly text: string }
  | { readonly kind: 'commands'; readonly lines: readonly string[]; readonly exit: number; readonly at: number }
  | { readonly kind: 'output'; readonly text: string; readonly at: number };

const FENCE = /^```(\w*)\s*$/;
const COMMENT = /^<!--\s*(.*?)\s*-->$/;

interface Block {
  readonly language: string;
  readonly remarks: readonly string[];
  readonly lines: readonly string[];
  /** The line of the fence, from 1. */
  readonly at: number;
}

/** @throws Error when a block does not end */
function blocksOf(markdown: string): readonly Block[] {
  const lines = markdown.split('\n');
  const blocks: Block[] = [];
  let remarks: string[] = [];
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? '';
    const language = FENCE.exec(line)?.[1];
    const remark = COMMENT.exec(line)?.[1];
    if (language !== undefined) {
      const end = lines.indexOf('```', i + 1);
      if (end < 0) throw new Error(`the block of line ${i + 1} does not end`);
      blocks.push({ language, remarks, lines: lines.slice(i + 1, end), at: i + 1 });
      i = end;
    }
    if (remark !== undefined) remarks.push(remark);
    else if (line !== '') remarks = [];
  }
  return blocks;
}

/** Commands of a block: continued lines are joined, comments and empty lines left out. */
const commandsOf = (lines: readonly string[]): readonly string[] =>
  lines
    .join('\n')
    .replaceAll('\\\n', ' ')
    .split('\n')
    .map((line) => line.replace(/^\$ /, '').trim())
    .filter((line) => line !== '' && !line.startsWith('#'));

function stepOf({ language, remarks, lines, at }: Block): Step | undefined {
  const file = remarks.find((remark) => remark.startsWith('file: '))?.slice('file: '.length);
  if (file) return { kind: 'file', name: file, text: `${lines.join('\n')}\n` };
  if (remarks.includes('output')) return { kind: 'output', text: lines.join('\n'), at };
  if (language !== 'sh') return undefined;
  const exit = remarks.find((remark) => remark.startsWith('exit '))?.slice('exit '.length);
  return { kind: 'commands', lines: commandsOf(lines), exit: Number(exit ?? 0), at };
}

export const stepsOf = (markdown: string): readonly Step[] =>
  blocksOf(markdown).flatMap((block) => stepOf(block) ?? []);

/** Every `keyplane …` in the running text, between backquotes, as a whole command. */
export const inlineCommands = (markdown: string): readonly string[] =>
  [...markdown.replace(/```[\s\S]*?```/g, '').matchAll(/`(keyplane [^`]+)`/g)].map(([, command = '']) => command);

/** The page with other texts in its output blocks, in order. */
export function withOutputs(markdown: string, outputs: readonly string[]): string {
  const left = [...outputs];
  return markdown.replace(/(<!-- output -->\n```text\n)(?:(?!```).*\n)*(```)/g, (_, head: string, foot: string) => {
    return `${head}${left.shift() ?? ''}\n${foot}`;
  });
}
