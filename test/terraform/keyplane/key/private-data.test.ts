import { expect, it } from 'vitest';
import { damageOf } from '../../../../src/terraform/keyplane/key/private-data.ts';
import { KEY_RESOURCE } from '../../../../src/terraform/keyplane/key/resource.ts';

const STORED = { userId: 42, url: 'https://gateway.test' };

it.each([
  [{ generations: [1, 2], declared: ['models'], origin: { name: 'app', until: 7 }, rotationDue: ['end'], due: true }],
  [{ origin: { name: 'app' }, imported: true, budgetDrifted: true, unproven: true }],
  [{ rotationDue: ['a part of a newer version'], another: 5 }],
])('finds nothing wrong with private data that some version stores: %j', (more) => {
  expect(damageOf({ state: { id: 7 }, private: { ...STORED, ...more } })).toBeUndefined();
});

it.each([
  [{}, { userId: '42' }, 'private: invalid `userId`'],
  [{}, { userId: null }, 'private: invalid `userId`'],
  [{}, { url: 5 }, 'private: invalid `url`'],
  [{}, { declared: 'budget' }, 'private: invalid `declared`'],
  [{}, { generations: ['1'] }, 'private: invalid `generations`'],
  [{}, { generations: 1 }, 'private: invalid `generations`'],
  [{}, { origin: 'app' }, 'private: invalid `origin`'],
  [{}, { origin: null }, 'private: invalid `origin`'],
  [{}, { imported: 'false' }, 'private: invalid `imported`'],
  [{ id: 5.5 }, {}, 'id: not the ID of a key'],
  [{ id: -1 }, {}, 'id: not the ID of a key'],
])('finds what is damaged: the state %j, private %j', (state, more, problem) => {
  expect(damageOf({ state, private: { ...STORED, ...more } })).toBe(problem);
});

it('accepts a state without an ID and without private data, as from another provider', () => {
  expect(damageOf({ state: { id: null } })).toBeUndefined();
});

it.each([
  ['disable', undefined],
  [null, undefined],
  ['archive', 'on_destroy: unknown to this version of the provider'],
])('does not take an end that it does not know for a delete: %s', (on_destroy, problem) => {
  expect(KEY_RESOURCE.damageOf?.({ state: { id: 7, on_destroy }, private: STORED })).toBe(problem);
});
