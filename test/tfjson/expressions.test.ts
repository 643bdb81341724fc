import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { evaluate } from '../../src/tfjson/expression/evaluate.ts';
import { jsonEncode } from '../../src/tfjson/expression/functions.ts';
import { Unresolved } from '../../src/tfjson/expression/unresolved.ts';
import { tryReadJson } from '../../src/tfjson/json/reader.ts';
import { readModule } from '../../src/tfjson/module/module.ts';
import { scopeOf } from '../../src/tfjson/module/scope.ts';
import { EXPRESSIONS, REFUSED } from './expressions.ts';
import { literals, literalText } from './literals.ts';

const report = { problem: () => undefined, hide: () => undefined };
const ABOUT = { name: 'm', folder: 'm', variableFiles: [] };
const PLACE = { file: 'a', line: 1, column: 1 };
const { scope } = scopeOf({ module: readModule([], ABOUT, report), env: {} });

/** The value of a template, as JSON with all digits. */
const encoded = (template: string): string => jsonEncode(evaluate(template, scope));

describe('a template', () => {
  test.each(Object.entries(EXPRESSIONS))('%j evaluates to %j', (template, value) => {
    expect(JSON.parse(encoded(template))).toEqual(value);
  });

  test.each(Object.entries(REFUSED))('%j is refused: %s', (template, why) => {
    expect(() => encoded(template)).toThrow(Unresolved);
    expect(() => encoded(template)).toThrow(why);
  });

  test('of numbers loses no digit', () => {
    expect(encoded('${[0.1000000000000000055, 12345678901234567890.5, 1e-30]}')).toBe(
      '[0.1000000000000000055,12345678901234567890.5,0.000000000000000000000000000001]',
    );
  });

  test('that multiplies itself is refused before it fills the memory', () => {
    const locals = Array.from({ length: 60 }, (_, i) => `"l${i + 1}": "\${local.l${i}}\${local.l${i}}"`);
    const lists = Array.from({ length: 60 }, (_, i) => `"m${i + 1}": ["\${local.m${i}}", "\${local.m${i}}"]`);
    const root = tryReadJson(`{ "locals": { "l0": "x", "m0": "x", ${[...locals, ...lists].join()} } }`, PLACE);
    const own = scopeOf({ module: readModule(root ? [root] : [], ABOUT, report), env: {} }).scope;
    for (const name of ['l60', 'm60']) {
      expect(() => jsonEncode(evaluate(`\${local.${name}}`, own))).toThrow(/longer|more than/);
    }
  });
});

describe('any text', () => {
  const pieces = fc.constantFrom(
    ...['${', '}', '"', '[', ']', '{', '(', ')', '.', ',', '=', ':', '?', '!', '-', '+', '*', '%{', '$${', '\\', ' '],
    ...['a', 'local', 'each', 'for', 'toset', 'null', 'true', '0', '1.5', '&&', '==', '...', '/*', '#', '\n', 'é', '~'],
    ...['keyplane_api_key', '__proto__', 'constructor', 'jsonencode', 'lookup', 'format', '%s'],
  );
  test('comes to a value, or is refused: nothing else is ever thrown', () => {
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 30 }), fc.string(), (parts, tail) => {
        for (const text of [parts.join(''), `\${${parts.join('')}}`, parts.join('') + tail]) {
          try {
            encoded(text);
          } catch (thrown) {
            if (!(thrown instanceof Unresolved)) throw thrown;
          }
        }
      }),
      { numRuns: 3000 },
    );
  });

  test('is itself when its signs are escaped', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const escaped = text.replace(/[$%](?=\{)/g, (sign) => sign + sign);
        expect(JSON.parse(encoded(escaped))).toBe(text.normalize('NFC'));
      }),
    );
  });

  test('that writes a literal comes to that literal', () => {
    fc.assert(
      fc.property(literals, (literal) => {
        expect(JSON.parse(encoded(`\${${literalText(literal)}}`))).toEqual(literal);
      }),
    );
  });
});
