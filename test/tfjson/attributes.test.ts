import { expect, test } from 'vitest';
import type { DeclaredKind } from '../../src/domain/index.ts';
import { KEY_SCHEMA, LOCAL_ATTRIBUTES } from '../../src/terraform/keyplane/key/schema.ts';
import { PROVIDER_SCHEMA } from '../../src/terraform/keyplane/settings.ts';
import type { Attribute } from '../../src/terraform/provider/schema.ts';
import { BUDGET_TYPES, COMPUTED_ATTRIBUTES, ROWS } from '../../src/tfjson/keys/attributes.ts';
import { PROVIDER_ATTRIBUTES } from '../../src/tfjson/module/account.ts';

const entries = Object.entries(KEY_SCHEMA.attributes);
const isComputed = ([, { set }]: readonly [string, Attribute]): boolean => set === 'computed';

/** The type in the schema for each kind. */
const TYPES: Readonly<Record<DeclaredKind, string>> = {
  text: '"string"',
  flag: '"bool"',
  textSet: '["set","string"]',
  ipSet: '["set","string"]',
  instant: '"string"',
  json: '"string"',
  budget: 'nested',
};

const typeOf = ([name, attribute]: readonly [string, Attribute]): readonly [string, string] => [
  name,
  'nesting' in attribute ? 'nested' : JSON.stringify(attribute.type),
];

const inner = (attribute: Attribute | undefined) => (attribute && 'nesting' in attribute ? attribute.attributes : {});

test('the attributes of a key are those of the provider, with their types', () => {
  // What only Terraform acts on does not belong to a key.
  const declared = entries.filter((entry) => !isComputed(entry) && !LOCAL_ATTRIBUTES.includes(entry[0]));
  const rows = [...ROWS].map(([name, [, row]]) => [name, TYPES[row.kind]]);
  expect(Object.fromEntries(declared.map(typeOf))).toEqual({ name: '"string"', ...Object.fromEntries(rows) });
  expect(entries.filter(isComputed).map(([name]) => name)).toEqual(COMPUTED_ATTRIBUTES);
});

test('the attributes of a budget are those of the provider', () => {
  const budget = inner(KEY_SCHEMA.attributes.budget);
  expect(Object.keys(budget)).toEqual(Object.keys(BUDGET_TYPES));
  expect(Object.keys(inner(budget.below))).toEqual(Object.keys(BUDGET_TYPES.below));
});

test('the attributes of the provider block are those of the provider, and those that Terraform itself takes', () => {
  const declared = [...Object.keys(PROVIDER_SCHEMA.attributes), 'alias', 'version'];
  expect([...PROVIDER_ATTRIBUTES].sort()).toEqual(declared.sort());
});
