import { expect, test } from 'vitest';
import { readText } from './scratch.ts';

/** The problems with the keys of one manifest: the line of each, its message, and the lines that it refers to. */
const problems = async (...keys: readonly string[]): Promise<readonly string[]> => {
  const { diagnostics } = await readText(`version: 1\nkeys:\n${keys.map((key) => `  ${key}\n`).join('')}`);
  return diagnostics.map(({ message, place, related = [] }) =>
    [`${place?.line} ${message}`, ...related.map((other) => `${other.place.line} ${other.message}`)].join(' / '),
  );
};

test.each<[string, readonly string[], readonly string[]]>([
  ['one', ['a: { renamedFrom: b }'], []],
  ['two in the same direction', ['a: { renamedFrom: b }', 'b: { renamedFrom: c }'], []],
  ['another case of its own name', ['A: { renamedFrom: a }'], []],
  ['itself', ['a: { renamedFrom: a }'], ['3 A key cannot be renamed from itself.']],
  [
    'one source of two keys',
    ['a: { renamedFrom: c }', 'b: { renamedFrom: c }'],
    ['4 Two keys are renamed from the same key. / 3 first rename'],
  ],
  [
    'a key that is declared',
    ['a: { renamedFrom: b }', 'b: {}'],
    ['3 The former name is also declared as a key. / 4 declared here'],
  ],
  [
    'an ID that is declared',
    ['a: { renamedFrom: { id: 7 } }', 'b: { id: 7, name: b }'],
    ['3 The former name is also declared as a key. / 4 declared here'],
  ],
  [
    'a circle of two',
    ['a: { renamedFrom: b }', 'b: { renamedFrom: a }'],
    ['3 These renames form a cycle.', '4 These renames form a cycle.'],
  ],
  [
    'a circle that others lead to',
    ['a: { renamedFrom: b }', 'b: { renamedFrom: c }', 'c: { renamedFrom: b }'],
    ['4 These renames form a cycle.', '5 Two keys are renamed from the same key. / 3 first rename'],
  ],
])('renames lead to %s', async (_, keys, expected) => {
  expect(await problems(...keys)).toEqual(expected);
});
