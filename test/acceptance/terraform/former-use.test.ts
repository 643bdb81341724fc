import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPlace, type Place, PROFILES } from '../place.ts';
import { expectApplied, expectSettled } from './changes.ts';
import { openStack, type Stack, skipWithoutTerraform } from './stack.ts';

/** Keys of the same allowance, by their labels. */
const configuration = (names: Readonly<Record<string, string>>): string =>
  Object.entries(names)
    .map(
      ([label, name]) =>
        `resource "keyplane_api_key" "${label}" {\n  name = "${name}"\n  budget = { quota = 1000, per = "month" }\n}\n`,
    )
    .join('');

describe.each(PROFILES)('the allowance of keys of terraform that get names of others (%s)', (profile) => {
  let place: Place;
  let stack: Stack;
  beforeEach(async (context) => {
    skipWithoutTerraform(context);
    place = await openPlace([], profile);
  });
  afterEach(() => place?.close());

  const remaining = async () =>
    Object.fromEntries((await place.keys()).map(({ name, remain_quota: remain }) => [name, remain]));
  async function spend(name: string, quota: number): Promise<void> {
    const keyId = (await place.keys()).find((key) => key.name === name)?.id;
    await place.control('POST', '/spend', { keyId, quota, model: 'alpha-chat-1' });
  }

  it.each([
    ['two exchange their names', { one: 'b', two: 'a' }, { b: 900, a: 700 }],
    ['another one had its name before', { one: 'b', two: 'c' }, { b: 900, c: 700 }],
  ])('is that of the key, where %s', async (_, renamed, left) => {
    stack = await openStack(place, configuration({ one: 'a', two: 'b' }));
    await expectApplied(stack);
    await spend('a', 100);
    await spend('b', 300);
    await stack.configure(configuration(renamed));
    await expectApplied(stack);
    expect(await remaining()).toEqual(left);
    await expectSettled(stack);
  });
});
