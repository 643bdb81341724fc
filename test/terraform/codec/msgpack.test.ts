import { Encoder, ExtData } from '@msgpack/msgpack';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeValue, encodeValue, openRememberingDecoder } from '../../../src/terraform/codec/msgpack.ts';
import { isSameValue } from '../../../src/terraform/codec/same-value.ts';
import {
  Dynamic,
  ExactNumber,
  isWhollyKnown,
  type TerraformValue,
  UNKNOWN,
  Unknown,
  type ValueType,
} from '../../../src/terraform/codec/value.ts';
import { ValueError } from '../../../src/terraform/codec/value-error.ts';
import { ANY_TYPED } from './any-value.ts';

const bytesOf = (raw: unknown): Uint8Array => new Encoder({ useBigInt64: true }).encode(raw);
const again = (value: TerraformValue, type: ValueType): TerraformValue => decodeValue(encodeValue(value, type), type);

describe('a value in the bytes of the protocol', () => {
  it('comes back as it was, whatever its type', () => {
    fc.assert(
      fc.property(ANY_TYPED, ({ type, value }) => {
        expect(isSameValue(again(value, type), value, type)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('is rejected when its bytes end early, or more bytes follow', () => {
    const type: ValueType = ['object', { a: ['list', 'string'], b: 'number', c: ['map', 'bool'] }];
    const bytes = encodeValue({ a: ['x', 'y'.repeat(40)], b: 7, c: new Map([['k', true]]) }, type);
    for (let length = 0; length < bytes.length; length += 1) {
      expect(() => decodeValue(bytes.subarray(0, length), type), String(length)).toThrow(ValueError);
    }
    expect(() => decodeValue(Uint8Array.of(...bytes, 0xc0), type)).toThrow(ValueError);
  });

  it('is read, or rejected with its path, whatever its bytes are', () => {
    const types: readonly ValueType[] = [
      'string',
      'number',
      ['map', ['list', 'bool']],
      ['object', { a: ['set', 'string'] }],
    ];
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), fc.constantFrom(...types), (bytes, type) => {
        try {
          decodeValue(bytes, type);
        } catch (thrown) {
          expect(thrown).toBeInstanceOf(ValueError);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it.each<[string, unknown, TerraformValue]>([
    ['a whole number', 7, 7],
    ['a number beyond 2^53, as an int64', 9_007_199_254_740_993n, 9_007_199_254_740_993n],
    ['the largest int64', 9_223_372_036_854_775_807n, 9_223_372_036_854_775_807n],
    ['a number that no float holds, as text', '0.1', 0.1],
    ['digits that no float holds', '0.1234567890123456789', new ExactNumber('0.1234567890123456789')],
    ['a whole number beyond 64 bits', '123456789012345678901234567890', 123456789012345678901234567890n],
    ['a number beyond floats', '1e400', new ExactNumber('1e400')],
    ['a float', 1.5, 1.5],
    ['null', null, null],
  ])('reads %s', (_, raw, value) => {
    expect(decodeValue(bytesOf(raw), 'number')).toEqual(value);
  });

  it('writes numbers so that core reads what was meant: as decimal text, whole ones too', () => {
    const text = (value: TerraformValue): unknown => decodeValue(encodeValue(value, 'number'), 'string');
    expect(text(0.1)).toBe('0.1');
    expect(text(new ExactNumber('1e400'))).toBe('1e400');
    expect(text(2n ** 70n)).toBe('1180591620717411303424');
    expect([text(5), text(-0), text(2 ** 53)]).toEqual(['5', '0', '9007199254740992']);
    expect(() => encodeValue(Number.NaN, 'number')).toThrow('a number expected');
  });

  it('reads every extension as an unknown value, with the refinements that some carry', () => {
    expect(decodeValue(bytesOf(new ExtData(0, Uint8Array.of(0))), 'string')).toEqual(UNKNOWN);
    expect(decodeValue(bytesOf(new ExtData(99, Uint8Array.of(1, 2))), ['list', 'string'])).toEqual(UNKNOWN);
    const refined = Uint8Array.from([0x83, 1, 0xc2, 2, 0xa2, 0x73, 0x6b, 5, 3]);
    expect(decodeValue(bytesOf(new ExtData(12, refined)), 'string')).toEqual(
      new Unknown({ isNotNull: true, prefix: 'sk', minLength: 3 }),
    );
  });

  it('writes what is not known without what was known of it', () => {
    expect([...encodeValue(new Unknown({ isNotNull: true }), 'string')]).toEqual([0xd4, 0, 0]);
  });

  it('keeps keys of maps that mean something to JavaScript', () => {
    const type: ValueType = ['map', 'number'];
    const map = new Map([
      ['__proto__', 1],
      ['constructor', 2],
      ['', 3],
      ['a.b', 4],
    ]);
    expect(again(map, type)).toEqual(map);
  });

  it('gives an object all attributes of its type, and takes no other', () => {
    const type: ValueType = ['object', { a: 'string', b: 'number' }];
    expect(decodeValue(bytesOf({ a: 'x' }), type)).toEqual({ a: 'x', b: null });
    expect(() => decodeValue(bytesOf({ c: 1 }), type)).toThrow('no attribute is called c');
    expect(() => encodeValue({ a: 'x', c: 1 }, type)).toThrow('no attribute is called c');
  });

  it('brings the type of a dynamic value along', () => {
    const value = new Dynamic(['object', { n: 'number' }], { n: 0.1 });
    expect(again(value, 'dynamic')).toEqual(value);
    expect(again(UNKNOWN, 'dynamic')).toEqual(UNKNOWN);
  });

  it.each<[ValueType, unknown, string]>([
    ['string', 5, 'a string expected'],
    ['bool', 'true', 'a bool expected'],
    ['number', true, 'a number expected'],
    [['list', 'string'], ['a', 5], '[1]: a string expected'],
    [['map', 'bool'], { k: 1 }, '["k"]: a bool expected'],
    [['object', { a: ['set', 'number'] }], { a: [1, 'x'.repeat(3)] }, ''],
    [['tuple', ['string', 'string']], ['a'], '2 elements expected'],
    [['list', 'string'], 'abc', 'a list expected'],
    ['dynamic', 5, 'a type and a value expected'],
  ])('reports where %j does not match its type', (type, raw, message) => {
    if (message !== '') expect(() => decodeValue(bytesOf(raw), type)).toThrow(message);
    else expect(decodeValue(bytesOf(raw), type)).toBeDefined();
  });
});

describe('a value', () => {
  it('is wholly known when nothing in it is unknown', () => {
    expect(isWhollyKnown({ a: [new Map([['k', 1]])], b: new Dynamic('string', 'x') })).toBe(true);
    expect(isWhollyKnown({ a: [new Map([['k', UNKNOWN]])] })).toBe(false);
    expect(isWhollyKnown(new Dynamic('string', UNKNOWN))).toBe(false);
  });

  it('is the same as another under its type: sets have no order, lists do', () => {
    expect(isSameValue(['a', 'b'], ['b', 'a'], ['set', 'string'])).toBe(true);
    expect(isSameValue(['a', 'a', 'b'], ['a', 'b', 'b'], ['set', 'string'])).toBe(false);
    expect(isSameValue(['a', 'b'], ['b', 'a'], ['list', 'string'])).toBe(false);
    expect(isSameValue(1, 1n, 'number')).toBe(true);
    expect(isSameValue({ a: 1 }, { a: 1, b: null }, ['object', { a: 'number', b: 'string' }])).toBe(true);
    expect(isSameValue(UNKNOWN, null, 'string')).toBe(false);
  });
});

describe('a decoder for many calls about the same objects', () => {
  const type: ValueType = [
    'object',
    { name: 'string', models: ['list', 'string'], limit: ['object', { usd: 'number' }] },
  ];
  const bytes = (name: string, models: readonly string[] = ['a', 'b']) =>
    encodeValue({ name, models, limit: { usd: 5 } }, type);

  it('returns the value of the same bytes once more', () => {
    const decode = openRememberingDecoder();
    const first = decode(bytes('x'), type);
    expect(decode(bytes('x'), type)).toBe(first);
    const third = decode(bytes('x'), type);
    expect(third).toEqual(first);
    expect(third).not.toBe(first);
  });

  it('does not take the value of another type, although the bytes are the same', () => {
    const decode = openRememberingDecoder();
    const list = encodeValue(['7'], ['list', 'string']);
    expect(decode(list, ['list', 'string'])).toEqual(['7']);
    expect(decode(list, ['list', 'number'])).toEqual([7]);
  });

  it('returns what a decoder of single values returns', () => {
    const decode = openRememberingDecoder();
    fc.assert(
      fc.property(ANY_TYPED, ({ type: any, value }) => {
        const encoded = encodeValue(value, any);
        for (let round = 0; round < 3; round += 1) expect(decode(encoded, any)).toEqual(decodeValue(encoded, any));
      }),
    );
  });
});
