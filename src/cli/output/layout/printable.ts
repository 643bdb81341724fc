import { maskCredentials, visibleText } from '../../../domain/index.ts';

/**
 * Text that came from elsewhere, made harmless for one line of a terminal or of a log: what is unsafe is shown as `\u{1b}`, and
 * what looks like a credential, which somebody put into the wrong place, is not shown.
 */
export const printable = (text: string): string => visibleText(maskCredentials(text));

/** The same for text of several lines: line feeds stay. */
export const printableLines = (text: string): string => text.split('\n').map(printable).join('\n');

/** A name in a sentence: as it is when it is one plain word, else in quotes. */
export function quoted(name: string): string {
  const shown = printable(name);
  return /^[\p{L}\p{N}._~:@/+-]+$/u.test(shown) ? shown : `"${shown.replaceAll('"', '\\"')}"`;
}

/** A name as a word of a command that people copy into a shell, where double quotes would let it run programs. */
export const shellWord = (name: string): string => {
  const shown = printable(name);
  return /^[\w.:@/+-]+$/.test(shown) ? shown : `'${shown.replaceAll("'", "'\\''")}'`;
};

/** At most `length` characters, with an ellipsis where something is missing. */
export function shortened(text: string, length: number): string {
  const characters = [...text];
  return characters.length <= length ? text : `${characters.slice(0, Math.max(0, length - 1)).join('')}…`;
}
