import { decimalOf, renderDecimal, tryParseDecimal } from '../quantity.ts';
import { excessOf, type JsonLimits } from './nesting.ts';

/** A value of JSON, as data. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/**
 * Parses JSON that nests at most 100 levels deep.
 *
 * @throws SyntaxError also for a text that nests deeper, or holds more
 */
export function parseShallowJson(text: string, most?: JsonLimits): Json {
  const excess = excessOf(text, most);
  if (excess !== undefined) throw new SyntaxError(`The JSON ${excess}`);
  return JSON.parse(text);
}

/** Renders one text for all equal JSON values: object keys sorted, no white space, undefined members omitted. */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`;
  const members: Readonly<Record<string, unknown>> = { ...value };
  let text = '';
  for (const name of Object.keys(members).sort()) {
    const member = members[name];
    if (member !== undefined) text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${canonicalJson(member)}`;
  }
  return `{${text}}`;
}

/** Returns the canonical form of a JSON text, or the text itself when it is not JSON. */
export function canonicalJsonText(text: string): string {
  try {
    return canonicalJson(parseShallowJson(text));
  } catch {
    return text;
  }
}

/** Something in a JSON text that reading and writing it again would lose. */
export type JsonLoss =
  /** A number that JavaScript would round. */
  | { readonly kind: 'number'; readonly text: string }
  /** A member that occurs twice in one object: all but the last would be dropped. */
  | { readonly kind: 'member'; readonly text: string };

/** Matches strings with the colon of a member's name, the brackets of objects and lists, and numbers. */
const PARTS = /("[^"\\]*(?:\\.[^"\\]*)*")([ \t\r\n]*:)?|[{}[\]]|-?\d[\d.eE+-]*/g;

function survives(number: string): boolean {
  const rounded = Number(number);
  const exact = Number.isFinite(rounded) ? tryParseDecimal(number) : undefined;
  return exact !== undefined && renderDecimal(exact) === renderDecimal(decimalOf(rounded));
}

/** Finds the first part that would be lost, if any. @param text valid JSON */
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
