import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KeyRecord, keyFromWire, parseJson, RESPONSE_LIMITS, renderJson, updateBody } from '../../src/wire/index.ts';

describe('JSON of the wire', () => {
  it('agrees with JSON, for any JSON value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        expect(JSON.parse(renderJson(parseJson(text)))).toEqual(JSON.parse(text));
      }),
    );
  });

  it.each(['9007199254740993', '-9223372036854775808', '18446744073709551615', '123456789012345678901234567890'])(
    'keeps the integer %s',
    (digits) => {
      expect(renderJson(parseJson(`{"a":[${digits}]}`))).toBe(`{"a":[${digits}]}`);
    },
  );

  it('keeps numbers that a JavaScript number can hold as such, next to others that it cannot', () => {
    expect(parseJson('[9007199254740993,9007199254740991,0.1,1e21,-0]')).toEqual([
      9007199254740993n,
      9007199254740991,
      0.1,
      1e21,
      -0,
    ]);
  });

  it.each(['', '{', '[1234567890123456', '{"a":12345678901234567,}'])('refuses %j', (text) => {
    expect(() => parseJson(text)).toThrow(SyntaxError);
  });

  it.each([
    ['short numbers', '1'],
    ['long numbers', '12345678901234567'],
  ])('holds as many lists as any response needs, and not one more, with %s', (_, digits) => {
    const withLists = (count: number): string =>
      `[${Array(count - 1)
        .fill('[]')
        .join(',')},${digits}]`;
    const { containers = 0, commas = 0 } = RESPONSE_LIMITS;
    expect(parseJson(withLists(containers))).toHaveLength(containers);
    expect(() => parseJson(withLists(containers + 1))).toThrow(`more than ${containers} lists and objects`);
    const numbers = (count: number): string => `[${Array(count).fill(digits).join(',')}]`;
    expect(parseJson(numbers(commas + 1))).toHaveLength(commas + 1);
    expect(() => parseJson(numbers(commas + 2))).toThrow(`more than ${commas} commas`);
  });

  it('so an update echoes a large id in a field that nobody knows', () => {
    const raw = parseJson('{"id":7,"name":"a","status":1,"snowflake":1790837102937194497}') as Record<string, unknown>;
    const body = updateBody(keyFromWire(KeyRecord.parse(raw), raw), { group: 'vip' });
    expect(renderJson(body)).toContain('"snowflake":1790837102937194497');
  });
});
