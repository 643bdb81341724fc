import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { embedText, vectorToBase64 } from '../../src/synthetic/index.ts';

const product = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);
const norm = (vector: Float32Array): number => Math.sqrt(product(vector, vector));
const likeness = (a: string, b: string): number => product(embedText(a, 1536), embedText(b, 1536));

describe('the vector of a text', () => {
  it('is of unit length within a millionth, with any number of dimensions', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 3072 }), (text, dimensions) => {
        const vector = embedText(text, dimensions);
        expect(vector.length).toBe(dimensions);
        expect(Math.abs(norm(vector) - 1)).toBeLessThan(1e-6);
      }),
    );
  });

  it('is equal for equal texts, and different for different texts', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (one, other) => {
        const same = Buffer.compare(Buffer.from(embedText(one, 64).buffer), Buffer.from(embedText(other, 64).buffer));
        expect(same === 0).toBe(one === other);
      }),
    );
    expect(embedText('Hello', 1536)).not.toEqual(embedText('hello', 1536));
    expect(embedText('a b', 1536)).not.toEqual(embedText('b a', 1536));
  });

  it('is closer to those of texts that share words, or parts of words', () => {
    expect(likeness('a red fox jumps', 'the red fox sleeps')).toBeGreaterThan(0.3);
    expect(Math.abs(likeness('a red fox jumps', 'quarterly tax report'))).toBeLessThan(0.1);
    expect(likeness('lamp', 'lamps')).toBeGreaterThan(likeness('lamp', 'river') + 0.05);
    expect(likeness('Hello World', 'hello world')).toBeGreaterThan(0.95);
  });

  it('is encoded as little-endian float32 in Base64', () => {
    expect(vectorToBase64(Float32Array.of(1, -0.5))).toBe('AACAPwAAAL8=');
    const vector = embedText('there and back', 300);
    const bytes = Buffer.from(vectorToBase64(vector), 'base64');
    expect(bytes.length).toBe(1200);
    expect(Float32Array.from(vector.keys(), (at) => bytes.readFloatLE(at * 4))).toEqual(vector);
  });
});
