import { escapeUnseen } from '../invisible.ts';
import type { Expression, Property } from './expression.ts';

/** The style of common formatters: 120 columns, single quotes, trailing commas. */
const LINE_LENGTH = 120;
const STEP = '  ';

const SHORT: Readonly<Record<string, string>> = { '000a': '\\n', '000d': '\\r', '0009': '\\t' };

const escapeCode = (hex: string): string => SHORT[hex] ?? (hex.length > 4 ? `\\u{${hex}}` : `\\u${hex}`);

const count = (text: string, sign: string): number => text.split(sign).length - 1;

/** Writes a string in single quotes, or in double quotes if they need fewer escapes. */
export function printText(text: string): string {
  const quote = count(text, "'") > count(text, '"') ? '"' : "'";
  const escaped = escapeUnseen(text.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`), escapeCode);
  return `${quote}${escaped}${quote}`;
}

const IDENTIFIER = /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u;

/** A plain `__proto__` would set the prototype. */
function printName(name: string): string {
  if (name === '__proto__') return "['__proto__']";
  return IDENTIFIER.test(name) && printText(name) === `'${name}'` ? name : printText(name);
}

const isNumber = (expression: Expression): boolean => expression.kind === 'verbatim' && /^-?\d/.test(expression.code);

const lengthOf = (expression: Expression): number => {
  if (expression.kind === 'list') return expression.items.length;
  return expression.kind === 'object' ? expression.members.length : 0;
};

/** Formatters put each object of a list on its own line. */
const isRowOfObjects = (items: readonly Expression[]): boolean =>
  items.length > 1 && items.every((item) => item.kind === items[0]?.kind && lengthOf(item) > 1);

const breaksAnyway = (expression: Expression): boolean => {
  if (expression.kind === 'list') return isRowOfObjects(expression.items) || expression.items.some(breaksAnyway);
  return expression.kind === 'object' && expression.members.some(([, value]) => breaksAnyway(value));
};

function onOneLine(expression: Expression): string {
  if (expression.kind === 'text') return printText(expression.text);
  if (expression.kind === 'verbatim') return expression.code;
  if (expression.kind === 'list') return `[${expression.items.map(onOneLine).join(', ')}]`;
  const members = expression.members.map(([name, value]) => `${printName(name)}: ${onOneLine(value)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

/** Fills lines with numbers. */
function filled(items: readonly string[], indent: string): string {
  const lines: string[] = [];
  for (const item of items) {
    const last = lines.at(-1);
    const longer = `${last}, ${item}`;
    if (last !== undefined && indent.length + longer.length + 1 <= LINE_LENGTH) lines[lines.length - 1] = longer;
    else lines.push(item);
  }
  return lines.map((line) => `${indent}${line},\n`).join('');
}

interface Position {
  /** The indentation of the line that the value begins on. */
  readonly indent: string;
  /** The columns of this line before and after the value. */
  readonly before: number;
  readonly behind: number;
}

function printList(items: readonly Expression[], indent: string): string {
  const deeper = indent + STEP;
  if (items.every(isNumber)) return `[\n${filled(items.map(onOneLine), deeper)}${indent}]`;
  const lines = items.map((item) => `${deeper}${print(item, { indent: deeper, before: deeper.length, behind: 1 })},\n`);
  return `[\n${lines.join('')}${indent}]`;
}

/** Is the name so short that moving its value to the next line would not help? */
const isShortName = (name: string): boolean => name.length < STEP.length + 3;

function printProperty([name, value]: Property, indent: string): string {
  const label = printName(name);
  const before = indent.length + label.length + 2;
  const printed = print(value, { indent, before, behind: 1 });
  const isTooLong = value.kind === 'text' && before + printed.length + 1 > LINE_LENGTH && !isShortName(label);
  return isTooLong ? `${indent}${label}:\n${indent}${STEP}${printed},\n` : `${indent}${label}: ${printed},\n`;
}

/** Writes an object with one member for each line. */
export const printMembers = (members: readonly Property[], indent: string): string =>
  `{\n${members.map((member) => printProperty(member, indent + STEP)).join('')}${indent}}`;

/** Writes a value, on one line if it fits. */
export function print(expression: Expression, { indent, before, behind }: Position): string {
  const line = onOneLine(expression);
  const fits = before + line.length + behind <= LINE_LENGTH && !breaksAnyway(expression);
  if (fits || lengthOf(expression) === 0) return line;
  if (expression.kind === 'list') return printList(expression.items, indent);
  return expression.kind === 'object' ? printMembers(expression.members, indent) : line;
}
