import { expect, test } from 'vitest';
import {
  BELOW_ATTRIBUTES,
  BUDGET_ATTRIBUTES,
  COMPUTED_ATTRIBUTES,
  KEY_ATTRIBUTES,
} from '../../../src/manifest/terraform-json/key-attributes.ts';
import { KEY_SCHEMA } from '../../../src/terraform/keyplane/key/schema.ts';
import type { Attribute } from '../../../src/terraform/provider/schema.ts';

const entries = Object.entries(KEY_SCHEMA.attributes);
const isComputed = ([, { set }]: readonly [string, Attribute]): boolean => set === 'computed';

const KINDS: Readonly<Record<string, string>> = { '"string"': 'text', '"bool"': 'flag', '["set","string"]': 'texts' };

const kindOf = ([name, attribute]: readonly [string, Attribute]): readonly [string, string | undefined] => [
  name,
  'nesting' in attribute ? name : KINDS[JSON.stringify(attribute.type)],
];

const inner = (attribute: Attribute | undefined) => (attribute && 'nesting' in attribute ? attribute.attributes : {});

test('the attributes of a key are those of the provider, with their types', () => {
  const declared = entries.filter((entry) => !isComputed(entry));
  expect(Object.fromEntries(declared.map(kindOf))).toEqual(KEY_ATTRIBUTES);
  expect(entries.filter(isComputed).map(([name]) => name)).toEqual(COMPUTED_ATTRIBUTES);
});

test('the attributes of a budget are those of the provider', () => {
  const budget = inner(KEY_SCHEMA.attributes.budget);
  expect(Object.keys(budget)).toEqual(BUDGET_ATTRIBUTES);
  expect(Object.keys(inner(budget.below))).toEqual(BELOW_ATTRIBUTES);
});
