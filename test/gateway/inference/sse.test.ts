import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DONE, readEvents, valuesIn } from '../../../src/gateway/inference/sse.ts';
import { all } from './scripted-inference.ts';

async function* cutInto(bytes: Uint8Array, places: readonly number[]) {
  const ends = [...new Set([...places.map((place) => place % (bytes.length + 1)), bytes.length])].sort((a, b) => a - b);
  let begin = 0;
  for (const end of ends) {
    yield bytes.subarray(begin, end);
    begin = end;
  }
}

const eventsOf = (text: string, places: readonly number[] = []) =>
  all(readEvents(cutInto(new TextEncoder().encode(text), places)));

const dataOf = async (text: string) => (await eventsOf(text)).map(({ data }) => data);

describe('the events of a stream', () => {
  test.each([
    ['line feeds', 'data: 1\n\ndata: 2\n\n'],
    ['carriage returns with line feeds', 'data: 1\r\n\r\ndata: 2\r\n\r\n'],
    ['carriage returns', 'data: 1\r\rdata: 2\r\r'],
    ['a byte order mark', '\uFEFFdata: 1\n\ndata: 2\n\n'],
    ['comments', ': ping\n\ndata: 1\n: more\n\n:\n\ndata: 2\n\n'],
    ['no blank after the colon', 'data:1\n\ndata:2\n\n'],
    ['other fields', 'id: 7\nretry: 10\nevent: x\ndata: 1\n\nunknown: y\ndata: 2\n\n'],
    ['no blank line at the end', 'data: 1\n\ndata: 2'],
    ['a carriage return at the end', 'data: 1\n\ndata: 2\r'],
  ])('are the same with %s', async (_title, text) => {
    expect(await dataOf(text)).toEqual(['1', '2']);
  });

  test('include an error without a field name, which some gateways append', async () => {
    expect(await dataOf('data: 1\n\n: PING\n\n{"error": {"code": "E"}}\n')).toEqual(['1', '{"error": {"code": "E"}}']);
  });

  test('end where too many lines are not part of any event', async () => {
    const withLines = (count: number): string => `data: 1\n\n${'|\n'.repeat(count)}\ndata: 2\n\n`;
    const inTwo = async (count: number) => {
      const text = withLines(count);
      return (await eventsOf(text, [text.length - 'data: 2\n\n'.length])).map(({ data }) => data);
    };
    expect(await inTwo(1_000)).toEqual(['1', '2']);
    expect(await inTwo(1_001)).toEqual(['1']);
  });

  test('join the lines of one event', async () => {
    expect(await dataOf('data: {\ndata: "a": 1}\n\n')).toEqual(['{\n"a": 1}']);
  });

  test('are the same however the bytes are split', async () => {
    const line = fc.constantFrom(
      'data: {"a":"ä€😀"}',
      'data: ',
      'data:x',
      ': note ü',
      'event: done',
      'id: 1',
      'data: [DONE]',
      '',
      '',
      '\uFEFF',
    );
    const end = fc.constantFrom('\n', '\r\n', '\r');
    const text = fc
      .array(fc.tuple(line, end), { maxLength: 20 })
      .map((lines) => lines.map(([content, eol]) => content + eol).join(''));
    await fc.assert(
      fc.asyncProperty(text, fc.array(fc.nat(500), { maxLength: 30 }), async (given, places) => {
        expect(await eventsOf(given, places)).toEqual(await eventsOf(given));
      }),
      { numRuns: 500 },
    );
  });

  test('are the same byte by byte', async () => {
    const text = '\uFEFFdata: {"a":"€😀"}\r\n\r\n: x\r\ndata: 2\rdata: 3\n\r\ndata: [DONE]';
    const every = Array.from({ length: 200 }, (_, place) => place);
    expect(await eventsOf(text, every)).toEqual(await eventsOf(text));
    expect(await dataOf(text)).toEqual(['{"a":"€😀"}', '2\n3', '[DONE]']);
  });
});

describe('the values of an event', () => {
  test('are one value, even on several lines', () => {
    expect(valuesIn('{\n"a": 1\n}')).toEqual([{ a: 1 }]);
  });

  test('are several where the blank lines between events are missing', () => {
    expect(valuesIn('{"a":1}\n{"a":2}\n[DONE]')).toEqual([{ a: 1 }, { a: 2 }, DONE]);
  });

  test('are empty for an empty event', () => {
    expect(valuesIn(' ')).toEqual([]);
  });

  test('throw when they are not JSON', () => {
    expect(() => valuesIn('{"a":')).toThrow(SyntaxError);
    expect(() => valuesIn('{"a":1}\n{"a":')).toThrow(SyntaxError);
  });
});
