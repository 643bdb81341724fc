import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { constructIds, localNames, TERRAFORM_LABELS, VARIABLES } from '../../../src/manifest/write/names.ts';
import { ODD } from './declared.ts';

const SYNTAXES = [
  ['labels of Terraform', TERRAFORM_LABELS, /^[A-Za-z_][A-Za-z0-9_]*$/],
  ['variables', VARIABLES, /^[A-Za-z_][A-Za-z0-9_]*$/],
  ['ids of constructs', constructIds(), /^[^/]+$/],
] as const;

const names = fc.uniqueArray(fc.oneof(fc.constantFrom(...ODD), fc.string({ minLength: 1 })), { maxLength: 12 });

describe.each(SYNTAXES)('local names as %s', (_, naming, pattern) => {
  test('are different, allowed, and the same in any order', () => {
    fc.assert(
      fc.property(names, (all) => {
        const local = localNames(all, naming);
        expect([...local.keys()].sort()).toEqual([...all].sort());
        expect(new Set(local.values()).size).toBe(all.length);
        for (const name of local.values()) expect(name).toMatch(pattern);
        const reversed = localNames([...all].reverse(), naming);
        for (const name of all) expect(reversed.get(name)).toBe(local.get(name));
      }),
    );
  });
});

test('a name is kept where possible, and only names that collide get a hash', () => {
  const labels = (...all: string[]) => [...localNames(all, TERRAFORM_LABELS).values()];
  expect(labels('prod-checkout', 'prod.search', '1st')).toEqual(['prod_checkout', 'prod_search', 'key_1st']);
  expect(labels('a_b', 'a-b', 'a/b')).toEqual([
    'a_b',
    expect.stringMatching(/^a_b_[0-9a-f]{6}$/),
    expect.stringMatching(/^a_b_/),
  ]);
  expect(labels('日本')).toEqual([expect.stringMatching(/^key_[0-9a-f]{6}$/)]);
  expect([...localNames(['prod-checkout', 'class', 'a/b'], VARIABLES).values()]).toEqual([
    'prodCheckout',
    expect.stringMatching(/^class_/),
    'aB',
  ]);
  expect([...localNames(['a/b', 'prod', '1'], constructIds()).values()]).toEqual(['a-b', 'prod', 'key-1']);
});
