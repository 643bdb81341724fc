import { describe, expect, it } from 'vitest';
import { redact, redactTextFor } from '../../../src/checks/run/redact.ts';
import { Secret } from '../../../src/domain/index.ts';
import { redactMessage } from '../../../src/gateway/messages.ts';

const VALUE = `canary${'x'.repeat(42)}`;
const shown = (value: unknown, hidden: readonly string[] = []) =>
  redact(value, redactTextFor(hidden, new Secret(`sk-${VALUE}`)));

describe('what a report shows of a request and of an answer', () => {
  it.each([
    ['the credential that asked', `it was sk-${VALUE}.`],
    ['the credential without its head', `it was ${VALUE}.`],
    ['a bearer of somebody else', 'Authorization: Bearer abcdefgh12345678'],
    ['a key of somebody else', 'sk-abcdefgh12345678 was used'],
  ])('has not %s', (_, text) => {
    const open = JSON.stringify(shown({ error: { message: text, more: [text] } }));
    expect(open).toContain('‹secret›');
    expect(open).not.toMatch(/canary|abcdefgh/);
  });

  it.each([
    ['the name of a field', { [`sk-${VALUE}`]: 1, [VALUE]: { [VALUE]: 2 } }],
    ['a name of somebody else', { 'sk-abcdefgh12345678': 1 }],
    ['Base64', { message: Buffer.from(`key=${VALUE}`).toString('base64') }],
    ['an address', { message: `/x?key=${[...VALUE].map((each) => `%${each.charCodeAt(0).toString(16)}`).join('')}` }],
    ['another case', { message: VALUE.toUpperCase() }],
    ['a part in another case', { message: VALUE.slice(0, 12).toUpperCase() }],
  ])('has no credential as %s', (_, answer) => {
    const open = JSON.stringify(shown(answer));
    expect(open).toContain('‹secret›');
    expect(open).not.toMatch(/canary|abcdefgh|xxxxxxxx|CANARY|Y2FuYXJ5|%63%61/);
  });

  it('has no hidden value of a definition, and the rest', () => {
    expect(shown({ a: 'of hush and more', b: [1, true, null] }, ['hush', ''])).toEqual({
      a: 'of ‹hidden› and more',
      b: [1, true, null],
    });
  });

  it.each([
    ['the user of an address', 'https://hook:s3cretOfHook@hooks.example.com/abc', /s3cret/],
    ['the user of an address with a query', 'https://s3cretOfHook@hooks.example.com/abc?check=1', /s3cret/],
    ['the user of an address in a text', 'see http://hook:s3cretOfHook@hooks.example.com', /s3cret/],
    ['a token of another service', `ghp_${'Ab3d'.repeat(9)} is mine`, /Ab3d/],
    ['a private key', `-----BEGIN PRIVATE KEY-----\n${'QUJD'.repeat(20)}\n-----END PRIVATE KEY-----`, /QUJD/],
  ])('has not %s', (_, text, secret) => {
    expect(JSON.stringify(shown({ callback_url: text, body: [text] }))).not.toMatch(secret);
  });

  it('has no signature of a link', () => {
    expect(shown('https://files.example.com/a.mp4?sig=abc')).toBe('https://files.example.com/a.mp4?…');
  });

  it('is short: of Base64, long texts, long lists and bytes only how much there is', () => {
    expect(shown('QUJD'.repeat(100))).toBe('(400 characters of Base64)');
    expect(shown(`data:image/png;base64,${'QUJD'.repeat(100)}`)).toMatch(/characters of Base64/);
    expect(shown('word '.repeat(1000))).toMatch(/… \(5000 characters\)$/);
    expect(shown(Array.from({ length: 25 }, (_, i) => i))).toHaveLength(21);
    expect(shown(new Uint8Array(7))).toBe('(7 bytes)');
    expect(shown(new Float32Array([0.5]))).toEqual([0.5]);
  });

  it('renders numbers that JSON does not have, and limits the depth', () => {
    expect(shown([Number.NaN, Number.POSITIVE_INFINITY])).toEqual(['NaN', 'Infinity']);
    const deep = Array.from({ length: 40 }).reduce<unknown>((inner) => ({ inner }), 'end');
    expect(JSON.stringify(shown(deep))).not.toContain('end');
  });
});

describe('a message of the gateway', () => {
  it.each([
    ['in two parts', `no ${VALUE.slice(0, 14)} and ${VALUE.slice(14)}`],
    ['in lower case', `no ${VALUE.toLowerCase()} here`],
    ['in capitals', `no ${VALUE.toUpperCase()} here`],
    ['in part, in capitals', `no ${VALUE.slice(2, 16).toUpperCase()}`],
  ])('has no secret %s', (_, message) => {
    const text = redactMessage(message, [new Secret(VALUE)]);
    expect(text).toMatch(/^no ‹secret›/);
    expect(text).not.toMatch(/canary|xxxxxxxx/i);
  });
});

describe('an answer with a film in it', () => {
  const film = `data:video/mp4;base64,${'AAAA'.repeat(5_000_000)}`;

  it('is described by its length', () => {
    expect(redact({ url: film }, (text) => text)).toEqual({ url: `(${film.length} characters of Base64)` });
    expect(redact(`see ${film}`, (text) => text)).toMatch(/^see data:video.{1900,2100} \(20000026 characters\)$/u);
  });

  it('is one short line in a message of the gateway', () => {
    expect(redactMessage(`cannot read ${film}`, []).length).toBeLessThan(400);
  });
});
