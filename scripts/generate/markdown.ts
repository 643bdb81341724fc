type Cell = string | number;

const cell = (content: Cell): string => String(content).replaceAll('|', '\\|').replaceAll('\n', ' ');
const row = (cells: readonly Cell[]): string => `| ${cells.map(cell).join(' | ')} |`;

export const table = (head: readonly string[], rows: readonly (readonly Cell[])[]): string =>
  [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n');

export const code = (text: string): string => `\`${text}\``;

export const fenced = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``;
