import { describe, expect, it } from 'vitest';
import { tryParseGammaSize, tryParseSize } from '../../../src/wire/index.ts';

describe('a size in pixels', () => {
  it('is width x height', () => expect(tryParseSize('1536x1024')).toEqual({ width: 1536, height: 1024 }));
  it('is width * height for family gamma', () => {
    expect(tryParseGammaSize('1664*928')).toEqual({ width: 1664, height: 928 });
  });

  it('has one to six digits on each side', () => {
    expect(tryParseSize('1x999999')).toEqual({ width: 1, height: 999_999 });
    expect(tryParseGammaSize('999999*1')).toEqual({ width: 999_999, height: 1 });
    for (const [width, height] of ['1000000x1', '1x1000000'].map((text) => text.split('x'))) {
      expect(tryParseSize(`${width}x${height}`)).toBeUndefined();
      expect(tryParseGammaSize(`${width}*${height}`)).toBeUndefined();
    }
  });

  it.each(['auto', '', '1024', '1024x', 'x1024', ' 1x1', '1x1\n', '01x1', '0x1', '-1x1', '1.5x1', '1x1x1', '1×1'])(
    'is not %j',
    (text) => {
      expect(tryParseSize(text)).toBeUndefined();
      expect(tryParseGammaSize(text.replace('x', '*'))).toBeUndefined();
    },
  );

  it('is not written as the other family writes it', () => {
    expect(tryParseSize('1*1')).toBeUndefined();
    expect(tryParseGammaSize('1x1')).toBeUndefined();
  });
});
