import { describe, expect, it } from 'vitest';
import { generationsAt } from '../../constructs/cdk/keys/rotation.ts';
import { tryParseInstant } from '../../src/domain/index.ts';
import { FLAVOURS, openStack } from './flavours.ts';

const DAY = 86_400;
const at = (text: string): number => tryParseInstant(text) ?? Number.NaN;

describe('The generations of a rotation', () => {
  const timetable = { since: at('2026-01-01T00:00:00Z'), every: 90 * DAY, overlap: 7 * DAY };

  it.each([
    ['before the first day', '2025-12-01T00:00:00Z', ['2026-01-01']],
    ['in the first one', '2026-03-31T23:59:59Z', ['2026-01-01']],
    ['when the second begins', '2026-04-01T00:00:00Z', ['2026-04-01', '2026-01-01']],
    ['at the end of the overlap', '2026-04-07T23:59:59Z', ['2026-04-01', '2026-01-01']],
    ['after the overlap', '2026-04-08T00:00:00Z', ['2026-04-01']],
    ['years later', '2030-01-01T00:00:00Z', ['2029-12-11']],
  ])('are those of the calendar %s', (_, now, dates) => {
    expect(generationsAt(timetable, at(now))).toEqual(dates);
  });

  it('overlap without a gap: on every day there is the key of the day before', () => {
    for (let day = 1; day < 400; day += 1) {
      const [before, now] = [day - 1, day].map((n) => generationsAt(timetable, timetable.since + n * DAY));
      expect(now).toContain(before?.[0]);
    }
  });
});

describe.each(FLAVOURS)('RotatingKey of $name', (flavour) => {
  const { cdk, keys } = flavour;
  const { KeyplaneTesting, RotatingKey } = keys;
  const props = { name: 'desk', every: '91d', overlap: '14d', since: '2026-01-01T00:00:00Z' } as const;

  it('is the current key and, during the overlap, the one before', () => {
    const { stack } = openStack(flavour, 'prod', KeyplaneTesting.app('2026-04-03T00:00:00Z'));
    const key = new RotatingKey(stack, 'Desk', { ...props, models: ['alpha-chat-1'], budget: { usd: 5 } });
    expect(KeyplaneTesting.keys(stack).map(({ name, path }) => [name, path])).toEqual([
      ['desk~2026-04-02', 'prod/Desk/2026-04-02/Resource'],
      ['desk~2026-01-01', 'prod/Desk/2026-01-01/Resource'],
    ]);
    for (const { attributes } of KeyplaneTesting.keys(stack))
      expect(attributes).toMatchObject({ models: ['alpha-chat-1'], budget: { usd: 5 } });
    expect([key.current.keyName, key.previous?.keyName]).toEqual(['desk~2026-04-02', 'desk~2026-01-01']);
    new cdk.TerraformOutput(stack, 'number', { value: key.keyId });
    const { output } = JSON.parse(cdk.Testing.synth(stack));
    expect(output.number.value).toBe(`\${keyplane_api_key.${key.current.resource.friendlyUniqueId}.id}`);
    expect(KeyplaneTesting.problems(stack)).toEqual([]);
  });

  it('keeps the address of a generation from one synthesis to the next', () => {
    const addressOn = (now: string) => {
      const { stack } = openStack(flavour, 'prod', KeyplaneTesting.app(now));
      const { current, previous } = new RotatingKey(stack, 'Desk', props);
      return [current, previous].map((key) => key?.resource.friendlyUniqueId);
    };
    const [first] = addressOn('2026-02-01T00:00:00Z');
    expect(addressOn('2026-04-03T00:00:00Z')[1]).toBe(first);
    expect(addressOn('2026-04-30T00:00:00Z')[1]).toBeUndefined();
  });

  it.each([
    ['hours', { every: '36h' }, 'prod/Desk: `every` must be a number of days such as 90d, not "36h".'],
    ['no length of time', { overlap: 'a week' }, 'prod/Desk: `overlap` must be a duration such as 7d, not "a week".'],
    [
      'an overlap as long as the rotation',
      { overlap: '91d' },
      'prod/Desk: `overlap`, 91d, must be shorter than `every`, 91d.',
    ],
    ['a day without its offset', { since: '2026-01-01' }, 'prod/Desk: `since` must be the beginning of a day in UTC'],
    ['noon', { since: '2026-01-01T12:00:00Z' }, 'prod/Desk: `since` must be the beginning of a day in UTC'],
    ['midnight elsewhere', { since: '2026-01-01T00:00:00+02:00' }, 'prod/Desk: `since` must be the beginning of a day'],
  ])('rejects %s', (_, wrong, expected) => {
    const { stack } = openStack(flavour);
    expect(() => new RotatingKey(stack, 'Desk', { ...props, ...wrong })).toThrow(expected);
  });

  it('is held to the length that a name may have with its date', () => {
    const { stack } = openStack(flavour);
    new RotatingKey(stack, 'Desk', { ...props, name: 'x'.repeat(40) });
    expect(KeyplaneTesting.problems(stack)).toEqual([expect.stringContaining('it has 51 characters')]);
  });
});
