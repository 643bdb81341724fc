import { canonicalJson, type Json } from '../../../domain/index.ts';
import { escapeUnseen } from '../invisible.ts';
import type { BlockValue } from '../terraform/block.ts';

const SHORT: Readonly<Record<string, string>> = { '000a': '\\n', '000d': '\\r', '0009': '\\t' };

const escapeCode = (hex: string): string => SHORT[hex] ?? (hex.length > 4 ? `\\U${hex.padStart(8, '0')}` : `\\u${hex}`);

/** Escapes the beginnings of templates. The replacer is a function, because `$$` in a replacement means one `$`. */
export const escapeTemplates = (text: string): string => text.replace(/[$%](?=\{)/g, (sign) => sign + sign);

/** Writes a string in double quotes, escaped. */
export const writeText = (text: string): string =>
  `"${escapeUnseen(escapeTemplates(text.replace(/[\\"]/g, '\\$&')), escapeCode)}"`;

const LINE_LENGTH = 100;

const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_-]*$/;

/** Names with another meaning in HCL. */
const RESERVED = /^(true|false|null|for)$/;

const writeName = (name: string): string => (IDENTIFIER.test(name) && !RESERVED.test(name) ? name : writeText(name));

interface Enclosed {
  readonly open: string;
  readonly close: string;
  readonly items: readonly string[];
  readonly between: string;
}

/** Writes items on one line if that is short, else one item for each line. */
function enclosed({ open, close, items, between }: Enclosed, indent: string): string {
  if (items.length === 0) return `${open}${close}`;
  const space = open === '{' ? ' ' : '';
  const line = `${open}${space}${items.join(', ')}${space}${close}`;
  if (indent.length + line.length <= LINE_LENGTH && !line.includes('\n')) return line;
  const lines = items.map((item) => `${indent}  ${item}${between}\n`).join('');
  return `${open}\n${lines}${indent}${close}`;
}

type WrittenMember = readonly [name: string, value: string];

const takesOneLine = ([, value]: WrittenMember): boolean => !value.includes('\n');

/** Groups adjacent members that take one line each. */
function runsOf(members: readonly WrittenMember[]): readonly (readonly WrittenMember[])[] {
  const runs: WrittenMember[][] = [];
  let last: WrittenMember | undefined;
  for (const member of members) {
    if (last !== undefined && takesOneLine(last) && takesOneLine(member)) runs.at(-1)?.push(member);
    else runs.push([member]);
    last = member;
  }
  return runs;
}

/** Writes members, with the equals signs of adjacent one-line members aligned. */
export const alignedMembers = (members: readonly WrittenMember[]): readonly string[] =>
  runsOf(members).flatMap((run) => {
    const lengths = run.map(([name]) => [...name].length);
    const width = lengths.reduce((widest, length) => Math.max(widest, length), 0);
    return run.map(([name, value], at) => `${name}${' '.repeat(width - (lengths[at] ?? 0))} = ${value}`);
  });

function writeObject(members: readonly WrittenMember[], indent: string): string {
  const items = members.map(([name, value]) => `${name} = ${value}`);
  const line = enclosed({ open: '{', close: '}', items, between: '' }, indent);
  return line.includes('\n')
    ? enclosed({ open: '{', close: '}', items: alignedMembers(members), between: '' }, indent)
    : line;
}

function writeJson(value: Json, indent: string): string {
  const deeper = `${indent}  `;
  if (typeof value === 'string') return writeText(value);
  if (Array.isArray(value)) {
    const items = value.map((item: Json) => writeJson(item, deeper));
    return enclosed({ open: '[', close: ']', items, between: ',' }, indent);
  }
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const members = Object.entries(value).map(([name, item]) => [writeName(name), writeJson(item, deeper)] as const);
  return writeObject(members, indent);
}

/** Matches JSON that `jsonencode` would write differently, which would be a change. */
const ENCODED_OTHERWISE = /[<>&\u2028\u2029\ud800-\udfff]|\\[bfu]|\d[eE][+-]?\d/;

function writeEncoded(value: Json, indent: string): string {
  const text = canonicalJson(value);
  return ENCODED_OTHERWISE.test(text) ? writeText(text) : `jsonencode(${writeJson(value, indent)})`;
}

/** Writes a value as an expression. @param indent of the line that it begins on */
export function writeValue(value: BlockValue, indent: string): string {
  const deeper = `${indent}  `;
  switch (value.kind) {
    case 'text':
      return writeText(value.text);
    case 'flag':
      return String(value.value);
    case 'number':
      return value.digits;
    case 'reference':
      return value.path;
    case 'json':
      return writeEncoded(value.value, indent);
    case 'list': {
      const items = value.items.map((item) => writeValue(item, deeper));
      return enclosed({ open: '[', close: ']', items, between: ',' }, indent);
    }
    case 'object':
      return writeObject(
        value.members.map(([name, member]) => [writeName(name), writeValue(member, deeper)] as const),
        indent,
      );
  }
}
