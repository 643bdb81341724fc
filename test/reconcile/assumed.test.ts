import { expect, it } from 'vitest';
import { decimalOf, keyId } from '../../src/domain/index.ts';
import { assumedState, settingsOfNew } from '../../src/reconcile/index.ts';
import { declare, NOW, state } from './account.ts';

it('an account that is assumed has the declared keys, unused, with IDs that are not declared', () => {
  const facts = { account: { url: 'https://gateway.example.com', userId: 1 }, quotaPerUnit: decimalOf(500_000) };
  const keys = [
    declare('a'),
    declare('b', { id: keyId(7) }),
    declare('c', { enabled: false }),
    declare('d', { enabled: undefined }),
  ];
  const assumed = assumedState(state(keys), facts, NOW);
  expect(assumed).toMatchObject({ ...facts, used: new Map() });
  expect(assumed.keys.map(({ name, id, status }) => `${name} ${id} ${status}`)).toEqual([
    'a 8 enabled',
    'b 7 enabled',
    'c 9 disabled',
    'd 10 enabled',
  ]);
  const [first] = keys.map((key) => settingsOfNew(key, facts.quotaPerUnit));
  expect(assumed.keys[0]).toStrictEqual({ ...first, id: 8, status: 'enabled', createdAt: NOW, masked: '', record: {} });
  expect(assumedState(state([declare('a')]), facts, NOW).keys[0]?.id).toBe(1);
});
