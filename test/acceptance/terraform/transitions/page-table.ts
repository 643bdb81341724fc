import type { Transition } from './cells.ts';

/** The words for transitions, and tables in Markdown. */

export const HEADS: Readonly<Record<Transition, string>> = {
  set: 'set, and changed',
  omit: 'omitted',
  null: '`null`',
  'null element': 'with a null element, or a null part of an object',
  unknown: 'unknown until the apply',
  'read-only': 'set although read-only',
  'ignore alone': 'in `ignore_changes`, and changed',
  'ignore and other': 'the same, next to another change',
  drift: 'changed at the gateway',
  import: 'imported',
  move: 'under another label',
  replace: 'replaced',
  remove: 'removed from the configuration',
};

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
