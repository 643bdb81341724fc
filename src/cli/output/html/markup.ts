import { printableLines } from '../layout/printable.ts';

/** HTML text that is safe: only {@link html} makes it. */
export interface Markup {
  readonly markup: string;
}

type MarkupPart = Markup | string | number | undefined | false | readonly MarkupPart[];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string): string => printableLines(text).replace(/[&<>"']/g, (sign) => ENTITIES[sign] as string);

function render(part: MarkupPart): string {
  if (part === undefined || part === false) return '';
  if (typeof part === 'string' || typeof part === 'number') return escaped(String(part));
  if ('markup' in part) return part.markup;
  return part.map(render).join('');
}

/** A template whose values are text, whatever is in them, unless they are markup themselves. */
export const html = (strings: TemplateStringsArray, ...parts: readonly MarkupPart[]): Markup => ({
  markup: strings.map((text, index) => text + render(parts[index])).join(''),
});

/** Text that we wrote ourselves, such as a style sheet. */
export const trusted = (markup: string): Markup => ({ markup });
