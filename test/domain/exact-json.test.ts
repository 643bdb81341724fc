import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lossOfJson, parseShallowJson, visibleJson } from '../../src/domain/index.ts';

const levels = (count: number, open = '[', close = ']'): string => open.repeat(count) + close.repeat(count);

describe('JSON of at most 100 levels', () => {
  it.each([
    levels(100),
    levels(50, '{"a":[', ']}'),
    `[${'[],{},'.repeat(101)}0]`,
    `["${'['.repeat(101)}"]`,
    `["\\"${'{'.repeat(101)}"]`,
  ])('is parsed: %s', (text) => {
    expect(parseShallowJson(text)).toEqual(JSON.parse(text));
  });

  it.each([
    levels(101),
    levels(50, '{"a":[', ']}').replace('[]', '[[]]'),
    `["${']}'.repeat(60)}",${levels(100)}]`,
    `["\\\\",${levels(100)}]`,
  ])('is all that is parsed, and not %s', (text) => {
    expect(() => parseShallowJson(text)).toThrow(new SyntaxError('The JSON nests more than 100 levels deep'));
  });
});

describe('JSON without invisible characters', () => {
  it('has escapes for them, and line ends between its members', () => {
    const value = { a: '\u200b\u{e0001}\n\u007fä' };
    expect(visibleJson(value, 1)).toBe('{\n "a": "\\u200b\\udb40\\udc01\\n\\u007fä"\n}');
    expect(JSON.parse(visibleJson(value))).toEqual(value);
  });
});

describe('what JSON loses when it is read and written', () => {
  it.each([
    ['[12345678901234567890123]', 'number', '12345678901234567890123'],
    ['[1,{"a":1e400}]', 'number', '1e400'],
    ['-0.1000000000000000055', 'number', '-0.1000000000000000055'],
    ['1e-9999', 'number', '1e-9999'],
    ['[{"a":1.0,"a":2}]', 'member', 'a'],
    ['{"a":{"b":1},"\\u0061" :{"b":1}}', 'member', 'a'],
    ['{"__proto__":1,"__proto__":1}', 'member', '__proto__'],
  ])('reports %s', (text, kind, what) => {
    expect(lossOfJson(text)).toEqual({ kind, text: what });
  });

  it.each([
    '{"a":{"a":[{"a":1},{"a":2}]},"b":"a"}',
    '["12345678901234567890123","a\\":","a\\\\"]',
    '[1.0,1e3,-0,5e-7,1e21,0.1]',
    '{"{":1,"[":2,"\\"":3,"1e400":4}',
  ])('is nothing of %s', (text) => {
    expect(lossOfJson(text)).toBeUndefined();
  });

  it('is nothing of what JavaScript wrote itself', () => {
    fc.assert(fc.property(fc.json(), (text) => lossOfJson(JSON.stringify(JSON.parse(text))) === undefined));
  });
});
