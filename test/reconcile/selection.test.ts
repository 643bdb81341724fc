import { describe, expect, it } from 'vitest';
import { isSelected, type KeyMetadata, type KeySelection } from '../../src/domain/index.ts';

const SEARCH: KeyMetadata = { owner: 'search', labels: { team: 'search', env: 'prod' } };

describe('a selection of keys', () => {
  it.each<[KeySelection, readonly string[], KeyMetadata | undefined, boolean]>([
    [{}, ['a'], undefined, true],
    [{ names: ['a*'] }, ['b', 'ab'], undefined, true],
    [{ owners: ['search'] }, ['a'], SEARCH, true],
    [{ owners: ['ads', 'search'] }, ['a'], SEARCH, true],
    [{ owners: ['sear*'] }, ['a'], SEARCH, false],
    [{ owners: ['search'] }, ['a'], undefined, false],
    [{ labels: [{ name: 'team' }] }, ['a'], SEARCH, true],
    [{ labels: [{ name: 'team', value: 'search' }, { name: 'env' }] }, ['a'], SEARCH, true],
    [
      {
        labels: [
          { name: 'team', value: 'search' },
          { name: 'env', value: 'dev' },
        ],
      },
      ['a'],
      SEARCH,
      false,
    ],
    [{ labels: [{ name: 'constructor' }] }, ['a'], SEARCH, false],
    [{ names: ['b'], owners: ['search'] }, ['a'], SEARCH, false],
  ])('%j of %j with %j is %s', (selection, names, metadata, selected) => {
    expect(isSelected(selection, names, metadata)).toBe(selected);
  });
});
