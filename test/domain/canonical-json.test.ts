import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, canonicalJsonText } from '../../src/domain/index.ts';

/** The same value with the members of every object in the opposite order. */
function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned);
  if (value === null || typeof value !== 'object') return value;
  const turnedEntries = Object.entries(value)
    .reverse()
    .map(([key, member]): [string, unknown] => [key, turned(member)]);
  return Object.fromEntries(turnedEntries);
}

describe('canonical JSON', () => {
  it('sorts the members of every object and leaves lists as they are', () => {
    expect(canonicalJson({ b: [3, { d: 1, c: 2 }], a: null })).toBe('{"a":null,"b":[3,{"c":2,"d":1}]}');
  });

  it('sorts by code unit, not by locale', () => {
    expect(canonicalJson({ ä: 1, b: 2, B: 3, '10': 4, '9': 5 })).toBe('{"10":4,"9":5,"B":3,"b":2,"ä":1}');
  });

  it('leaves out what is undefined, and puts null for it in a list', () => {
    expect(canonicalJson({ a: undefined, b: [undefined, 1] })).toBe('{"b":[null,1]}');
  });

  it('keeps members that have the names of an object’s own machinery', () => {
    const text = '{"__proto__":{"x":1},"constructor":2,"toString":3}';
    expect(canonicalJsonText(text)).toBe(text);
    expect(({} as { x?: number }).x).toBeUndefined();
  });

  it('distinguishes a member named __proto__ from an absent one', () => {
    expect(canonicalJsonText('{"__proto__":null}')).not.toBe(canonicalJsonText('{}'));
  });

  it('leaves a text alone that is not JSON', () => {
    expect(canonicalJsonText('{a: 1}')).toBe('{a: 1}');
    expect(canonicalJsonText('')).toBe('');
  });

  it('is the same for equal values, and means the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value);
        expect(canonicalJson(turned(value))).toBe(text);
        expect(canonicalJsonText(JSON.stringify(value, null, 3))).toBe(text);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});
