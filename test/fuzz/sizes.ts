import { describe, expect, it } from 'vitest';
import { cpuTimeOf } from '../cpu-time.ts';
import { READERS } from './readers.ts';

/** A text of any size: a head, many times the same or with another number, and a tail. */
type Shape = readonly [head: string, unit: string | ((number: number) => string), tail: string];

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

const TERRAFORM =
  '{"provider":{"keyplane":[{"url":"https://gateway.example","user_id":42}]},' +
  '"terraform":{"required_providers":{"keyplane":{"source":"keyplane/keyplane"}}},"resource":{';

const DOCUMENTS: readonly Shape[] = [
  ['[', '{"a":1},', '0]'],
  ['{"data":{"items":[', '{"id":1,"name":"a"},', '{}]}}'],
  ['"', 'a', '"'],
  ['"', '\\u0041', '"'],
  ['[', '12345678901234567890,', '0]'],
  ['{"resource":{"keyplane_api_key":{', '"a":{"name":"${var.a}"},', '"b":{}}}}'],
  [
    `${TERRAFORM}"keyplane_api_key":{`,
    (n) => `"k${n}":{"name":"k${n}","budget":{"usd":1,"per":"lifetime"}},`,
    '"b":{"name":"b"}}}}',
  ],
  [`${TERRAFORM}"keyplane_api_key":{"a":{"name":"a",`, (n) => `"groop${n}":1,`, '"group":"b"}}}}'],
  [`${TERRAFORM}"keyplane_api_key":{`, (n) => `"k${n}":{"name":"k${n}","groop":1},`, '"b":{"name":"b"}}}}'],
  ['{"provider":{"keyplane":[', (n) => `{"alias":"a${n}"},`, '{}]}}'],
  ['version: 1\nkeys:\n', '  a: {}\n', ''],
  ['version: 1\nkeys:\n', (n) => `  k${n}: { budget: { usd: 1 } }\n`, ''],
  ['version: 1\nkeys:\n  a:\n', (n) => `    groop${n}: 1\n`, ''],
  ['version: 1\n', (n) => `keis${n}: 1\n`, ''],
  ['version: 1\nkeys:\n', (n) => `  k${n}: { groop: 1 }\n`, ''],
  ['version: 1\nkeys: { a: &a [], ', 'b: *a, ', 'c: 1 }'],
  ['version: 1\nkeys:\n  a: { group: "', '${env:X}', '" }'],
  ['{"version":2,"keys":{', (n) => `"${n}":{},`, '"x":{}}}'],
  ['{', (n) => `"x${n}":1,`, '"y":1}'],
  ['', '{"step":"submitted","task":"a","life":"b"}\n', ''],
];

function textOf([head, unit, tail]: Shape, bytes: number): string {
  const unitOf = typeof unit === 'string' ? () => unit : unit;
  const units: string[] = [];
  for (let length = 0; length < bytes; ) {
    const next = unitOf(units.length);
    units.push(next);
    length += Buffer.byteLength(next);
  }
  return head + units.join('') + tail;
}

const titleOf = ([head, unit]: Shape): string =>
  JSON.stringify(`${head.slice(-60)}${typeof unit === 'string' ? unit : unit(1)}…`);

/** Twice the CPU time that the slowest reader took for a text of its limit; one that is not linear needs far more. */
const MOST_SECONDS = 25;
const MOST_MEMORY_KIB = 2 * 1024 * 1024;

/** Reads texts of a size with each reader, and measures time and memory. */
export function describeSizes(bytesFor: (reader: string) => number): void {
  describe.each(Object.entries(READERS))('the reader of %s', (name, read) => {
    it.each([...SHAPES, ...DOCUMENTS].map((shape) => [titleOf(shape), shape] as const))(
      'answers much of %s in bounded time and memory',
      async (_title, shape) => {
        const text = textOf(shape, bytesFor(name));
        const earlierPeak = process.resourceUsage().maxRSS;
        expect(await cpuTimeOf(() => read(text))).toBeLessThan(MOST_SECONDS * 1000);
        // The peak is that of the process: a test file that ran before in it may have needed more.
        const peak = process.resourceUsage().maxRSS;
        expect(peak > earlierPeak ? peak : 0).toBeLessThan(MOST_MEMORY_KIB);
      },
    );
  });
}
