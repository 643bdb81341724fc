import { Console } from 'node:console';
import { PassThrough } from 'node:stream';
import { format, inspect } from 'node:util';
import { serialize } from 'node:v8';
import { describe, expect, it } from 'vitest';
import { blankFragments, blankSecret, canonicalJson, Fault, Secret, secretRanges } from '../../src/domain/index.ts';

const VALUE = 'sk-canary-4f9b1c';
const secret = new Secret(VALUE);
const nested = { key: { list: [secret], map: new Map([['k', secret]]), set: new Set([secret]) } };

function printed(write: (console: Console) => void): string {
  const stream = new PassThrough();
  write(new Console({ stdout: stream, stderr: stream }));
  return String(stream.read());
}

function thrownBy(run: () => unknown): Error {
  try {
    run();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('nothing was thrown');
}

describe('a secret', () => {
  it('comes out by reveal, and only there', () => {
    expect(secret.reveal()).toBe(VALUE);
  });

  it('is masked only where each of its characters is spelled', () => {
    const dotted = new Secret('sk-dot.9f1c7e42');
    expect(blankSecret('sk-dot.9f1c7e42', dotted)).toBe('‹secret›');
    expect(blankSecret('sk-dotX9f1c7e42', dotted)).toBe('sk-dotX9f1c7e42');
    expect(blankSecret('sk-dot&undefined;9f1c7e42', dotted)).toBe('sk-dot&undefined;9f1c7e42');
  });

  it.each([
    ['by its number in JSON', 'a', (hex: string) => `\\u00${hex}`],
    ['by its number, without a backslash', 'a', (hex: string) => `u00${hex}`],
    ['by its number in HTML', 'a', (hex: string) => `&#x${hex};`],
    ['by its name in HTML', '<', () => '&lt;'],
    ['by its bytes in an address', '/', (hex: string) => `%${hex}`],
    ['after a backslash', '+', () => '\\+'],
    ['twice, as CSV does', '"', () => '""'],
    ['beyond the first 65,536', '\u{1f511}', (hex: string) => `u${hex}`],
    ['in Base64 after a backslash', undefined, () => ''],
  ])('is masked where only one character of it is spelled, %s', (_, character, spell) => {
    const value = `sk-q7K2z9${character ?? 'x'}9Zq3k4m`;
    const written =
      character === undefined
        ? `${Buffer.from(value).toString('base64').slice(0, 12)}\\${Buffer.from(value).toString('base64').slice(12)}`
        : value.replace(character, spell((character.codePointAt(0) ?? 0).toString(16)));
    expect(blankSecret(`it is ${written} now`, new Secret(value))).toMatch(/^it is .{0,3}‹secret›.{0,3} now$/);
  });

  it('is masked in the Base64 of addresses, whose alphabet has _ in place of /', () => {
    const value = 'sk-????????????';
    const encoded = Buffer.from(value).toString('base64url');
    expect(encoded).toContain('_');
    expect(blankSecret(encoded, new Secret(value))).not.toContain(encoded.slice(4, 12));
  });

  it('is masked where a character of it is half of a pair', () => {
    const value = 'sk-half-\ud800-9f1c7e42';
    expect(blankSecret(`it is ${value}`, new Secret(value))).toBe('it is ‹secret›');
  });

  it('is masked in the text of somebody who knows only a part of it', () => {
    const key = new Secret('sk-Zx9Qm2Lr7Tv4Kp8Wd1Yh');
    const shown = blankFragments(
      'it begins with Zx9Qm2Lr7T and ends in "Wd1Yh"; lower: p8Wd1Yh, twice p8Wd1YhZ, Lr7Tv4Kp',
      key,
    );
    expect(shown).toBe('it begins with ‹secret› and ends in "Wd1Yh"; lower: p8Wd1Yh, twice p8Wd1YhZ, ‹secret›');
    expect(blankFragments('x Zx9Qm2Lr7Tv4Kp8Wd1Yh sk-Zx9Qm2Lr7Tv4Kp8Wd1Yh y', key)).toBe('x ‹secret› ‹secret› y');
    expect(blankFragments('Z x 9 Q m 2 L r 7 T v 4 is not a fragment', key)).toContain('Z x 9');
    expect(blankFragments('Zx9Qm2Lr first', key)).toBe('‹secret› first');
    expect(blankFragments('twice Zx9Qm2LrZx9Qm2Lr', key)).toBe('twice ‹secret›');
    expect(blankFragments('a short text', new Secret('short'))).toBe('a short text');
  });

  it.each([
    ['itself', (text: string) => text],
    ['JSON', (text: string) => JSON.stringify(text)],
    ['JSON within JSON', (text: string) => JSON.stringify(JSON.stringify(text))],
    ['characters by their numbers in JSON', (text: string) => text.replaceAll('<', '\\u003c')],
    ['an address', encodeURIComponent],
    ['HTML', (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&#34;')],
    ['Markdown', (text: string) => text.replace(/[^\w ]/g, '\\$&')],
    ['Base64, after one more character', (text: string) => Buffer.from(`x${text}`).toString('base64')],
    ['Base64, before more characters', (text: string) => Buffer.from(`${text}xyz`).toString('base64')],
    ['Base64 for addresses', (text: string) => Buffer.from(`xx${text}`).toString('base64url')],
    [
      'an address with small digits',
      (text: string) => encodeURIComponent(text).replace(/%../g, (code) => code.toLowerCase()),
    ],
    ['a beginning that was cut', (text: string) => `${text.slice(0, -2)}…`],
    ['an end that was cut', (text: string) => `…${text.slice(1)}`],
  ])('is masked in the text of others as %s', (_, spell) => {
    const planted = new Secret('q7/Kz+"&<x9Zq=~~?>3k');
    const text = blankSecret(`before ${spell('q7/Kz+"&<x9Zq=~~?>3k')} after`, planted);
    expect(text).toMatch(/^before .{0,6}‹secret›.{0,6} after$/);
    expect(blankSecret(Buffer.from('q7/Kz+"&<x9Zq=~~?>3k').toString('base64'), planted)).toMatch(/^‹secret›/);
    expect(blankSecret('q7/Kz+"&<x8Zq=~~?>3k', planted)).toBe('q7/Kz+"&<x8Zq=~~?>3k');
    expect(blankSecret('a short text…', new Secret('short'))).toBe('a short text…');
  });

  it.each([40, 200, 600, 6000])('of %i characters is masked whole, spelled, encoded and cut', (length) => {
    let state = 7;
    const next = () => {
      state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
      return 'abcdefghijklmnopqrstuvwxyz0123456789/+='[state % 39];
    };
    const value = Array.from({ length }, next).join('');
    const texts = [
      `a ${value} b`,
      JSON.stringify(`a "${value}" b`).replaceAll('/', '\\/'),
      `a ${encodeURIComponent(value)} b`,
      `a ${Buffer.from(value).toString('base64')} b`,
      `a ${value.slice(0, -3)}… b`,
      `a ${value.slice(0, 12)}… b`,
      `a …${value.slice(3)} b`,
      `a …${value.slice(-12)} b`,
    ];
    const parts = [value, encodeURIComponent(value), Buffer.from(value).toString('base64')].flatMap((text) => [
      text.slice(0, 10),
      text.slice(length / 2, length / 2 + 10),
      text.slice(-14, -4),
    ]);
    for (const text of texts) {
      const blanked = blankSecret(text, new Secret(value));
      expect(blanked).toContain('‹secret›');
      for (const part of parts) expect(blanked).not.toContain(part);
      expect(blanked).toMatch(/^"?a .*\bb"?$|^"?a .* b"?$/);
    }
  });

  it('is found, and removed, where a text contains it, with and without its prefix', () => {
    const key = new Secret('sk-Zx9Qm2Lr');
    const text = 'sk-Zx9Qm2Lr, then sk-Zx9Qm2Lrsk-Zx9Qm2Lr and Zx9Qm2Lr';
    expect(secretRanges(text, key)).toEqual([
      [0, 11],
      [18, 29],
      [29, 40],
    ]);
    expect(secretRanges('nothing', key)).toEqual([]);
    expect(blankSecret(text, key)).toBe('‹secret›, then ‹secret›‹secret› and ‹secret›');
    expect(blankSecret('ab-12345 ab-sk-12345', new Secret('ab-sk-12345'))).toBe('ab-12345 ‹secret›');
  });

  it('is not looked for when it is so short that words may contain it', () => {
    expect(secretRanges('prefers', new Secret('prefers'))).toEqual([]);
    expect(blankSecret('prefers', new Secret('prefers'))).toBe('prefers');
    expect(blankSecret('prefer sk-prefer', new Secret('sk-prefer'))).toBe('prefer ‹secret›');
    expect(secretRanges('12345678', new Secret('12345678'))).toEqual([[0, 8]]);
    expect(blankSecret('12345678', new Secret('12345678'))).toBe('‹secret›');
  });

  it.each<[string, () => string]>([
    ['String()', () => String(secret)],
    ['a template', () => `${secret}`],
    ['concatenation', () => `x${String(secret)}`.concat(secret as unknown as string)],
    ['join', () => [secret, secret].join()],
    ['JSON', () => JSON.stringify({ secret, nested })],
    ['JSON of a list', () => JSON.stringify([secret])],
    ['JSON as a key', () => JSON.stringify({ [String(secret)]: 1 })],
    ['canonical JSON', () => `${canonicalJson({ secret, list: [secret] })}‹secret›`],
    ['inspect', () => inspect(secret)],
    ['inspect, nested', () => inspect(nested, { depth: null })],
    ['inspect, beyond its depth', () => `${inspect(nested, { depth: 0 })}‹secret›`],
    ['inspect, all that is hidden', () => inspect(nested, { depth: null, showHidden: true, getters: true })],
    [
      'inspect, with the custom inspection disabled',
      () => inspect(secret, { customInspect: false, showHidden: true, getters: true }),
    ],
    ['inspect, with a proxy', () => inspect(new Proxy(secret, {}), { showProxy: true })],
    ['format %s', () => format('%s', secret)],
    ['format %o', () => format('%o', secret)],
    ['format %O', () => format('%O', secret)],
    ['format %j', () => format('%j', secret)],
    ['console.log', () => printed((console) => console.log('a', secret, nested))],
    ['console.dir', () => printed((console) => console.dir(nested, { depth: null, showHidden: true }))],
    ['console.table', () => printed((console) => console.table([{ secret }]))],
    ['console.error of an error’s cause', () => printed((console) => console.error(new Error('x', { cause: secret })))],
    ['a fault’s detail', () => inspect(new Fault('tool.defect', 'x', { detail: { secret }, cause: secret }))],
    ['the tag', () => Object.prototype.toString.call(secret)],
    ['toLocaleString', () => secret.toLocaleString()],
    ['an error that names it', () => new Error(`bad key ${secret}`).stack ?? ''],
  ])('prints as its mask: %s', (_, print) => {
    const text = print();
    expect(text).not.toContain(VALUE);
    expect(text).toContain('‹secret›');
  });

  it('has no part that a copy or a listing would take along', () => {
    expect(Reflect.ownKeys(secret)).toEqual([]);
    expect({ ...secret }).toEqual({});
    expect(Object.assign({}, secret)).toEqual({});
    expect(inspect(structuredClone(secret), { showHidden: true })).not.toContain(VALUE);
    expect(serialize(secret).toString('latin1')).not.toContain(VALUE);
  });

  it('does not appear in the error of a failed use', () => {
    const wrong = thrownBy(() => (secret as unknown as { nothing: () => void }).nothing());
    expect(inspect(wrong)).not.toContain(VALUE);
    expect(() => Secret.prototype.reveal.call({} as Secret)).toThrow(TypeError);
    expect(Number(secret)).toBeNaN();
  });
});
