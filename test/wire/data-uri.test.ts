import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tryDecodeBase64, tryParseDataUri } from '../../src/wire/index.ts';

const MANY = 64_000_000;

describe('Base64 text', () => {
  it('is read back as the bytes that it was made of, with and without its padding', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const text = Buffer.from(bytes).toString('base64');
        expect(tryDecodeBase64(text)).toEqual(bytes);
        expect(tryDecodeBase64(text.replaceAll('=', ''))).toEqual(bytes);
      }),
    );
  });

  it.each([
    'A',
    'AAAAA',
    'A=',
    'A==',
    'A===',
    'AA=',
    'AAA==',
    'AAAA=',
    'AAAA==',
    '=',
    '==',
    'A=AA',
    'AA A',
    'AA\nA',
    'AA-_',
  ])('is not %j', (text) => {
    expect(tryDecodeBase64(text)).toBeUndefined();
  });

  it('is read at any length that a request may have', () => {
    expect(tryDecodeBase64('A'.repeat(MANY))?.length).toBe((MANY / 4) * 3);
    expect(tryDecodeBase64(`${'A'.repeat(MANY - 1)}!`)).toBeUndefined();
  });
});

describe('a data URI', () => {
  it('holds its media type as it is written, and bytes', () => {
    expect(tryParseDataUri('data:image/PNG;base64,AQI=')).toEqual({
      mediaType: 'image/PNG',
      bytes: new Uint8Array([1, 2]),
    });
    expect(tryParseDataUri('data:audio/wav;rate=8000;base64,AQI')?.mediaType).toBe('audio/wav');
  });

  it.each([
    '',
    'https://example.com/a.png',
    'data:image/png,AQI=',
    'data:;base64,AQI=',
    'data:image/png;base64,A',
    'AQI=',
  ])('is not %j', (text) => {
    expect(tryParseDataUri(text)).toBeUndefined();
  });

  it('is refused at any length when it is none', () => {
    expect(tryParseDataUri(`data:image/png${';x='.repeat(MANY / 3)}`)).toBeUndefined();
  });
});
