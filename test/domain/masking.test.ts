import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blankFragments, blankSecret, Secret } from '../../src/domain/index.ts';

/** The ways to spell one character in a text of others. */
const SPELLINGS: readonly ((character: string) => string)[] = [
  (character) => character,
  (character) => `\\${character}`,
  (character) => `\\\\\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  (character) => `u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  (character) => `&#${character.charCodeAt(0)};`,
  (character) => `&#x${character.charCodeAt(0).toString(16)};`,
  (character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`,
  (character) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' })[character] ?? character,
];

/** Only these are spelled with a percent sign. */
const spell = (character: string, way: number): string => {
  const spelled = SPELLINGS[way % SPELLINGS.length]?.(character) ?? character;
  return spelled.startsWith('%') && encodeURIComponent(character) === character ? character : spelled;
};

const value = fc
  .array(fc.constantFrom(...'abcXYZ019-_.~/+=&<>"\'\\#%;:{}'), { minLength: 12, maxLength: 40 })
  .map((characters) => characters.join(''));
const ways = fc.array(fc.nat(SPELLINGS.length - 1), { minLength: 40, maxLength: 40 });
const oneWay = fc.nat(SPELLINGS.length - 1).map((way) => Array.from({ length: 40 }, () => way));

/** Endings of which a part is the beginning of a spelling. */
const ENDINGS = ['&#', '&#X', '&a', '%'];

describe('a secret in the text of somebody else', () => {
  it('is masked however each of its characters is spelled', () => {
    fc.assert(
      fc.property(value, fc.oneof(ways, oneWay), (secret, chosen) => {
        const spelled = [...secret].map((character, at) => spell(character, chosen[at] ?? 0));
        const masked = blankSecret(`before (${spelled.join('')}) after`, new Secret(secret));
        const rest = /^before \(‹secret›(.*)\) after$/.exec(masked)?.[1] ?? masked;
        // The last characters may be taken for the beginning of a spelling: “&#x” is that of “&”.
        const last = spelled.slice(-3).join('');
        expect(last.endsWith(rest), masked).toBe(true);
      }),
      { numRuns: 200, examples: ENDINGS.map((ending) => [`0123456789${ending}`, Array(40).fill(5)]) },
    );
  });

  it('is masked in any case, as in the host of an address', () => {
    const secret = new Secret('cAnArY7fQ9xZqAbkW8Gr5');
    for (const text of ['canary7fq9xzqabkw8gr5', 'CANARY7FQ9XZQABKW8GR5', 'sk-Canary7fq9xzqabkw8gr5']) {
      expect(blankSecret(`http://${text}.example/`, secret)).toBe('http://‹secret›.example/');
      expect(blankFragments(`İ ${text}`, new Secret(text.replace('sk-', '').toLowerCase()))).toMatch(
        /^İ (sk-)?‹secret›$/,
      );
    }
    expect(blankFragments('of CANARY7F and more', secret)).toBe('of ‹secret› and more');
  });

  it('is masked where a text has only its first or its last characters', () => {
    fc.assert(
      fc.property(value, fc.integer({ min: 8, max: 12 }), (secret, length) => {
        const key = new Secret(secret);
        expect(blankSecret(`it begins with ${secret.slice(0, length)}…`, key)).toBe('it begins with ‹secret›…');
        expect(blankSecret(`it ends with …${secret.slice(-length)}`, key)).toBe('it ends with …‹secret›');
      }),
      { numRuns: 40 },
    );
  });

  it('is masked in Base64, wherever it begins in the encoded text', () => {
    fc.assert(
      fc.property(
        value,
        fc.nat(2),
        fc.constantFrom<BufferEncoding>('base64', 'base64url'),
        (secret, shift, encoding) => {
          const encoded = Buffer.from(`${'x'.repeat(shift)}${secret}`).toString(encoding);
          expect(blankSecret(`before ${encoded} after`, new Secret(secret))).toContain('‹secret›');
        },
      ),
    );
  });

  it('is masked in each of several texts, whatever is between them', () => {
    const other = fc.constantFrom('', 'plain', 'an “escape”: \\n', 'cut…', '50 %', '\r', 'a "" b', '\u2028');
    const secrets = fc.constantFrom('q7/Kz+"&<x9Zq=~~?>3k', 'with space:,{}[]()x', '9f1c7e42'.repeat(10));
    const line = fc.tuple(other, fc.option(fc.nat(SPELLINGS.length - 1)), other);
    fc.assert(
      fc.property(
        secrets,
        fc.constantFrom('\n', ' ', ',', '":"', '}]'),
        fc.array(line, { maxLength: 12 }),
        (secret, between, lines) => {
          const mask = '‹secret›';
          const textWith = (render: (way: number) => string) =>
            lines.map(([before, way, after]) => `${before}${way === null ? '' : render(way)}${after}`).join(between);
          const text = textWith((way) => [...secret].map((character) => spell(character, way)).join(''));
          expect(blankSecret(text, new Secret(secret))).toBe(textWith(() => mask));
        },
      ),
    );
  });

  it('is masked if it has lines itself', () => {
    const key = new Secret('first-line-9f1c\nsecond-line-7e42');
    expect(blankSecret('a\nfirst&#45;line-9f1c\nsecond-line-7e42\nb', key)).toBe('a\n‹secret›\nb');
  });
});
