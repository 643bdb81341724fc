import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonBytes } from '../../../src/wire/families/json-bytes.ts';

const written = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

describe('the bytes of a value as JSON', () => {
  it('are as many as JSON writes', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => jsonBytes(value) === written(value)));
  });

  it('are counted after escaping, and in UTF-8', () => {
    for (const text of ['"', '\\', '\n', '\u0001', 'é', '🦊', '\ud800', '\u007f', ' ', '~']) {
      expect(jsonBytes({ [text]: text }), JSON.stringify(text)).toBe(written({ [text]: text }));
    }
  });

  it('leave out what JSON leaves out', () => {
    const value = { a: undefined, b: [undefined, 1], c: null };
    expect(jsonBytes(value)).toBe(written(value));
  });

  it('are counted at any depth', () => {
    let deep: unknown = 1;
    for (let depth = 0; depth < 100_000; depth += 1) deep = [deep];
    expect(jsonBytes(deep)).toBe(200_001);
  });
});
