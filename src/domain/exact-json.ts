import { decimalOf, renderDecimal, tryParseDecimal } from './quantity.ts';

/** What of a text of JSON would not survive being read and written again. */
export type JsonLoss =
  /** JavaScript would round it. */
  | { readonly kind: 'number'; readonly text: string }
  /** The same member twice in one object: all but the last would be dropped. */
  | { readonly kind: 'member'; readonly text: string };

/** Texts with the colon of a member's name, signs of objects and lists, numbers. */
const PARTS = /("[^"\\]*(?:\\.[^"\\]*)*")([ \t\r\n]*:)?|[{}[\]]|-?\d[\d.eE+-]*/g;

function survives(number: string): boolean {
  const rounded = Number(number);
  const exact = Number.isFinite(rounded) ? tryParseDecimal(number) : undefined;
  return exact !== undefined && renderDecimal(exact) === renderDecimal(decimalOf(rounded));
}

/** The first thing that would be lost, if anything. @param text what `JSON.parse` takes */
export function lossOfJson(text: string): JsonLoss | undefined {
  const open: Set<string>[] = [];
  for (const [part, name, colon] of text.matchAll(PARTS)) {
    if (part === '{' || part === '[') open.push(new Set());
    else if (part === '}' || part === ']') open.pop();
    else if (name === undefined && !survives(part)) return { kind: 'number', text: part };
    else if (name !== undefined && colon !== undefined) {
      const member = JSON.parse(name) as string;
      if (open.at(-1)?.has(member)) return { kind: 'member', text: member };
      open.at(-1)?.add(member);
    }
  }
  return undefined;
}
