import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  haveCommonMatch,
  keyName,
  matchesAnyGlob,
  matchesGlob,
  nameFold,
  nameProblem,
} from '../../src/domain/index.ts';

describe('a key name', () => {
  it.each(['a', 'prod-checkout', 'Prod Checkout', 'a.b/c:d', 'ключ', '鍵', '🔑', 'a'.repeat(50), 'é'.repeat(25)])(
    'may be %s',
    (name) => {
      expect(nameProblem(name)).toBeUndefined();
      expect(keyName(name)).toBe(name);
    },
  );

  it.each([
    ['nothing', '', 'empty'],
    ['51 characters', 'a'.repeat(51), '51 characters'],
    ['26 characters of two bytes', 'é'.repeat(26), '52 UTF-8 bytes'],
    ['17 characters of three bytes', '鍵'.repeat(17), '51 UTF-8 bytes'],
    ['13 characters of four bytes', '🔑'.repeat(13), '52 UTF-8 bytes'],
    ['51 characters of four bytes, counted as characters', '🔑'.repeat(51), '51 characters'],
    ['a line break', 'a\nb', 'control character'],
    ['a tabulator', 'a\tb', 'control character'],
    ['a null', 'a\0b', 'control character'],
    ['an escape', 'a\u001b[2J', 'control character'],
    ['a delete', 'a\u007fb', 'control character'],
    ['a C1 control', 'a\u009bb', 'control character'],
    ['a line separator', 'a\u2028b', 'control character'],
    ['half a surrogate pair', 'a\ud800b', 'well-formed'],
    ['a blank before', ' a', 'white space'],
    ['a blank after', 'a ', 'white space'],
    ['only a blank', ' ', 'white space'],
    ['a wide blank after', 'a\u3000', 'white space'],
    ['the name of the lock', 'Keyplane.Lock', 'reserved for the lock'],
  ])('may not be or have %s', (_, name, problem) => {
    expect(nameProblem(name)).toContain(problem);
    expect(() => keyName(name)).toThrow(
      new RangeError(`not a key name (${nameProblem(name)}): ${JSON.stringify(name)}`),
    );
  });

  it('fits into 50 UTF-8 bytes whenever it is a good one', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (name) => {
        fc.pre(nameProblem(name) === undefined);
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(50);
        expect([...name].length).toBeLessThanOrEqual(50);
      }),
    );
  });

  it('collides with one that differs only by case', () => {
    expect(nameFold('Prod-ÄB')).toBe(nameFold('prod-äb'));
    expect(nameFold('prod-a')).not.toBe(nameFold('prod-b'));
    expect(nameFold('straße')).not.toBe(nameFold('strasse'));
  });
});

describe('a glob', () => {
  it.each([
    ['prod-*', 'prod-checkout', true],
    ['prod-*', 'prod-', true],
    ['prod-*', 'prod', false],
    ['prod-*', 'x-prod-checkout', false],
    ['*', '', true],
    ['*', 'anything at all', true],
    ['**', 'a', true],
    ['', '', true],
    ['', 'a', false],
    ['?', 'a', true],
    ['?', '', false],
    ['?', 'ab', false],
    ['?', '🔑', true],
    ['*?', '', false],
    ['a?c', 'abc', true],
    ['a*b*c', 'a--b--b--c', true],
    ['a*b*c', 'a--c--b', false],
    ['*ab', 'aab', true],
    ['*aab', 'aaab', true],
    ['a.c', 'abc', false],
    ['a.c', 'a.c', true],
    ['[ab]', 'a', false],
    ['[ab]', '[ab]', true],
    ['a|b', 'a', false],
    ['(a)+', 'a', false],
    ['^a$', 'a', false],
    ['\\*', '\\anything', true],
    ['a*', 'a*literal', true],
    ['*a', '*a', true],
    ['Prod-*', 'prod-a', false],
    ['a*b', 'a\nb', true],
  ])('%j on %j: %s', (glob, name, matches) => {
    expect(matchesGlob(glob, name)).toBe(matches);
  });

  it('agrees with its definition', () => {
    const defined = (glob: readonly string[], name: readonly string[]): boolean => {
      const [head, ...tail] = glob;
      if (head === undefined) return name.length === 0;
      if (head === '*') return defined(tail, name) || (name.length > 0 && defined(glob, name.slice(1)));
      return name.length > 0 && (head === '?' || head === name[0]) && defined(tail, name.slice(1));
    };
    const globs = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?'), maxLength: 8 });
    const names = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?', '🔑'), maxLength: 10 });
    fc.assert(
      fc.property(globs, names, (glob, name) => {
        expect(matchesGlob(glob, name)).toBe(defined([...glob], [...name]));
      }),
      { numRuns: 2000 },
    );
  });

  it('has a match in common with another according to the definition', () => {
    const defined = (one: readonly string[], other: readonly string[]): boolean => {
      const [[a, ...as], [b, ...bs]] = [one, other];
      if (a === undefined && b === undefined) return true;
      if (a === '*') return defined(as, other) || (b !== undefined && defined(one, bs));
      if (b === '*') return defined(one, bs) || (a !== undefined && defined(as, other));
      const isSame = a !== undefined && b !== undefined && (a === b || a === '?' || b === '?');
      return isSame && defined(as, bs);
    };
    const globs = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?'), maxLength: 7 });
    fc.assert(
      fc.property(globs, globs, (one, other) => {
        expect(haveCommonMatch(one, other)).toBe(defined([...one], [...other]));
      }),
      { numRuns: 2000 },
    );
    const long = `${'*a'.repeat(40)}*b`;
    expect(haveCommonMatch(long, `${'a'.repeat(1000)}*`)).toBe(true);
  });

  it('with many stars is matched in linear time, also against a long name', () => {
    const glob = `${'*a'.repeat(40)}*b`;
    expect(matchesGlob(glob, 'a'.repeat(5000))).toBe(false);
    expect(matchesGlob(glob, `${'a'.repeat(5000)}b`)).toBe(true);
  }, 2000);

  it('of a list matches when any does; an empty list matches nothing', () => {
    expect(matchesAnyGlob(['x', 'prod-*'], 'prod-a')).toBe(true);
    expect(matchesAnyGlob(['x', 'y'], 'prod-a')).toBe(false);
    expect(matchesAnyGlob([], 'prod-a')).toBe(false);
  });
});
