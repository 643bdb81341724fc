import { describe, expect, it } from 'vitest';
import type { Parsed } from '../../../../src/domain/index.ts';
import { ExactNumber, type TerraformValue, UNKNOWN } from '../../../../src/terraform/codec/value.ts';
import { openRememberedValues } from '../../../../src/terraform/keyplane/key/values/remembered-values.ts';

const INVALID: Parsed<TerraformValue> = {
  diagnostics: [{ code: 'manifest.wrong-type', severity: 'error', message: 'It is wet.' }],
};

function open() {
  const values = openRememberedValues<TerraformValue>();
  const parsed: TerraformValue[] = [];
  const parse = (value: TerraformValue) =>
    values.parse(value, () => {
      parsed.push(value);
      return value === 'wet' ? INVALID : { value, diagnostics: [] };
    });
  return { parsed, parse };
}

describe('the memory of valid values', () => {
  it('parses equal values once, and returns what that gave', () => {
    const { parsed, parse } = open();
    const results = ['hill', ['a', 'b'], { usd: 5, per: null }].flatMap((value) => [
      parse(value),
      parse(structuredClone(value)),
    ]);
    expect(parsed).toEqual(['hill', ['a', 'b'], { usd: 5, per: null }]);
    expect(results.map((result) => result?.value)).toEqual(parsed.flatMap((value) => [value, value]));
  });

  it('distinguishes numbers from their text, lists from theirs, every order, and omitted attributes from null', () => {
    const { parsed, parse } = open();
    const values = [1, '1', ['a', 'b'], ['b', 'a'], ['a,b'], ['["a"]'], '["a"]', { usd: 5 }, { usd: 5, per: null }];
    for (const value of [...values, ...values]) expect(parse(value)?.value).toEqual(value);
    expect(parsed).toEqual(values);
  });

  it('does not remember what JSON may confuse', () => {
    const { parsed, parse } = open();
    const values = [-0, 5n, UNKNOWN, new ExactNumber('0.30000000000000000001'), ['a', UNKNOWN], { usd: 5n }, new Map()];
    for (const value of [...values, ...values]) parse(value);
    expect(parsed).toEqual([...values, ...values]);
  });

  it('parses an invalid value each time', () => {
    const { parsed, parse } = open();
    expect([parse('wet'), parse('wet')]).toEqual([INVALID, INVALID]);
    expect(parsed).toEqual(['wet', 'wet']);
  });

  it('remembers a bounded number of values', () => {
    const { parsed, parse } = open();
    const all = Array.from({ length: 150 }, (_, n) => `place-${n}`);
    for (const place of [...all, ...all]) parse(place);
    expect(parsed).toHaveLength(150 + 50);
  });
});
