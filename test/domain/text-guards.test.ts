import { describe, expect, it } from 'vitest';
import { excessOf, MOST_LEVELS, parseShallowJson, visibleJson } from '../../src/domain/index.ts';

const nested = (levels: number, open = '[', close = ']'): string => open.repeat(levels) + close.repeat(levels);

describe('a text of JSON', () => {
  it.each([
    ['100 lists', nested(MOST_LEVELS)],
    ['100 objects', nested(MOST_LEVELS, '{"a":', '}')],
    ['100 lists next to 100 others', `[${nested(MOST_LEVELS - 1)},${nested(MOST_LEVELS - 1)}]`],
    [
      '100 objects next to 100 others',
      `[${nested(MOST_LEVELS - 1, '{"a":', '}')},${nested(MOST_LEVELS - 1, '{', '}')}]`,
    ],
    ['brackets within a string', `"${'['.repeat(200)}"`],
    ['brackets behind an escaped quote', `"\\"${'{'.repeat(200)}"`],
    ['brackets behind an escaped backslash and a quote', `["\\\\", ${nested(MOST_LEVELS - 1)}]`],
    ['two strings with brackets', `["${'['.repeat(99)}","${'['.repeat(99)}"]`],
    ['nothing', ''],
    ['one bracket less than too many, unclosed', '['.repeat(MOST_LEVELS)],
  ])('is shallow: %s', (_, text) => {
    expect(excessOf(text, { containers: 1_000, commas: 1_000 })).toBeUndefined();
  });

  it.each([
    ['101 lists', nested(MOST_LEVELS + 1)],
    ['101 objects', nested(MOST_LEVELS + 1, '{"a":', '}')],
    ['lists and objects', `${nested(51, '[{"a":', '}]')}`],
    ['101 lists behind a string', `"a"${nested(MOST_LEVELS + 1)}`],
    ['101 lists behind an escaped backslash', `"\\\\"${nested(MOST_LEVELS + 1)}`],
    ['101 lists behind a string with closing brackets', `"]]]"${nested(MOST_LEVELS + 1)}`],
    ['unclosed lists', '['.repeat(MOST_LEVELS + 1)],
  ])('nests too deep: %s', (_, text) => {
    expect(() => parseShallowJson(text)).toThrow(
      new SyntaxError(`The JSON nests more than ${MOST_LEVELS} levels deep`),
    );
  });
});

describe('the number of lists and objects', () => {
  it.each([
    ['lists', '[[],[]]', 3],
    ['objects', '{"a":{},"b":{}}', 3],
    ['both', '[{},"[[{{"]', 2],
    ['a text that is not valid', ']{[}', 2],
  ])('is counted: %s', (_, text, count) => {
    expect(excessOf(text, { containers: count })).toBeUndefined();
    expect(excessOf(text, { containers: count - 1 })).toBe(`holds more than ${count - 1} lists and objects`);
  });

  it('is limited on request', () => {
    expect(parseShallowJson('[[]]', { containers: 2 })).toEqual([[]]);
    expect(() => parseShallowJson('[[]]', { containers: 1 })).toThrow(
      new SyntaxError('The JSON holds more than 1 lists and objects'),
    );
  });
});

describe('the number of commas', () => {
  it.each([
    ['a list', '[1,2,"a,b"]', 2],
    ['members', '{"a,":1,"b":[2,3]}', 2],
  ])('is counted outside of strings: %s', (_, text, count) => {
    expect(excessOf(text, { commas: count })).toBeUndefined();
    expect(excessOf(text, { commas: count - 1 })).toBe(`has more than ${count - 1} commas between values`);
  });
});

describe('JSON for people', () => {
  it.each([
    ['\u202e', '"\\u202e"'],
    ['\u0000', '"\\u0000"'],
    ['\u0085', '"\\u0085"'],
    ['\u{e0001}', '"\\udb40\\udc01"'],
    ['\n', '"\\n"'],
    ['plain', '"plain"'],
  ])('shows %j as %s, which means the same', (value, text) => {
    expect(visibleJson(value)).toBe(text);
    expect(JSON.parse(text)).toBe(value);
  });

  it('keeps the lines between members', () => {
    expect(visibleJson({ a: '\u200b', b: 1 }, 2)).toBe('{\n  "a": "\\u200b",\n  "b": 1\n}');
  });
});
