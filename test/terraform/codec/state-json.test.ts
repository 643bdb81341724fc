import { describe, expect, it } from 'vitest';
import { valueFromState } from '../../../src/terraform/codec/state-json.ts';
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

  it.each<[string, ValueType, string]>([
    ['"x"', 'number', 'a number expected'],
    ['{"a":{"b":5}}', ['object', { a: ['object', { b: 'string' }] }], 'a.b: a string expected'],
    ['[1]', ['map', 'number'], 'an object expected'],
    ['5', ['list', 'number'], 'a list expected'],
  ])('reports where %s does not match its type', (text, type, message) => {
    expect(() => valueFromState(text, type)).toThrow(message);
  });
});
