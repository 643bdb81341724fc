import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lossOfJson } from '../../src/domain/index.ts';

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
