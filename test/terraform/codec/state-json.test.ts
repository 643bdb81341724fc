import { describe, expect, it } from 'vitest';
import { isOfType, valueFromState } from '../../../src/terraform/codec/state-json.ts';
import { Dynamic, ExactNumber, type TerraformValue, type ValueType } from '../../../src/terraform/codec/value.ts';

describe('a stored state', () => {
  it.each<[string, string, ValueType, TerraformValue]>([
    ['whole numbers beyond 2^53', '9007199254740993', 'number', 9_007_199_254_740_993n],
    ['digits that no float holds', '0.1234567890123456789', 'number', new ExactNumber('0.1234567890123456789')],
    ['plain numbers', '-1.5', 'number', -1.5],
    ['a number that is written as text', '"12"', 'number', 12],
    ['text that looks like a number', '"12"', 'string', '12'],
    ['lists', '["a",null]', ['list', 'string'], ['a', null]],
    ['maps', '{"constructor":true}', ['map', 'bool'], new Map([['constructor', true]])],
    ['values with their type', '{"type":"string","value":"x"}', 'dynamic', new Dynamic('string', 'x')],
    [
      'objects without attributes that an older schema had',
      '{"a":1,"gone":2}',
      ['object', { a: 'number', b: 'string' }],
      { a: 1, b: null },
    ],
  ])('gives back %s', (_, text, type, value) => {
    expect(valueFromState(text, type)).toEqual(value);
  });

  const INHERITED: Record<string, ValueType> = Object.fromEntries([['constructor', 'number']]);
  const ALL: ValueType = [
    'object',
    { a: 'number', b: ['set', 'string'], c: ['object', { d: 'bool' }], e: ['map', 'number'] },
  ];

  it.each<[boolean, string, string, ValueType]>([
    [true, 'a value of each kind', '{"a":0.1,"b":["x",null],"c":{"d":true},"e":{"__proto__":1}}', ALL],
    [true, 'null everywhere', '{"a":null,"b":null,"c":null,"e":null}', ALL],
    [false, 'an object without an attribute', '{"a":1,"b":[],"c":null}', ALL],
    [false, 'an object with another attribute', '{"a":1,"b":[],"c":null,"e":null,"f":1}', ALL],
    [false, 'an object with another attribute within', '{"a":1,"b":[],"c":{"d":true,"x":1},"e":null}', ALL],
    [false, 'an object that only inherits an attribute', '{"a":1}', ['object', INHERITED]],
    [false, 'a number that is written as text', '"1"', 'number'],
    [false, 'a flag that is written as text', '"true"', 'bool'],
    [false, 'a list for an object', '[]', ['object', {}]],
    [false, 'an object for a list', '{}', ['list', 'string']],
    [false, 'a list for a map', '[]', ['map', 'string']],
    [false, 'what may have any type', '{"type":"string","value":"x"}', 'dynamic'],
    [false, 'a tuple', '[1]', ['tuple', ['number']]],
  ])('is one that core can read (%s): %s', (expected, _, text, type) => {
    expect(isOfType(JSON.parse(text), type)).toBe(expected);
  });

  it.each<[string, ValueType, string]>([
    ['"x"', 'number', 'a number expected'],
    ['{"a":{"b":5}}', ['object', { a: ['object', { b: 'string' }] }], 'a.b: a string expected'],
    ['[1]', ['map', 'number'], 'an object expected'],
    ['5', ['list', 'number'], 'a list expected'],
  ])('reports where %s does not match its type', (text, type, message) => {
    expect(() => valueFromState(text, type)).toThrow(message);
  });
});
