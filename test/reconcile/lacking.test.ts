import { expect, it } from 'vitest';
import type { Edit, ObservedKey, SettingName } from '../../src/domain/index.ts';
import { clearingNotes, lackedBy } from '../../src/reconcile/plan/lacking.ts';
import { plainKey } from '../plain-key.ts';

const LACKING = { everywhere: new Set<SettingName>(), outsideAuto: new Set<SettingName>(['crossGroupRetry']) };
const LEAVING: Edit = { field: 'group', before: 'auto', after: 'vip' };
const NO_RETRY: Edit = { field: 'crossGroupRetry', before: true, after: false };
const RENAMED: Edit = { field: 'name', before: 'key-1', after: 'new' };

it('one key with groups for “auto” shows that the gateway has them', () => {
  const auto = (autoGroups?: readonly string[]): ObservedKey => plainKey(1, autoGroups ? { autoGroups } : {});
  expect(lackedBy([auto(), auto([])]).outsideAuto).toEqual(LACKING.outsideAuto);
  expect(lackedBy([auto(), auto()]).outsideAuto).toEqual(new Set());
});

it.each<[string, Partial<ObservedKey>, readonly Edit[], string | undefined]>([
  ['its groups', { autoGroups: ['a', 'b'] }, [LEAVING], 'its groups for “auto” (a, b)'],
  ['a setting, where it has no groups', { crossGroupRetry: true }, [LEAVING], 'cross-group retry'],
  ['nothing that the plan changes itself', { crossGroupRetry: true }, [LEAVING, NO_RETRY], undefined],
  ['nothing of a key outside of “auto”', { crossGroupRetry: true, group: 'default' }, [LEAVING], undefined],
  ['a setting of a key that is renamed', { crossGroupRetry: true }, [LEAVING, RENAMED], 'cross-group retry'],
])('a key that leaves the group “auto” loses %s', (_, more, edits, lost) => {
  const notes = clearingNotes(plainKey(1, { group: 'auto', ...more }), edits, LACKING);
  const name = edits.includes(RENAMED) ? 'new' : 'key-1';
  const expected = lost === undefined ? [] : [[`with the group, the gateway also clears ${lost}`, name]];
  expect(notes.map(({ message, data }) => [message, data?.name])).toEqual(expected);
});
