import { describe, expect, it } from 'vitest';
import type { TerraformValue } from '../../../src/terraform/codec/value.ts';
import { withRememberedChecks } from '../../../src/terraform/provider/remembered-checks.ts';
import type { Schema } from '../../../src/terraform/provider/schema.ts';
import { validateConfig } from '../../../src/terraform/provider/validate.ts';
import { attribute } from './weather.ts';

function schemaOf(looked: TerraformValue[]): Schema {
  const check = (value: TerraformValue) => {
    looked.push(value);
    return value === 'wet' ? [{ summary: 'It is wet' }] : [];
  };
  const attributes = {
    place: attribute('string', 'optional', { check }),
    tags: attribute(['list', 'string'], 'optional', { check }),
    password: attribute('string', 'optional', { check, isSensitive: true }),
    depth: attribute('number', 'optional', { check }),
    free: attribute('string', 'optional'),
  };
  return { version: 0, description: 'A station.', attributes };
}

function open() {
  const looked: TerraformValue[] = [];
  const schema = schemaOf(looked);
  return { looked, schema, remembering: withRememberedChecks(schema) };
}

describe('a schema that remembers valid values', () => {
  it('checks equal values of an attribute once', () => {
    const { looked, remembering } = open();
    for (let n = 0; n < 3; n += 1) {
      expect(validateConfig(remembering, { place: 'hill', tags: ['a', 'b'], free: 'x' })).toEqual([]);
    }
    expect(looked).toEqual(['hill', ['a', 'b']]);
  });

  it('checks equal numbers once, and distinguishes them from their text', () => {
    const { looked, remembering } = open();
    for (const depth of [1, 1, '1', 0, 0, -0]) validateConfig(remembering, { depth });
    expect(looked).toEqual([1, '1', 0, -0]);
  });

  it('checks equal objects once', () => {
    const { looked, remembering } = open();
    const budgets = [{ usd: 5, per: null }, { usd: 5, per: null }, { usd: 5 }, { usd: 5n }, { usd: 5n }];
    for (const tags of budgets) validateConfig(remembering, { depth: tags });
    expect(looked).toEqual([budgets[0], budgets[2], budgets[3], budgets[4]]);
  });

  it('distinguishes a list from its text, and every order', () => {
    const { looked, remembering } = open();
    const values = [['a', 'b'], ['b', 'a'], ['a,b'], ['["a"]'], ['a']];
    for (const tags of values) validateConfig(remembering, { tags });
    expect(looked).toEqual(values);
  });

  it('reports an invalid value each time', () => {
    const { remembering } = open();
    const errors = () => validateConfig(remembering, { place: 'wet' });
    expect(errors()).toMatchObject([{ summary: 'It is wet', path: ['place'] }]);
    expect(errors()).toEqual(errors());
  });

  it('does not remember secrets, or values that JSON may confuse', () => {
    const { looked, remembering } = open();
    for (let n = 0; n < 2; n += 1) validateConfig(remembering, { password: 'p', depth: -0 });
    expect(looked).toEqual(['p', -0, 'p', -0]);
  });

  it('remembers a bounded number of values', () => {
    const { looked, remembering } = open();
    const all = Array.from({ length: 150 }, (_, n) => `place-${n}`);
    for (const place of [...all, ...all]) validateConfig(remembering, { place });
    expect(looked).toHaveLength(150 + 50);
  });

  it('shares nothing with another one of the same schema', () => {
    const { looked, schema, remembering } = open();
    for (const each of [remembering, withRememberedChecks(schema), schema]) validateConfig(each, { place: 'hill' });
    expect(looked).toEqual(['hill', 'hill', 'hill']);
  });
});
