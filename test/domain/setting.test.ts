import { describe, expect, it } from 'vitest';
import { normalSetting, sameSetting } from '../../src/domain/index.ts';

describe('a setting of a live key', () => {
  it('is compared as a sorted set, each item once', () => {
    expect(normalSetting('textSet', ['b', 'a', 'b'])).toEqual(['a', 'b']);
    expect(normalSetting('textSet', [])).toEqual([]);
    expect(normalSetting('textSet', null)).toBeNull();
  });

  it('is compared by the addresses that its rules let in; other lines stay as they are', () => {
    expect(normalSetting('ipSet', ['nonsense', '10.1.2.3/8', '10.0.0.1'])).toEqual([
      '10.0.0.0/8',
      '10.0.0.1/32',
      'nonsense',
    ]);
    expect(normalSetting('ipSet', null)).toBeNull();
  });

  it('is compared as canonical JSON; an empty text stays empty', () => {
    expect(normalSetting('json', '{ "b": 1, "a": 2 }')).toBe('{"a":2,"b":1}');
    expect(normalSetting('json', 'no JSON')).toBe('no JSON');
    expect(normalSetting('json', '')).toBe('');
  });

  it('is compared as it is in all other cases', () => {
    expect([normalSetting('flag', true), normalSetting('text', ' a '), normalSetting('instant', null)]).toEqual([
      true,
      ' a ',
      null,
    ]);
  });

  it.each<[Parameters<typeof sameSetting>[0], Parameters<typeof sameSetting>[1], boolean]>([
    [['a', 'b'], ['a', 'b'], true],
    [['a', 'b'], ['a', 'c'], false],
    [['a', 'b'], ['a'], false],
    [['a'], ['a', 'b'], false],
    [[], [], true],
    [[], null, false],
    [null, [], false],
    [null, null, true],
    ['a', ['a'], false],
    ['a', 'a', true],
    [1, 2, false],
  ])('%j and %j are the same: %s', (a, b, isSame) => {
    expect(sameSetting(a, b)).toBe(isSame);
  });
});
