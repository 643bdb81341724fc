import { describe, expect, it } from 'vitest';
import { cpuTimeOf } from '../cpu-time.ts';
import { READERS } from './readers.ts';

/** A text of any size: a head, many times the same, and a tail. */
type Shape = readonly [head: string, unit: string, tail: string];

/** Repetitions that took some parser quadratic time, a deep stack or all memory. */
const SHAPES: readonly Shape[] = [
  ...[
    '[',
    ']',
    '}',
    '{"a":',
    '- ',
    '? ',
    'a: ',
    '{a: ',
    '"',
    '\\',
    ':',
    ',',
    '\n',
    ' ',
    '\t',
    '#',
    '\u0000',
    'a',
    '0',
    '💥',
  ],
  ...[
    '&a ',
    '"" ',
    '*a ',
    '!!x ',
    '<<: *a\n',
    '|\n',
    '---\n',
    '${',
    '${env:X}',
    'sk-',
    'data: x\n',
    'data: {}\n\n',
    ': \n',
  ],
].map((unit): Shape => ['', unit, '']);

const DOCUMENTS: readonly Shape[] = [
  ['[', '{"a":1},', '0]'],
  ['{"data":{"items":[', '{"id":1,"name":"a"},', '{}]}}'],
  ['"', 'a', '"'],
  ['"', '\\u0041', '"'],
  ['[', '12345678901234567890,', '0]'],
  ['{"resource":{"keyplane_key":{', '"a":{"name":"${var.a}"},', '"b":{}}}}'],
  ['version: 1\nkeys:\n', '  a: {}\n', ''],
  ['version: 1\nkeys: { a: &a [], ', 'b: *a, ', 'c: 1 }'],
  ['version: 1\nkeys:\n  a: { group: "', '${env:X}', '" }'],
  ['{"version":2,"keys":{', '"7":{},', '"8":{}}}'],
  ['', '{"step":"submitted","task":"a","life":"b"}\n', ''],
];

const textOf = ([head, unit, tail]: Shape, bytes: number): string =>
  head + unit.repeat(Math.ceil(bytes / Buffer.byteLength(unit))) + tail;

const titleOf = ([head, unit]: Shape): string => JSON.stringify(`${head}${unit}…`);

/** Far more than any reader needs on a slow machine, and far less than one needs that is not linear. */
const MOST_SECONDS = 60;
const MOST_MEMORY_KIB = 3 * 1024 * 1024;

/** Reads texts of a size with each reader, and measures time and memory. */
export function describeSizes(bytesFor: (reader: string) => number): void {
  describe.each(Object.entries(READERS))('the reader of %s', (name, read) => {
    it.each([...SHAPES, ...DOCUMENTS].map((shape) => [titleOf(shape), shape] as const))(
      'answers much of %s in bounded time and memory',
      async (_title, shape) => {
        const text = textOf(shape, bytesFor(name));
        expect(await cpuTimeOf(() => read(text))).toBeLessThan(MOST_SECONDS * 1000);
        expect(process.resourceUsage().maxRSS).toBeLessThan(MOST_MEMORY_KIB);
      },
    );
  });
}
