import { expect, it } from 'vitest';
import type { Edit, ObservedKey, SettingName, UnkeptSettings } from '../../src/domain/index.ts';
import { clearingNotes, isLacked, lackedBy, lackingNotes } from '../../src/reconcile/plan/lacking.ts';
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

const SMART: readonly SettingName[] = ['smartRouting', 'smartRouteTiers'];
const STATED: UnkeptSettings = { everywhere: SMART, outsideAuto: ['crossGroupRetry'], source: 'stated' };
const PRESUMED: UnkeptSettings = { ...STATED, source: 'presumed', kind: 'new-api v0.13.2' };

const smart = (more: Partial<ObservedKey> = {}): ObservedKey => plainKey(1, { smartRouting: true, ...more });
const retrying = (group: string): ObservedKey => plainKey(1, { crossGroupRetry: true, group });
const STATED_TEXT = [
  'according to its profile, this gateway does not have smart routing; the declared value would have no effect',
  'according to its profile, this gateway keeps cross-group retry only in the group “auto”; the declared value would have no effect',
];
const [STATED_SMART = '', STATED_RETRY = ''] = STATED_TEXT;

it.each<[string, readonly ObservedKey[], UnkeptSettings | undefined, readonly string[]]>([
  ['no profile', [], undefined, []],
  ['a profile, and no key', [], STATED, STATED_TEXT],
  ['a profile, and a key that shows nothing', [plainKey(1)], STATED, STATED_TEXT],
  ['a profile, and a key in “auto” that is retried', [retrying('auto')], STATED, STATED_TEXT],
  ['a profile that a key with Smart Routing refutes', [smart()], STATED, [STATED_SMART, STATED_RETRY]],
  ['a profile that a key in another group refutes', [retrying('vip')], STATED, [STATED_SMART]],
  [
    'a profile that the keys confirm',
    [plainKey(1, { lacks: SMART })],
    STATED,
    ['this gateway does not have smart routing; the declared value has no effect', STATED_RETRY],
  ],
  [
    'the kind of the gateway, and no key',
    [],
    PRESUMED,
    [
      'a gateway like this one (new-api v0.13.2) usually does not have smart routing; the declared value would have no effect',
      'a gateway like this one (new-api v0.13.2) usually keeps cross-group retry only in the group “auto”; the declared value would have no effect',
    ],
  ],
  ['the kind of the gateway, and a key that shows nothing of it', [plainKey(1)], PRESUMED, []],
])('declared settings are noted by %s', (_, keys, unkept, expected) => {
  const lacking = lackedBy(keys, unkept);
  const declared = [...SMART, 'crossGroupRetry' as const].filter((field) =>
    isLacked(lacking, 'vip', { field, after: true } as Pick<Edit, 'field' | 'after'>),
  );
  const notes = lackingNotes('app', declared, lacking);
  expect(notes.map(({ message }) => message)).toEqual(expected);
  const fields = notes.map(({ message }) => (message.includes('smart routing') ? 'smartRouting' : 'crossGroupRetry'));
  expect(notes.map(({ path }) => path)).toEqual(fields.map((field) => [field]));
});
