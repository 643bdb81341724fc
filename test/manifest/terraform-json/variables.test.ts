import { describe, expect, test } from 'vitest';
import { readKey, told } from './synthesized.ts';

/** The type and the default of a variable, and what it is in a text of JSON. */
const VARIABLES: readonly (readonly [string | undefined, unknown, string])[] = [
  ['string', 5, '"5"'],
  ['${string}', true, '"true"'],
  ['number', '1.50', '1.5'],
  ['bool', 'false', 'false'],
  ['any', { a: [1, 'x'] }, '{"a":[1,"x"]}'],
  [undefined, ['a', 1], '["a",1]'],
  ['string', null, 'null'],
  ['list(string)', [1, 'a'], '["1","a"]'],
  ['set(string)', ['b', 'a', 'b'], '["a","b"]'],
  ['string', 'a$${b} ${1 + 1} %%{x}', '"a$${b} ${1 + 1} %%{x}"'],
  [undefined, { '$${k}': '${x' }, '{"$${k}":"${x"}'],
  ['map(number)', { b: '2', a: 1 }, '{"a":1,"b":2}'],
];

const withDefault = async (type: string | undefined, value: unknown) => {
  const variable = { v: { ...(type === undefined ? {} : { type }), default: value, sensitive: true } };
  return readKey({ smart_routing_tiers: '${jsonencode([jsonencode(var.v)])}' }, { variable });
};

describe('a variable', () => {
  test.each(VARIABLES)('of type %s with the default %j is %s', async (type, value, text) => {
    const { manifest, diagnostics } = await withDefault(type, value);
    expect(diagnostics).toEqual([]);
    expect(JSON.parse(manifest?.desired.keys[0]?.smartRouteTiers ?? '')).toEqual([text]);
  });

  test.each([
    ['number', 'x', 'A text is no number.'],
    ['list(string)', 'x', 'A list is wanted, and not a text.'],
    ['map(string)', ['x'], 'A map is wanted, and not a list.'],
    ['list(any)', ['x'], 'The type `list(any)` of a variable is not worked out.'],
    ['list(constructor)', ['x'], 'The type `list(constructor)` of a variable is not worked out.'],
    ['constructor', 'x', 'The type `constructor` of a variable is not worked out.'],
    ['tuple([string])', ['x'], 'The type `tuple([string])` of a variable is not worked out.'],
  ])('of type %s with the default %j is refused', async (type, value, said) => {
    expect(told(await withDefault(type, value))).toEqual([`terraform.unresolved prod/App: ${said}`]);
  });
});
