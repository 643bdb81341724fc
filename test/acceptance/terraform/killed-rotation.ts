import { expect } from 'vitest';
import { MODELS, openPlace } from '../place.ts';
import { expectApplied, expectSettled } from './changes.ts';
import { type Kill, type KilledStack, killAt, momentsOf, NO_LIMITS, restoreState, storedIds } from './killed.ts';
import { openInstalledStack } from './stack.ts';

const rotatedKey = (n: number, generation: number): string => `
resource "keyplane_api_key" "key-${n}" {
  name_prefix         = "key-${n}-"
  budget              = { usd = ${n + 1}, per = "lifetime" }
  rotate_when_changed = { generation = ${generation} }
  lifecycle {
    create_before_destroy = true
  }
}
`;

const configurationOf = (count: number, generation: number): string =>
  Array.from({ length: count }, (_, n) => rotatedKey(n, generation)).join('');

/** A stack whose keys are replaced before the former ones are deleted. */
export async function openRotation(count: number): Promise<KilledStack> {
  const place = await openPlace([], 'deployed', MODELS, NO_LIMITS);
  const stack = await openInstalledStack(place, configurationOf(count, 0));
  await expectApplied(stack);
  return { place, count, stack };
}

/** The moments of a rotation. */
export async function momentsOfRotation(killed: KilledStack): ReturnType<typeof momentsOf> {
  await killed.stack.configure(configurationOf(killed.count, -1));
  return await momentsOf(killed, () => expectApplied(killed.stack));
}

/**
 * Kills a rotation. At every moment each key or its successor exists, and the next apply leaves exactly one, which is new. Returns
 * the number of adopted successors, and whether the kill left an empty state; undefined: the rotation ended before.
 */
export async function recoverRotation(
  killed: KilledStack,
  kill: Kill,
  generation: number,
): Promise<{ readonly adopted: number; readonly isEmptied: boolean } | undefined> {
  const { place, stack, count } = killed;
  const former = (await place.keys()).map(({ id }) => id);
  expect(former, JSON.stringify(kill)).toHaveLength(count);
  await stack.configure(configurationOf(count, generation));
  const isKilled = await killAt(killed, kill);
  const isEmptied = await restoreState(killed);
  const stored = await storedIds(killed);
  const left = await place.keys();
  const orphans = left.map(({ id }) => id).filter((id) => !stored.includes(id) && !former.includes(id));
  for (let n = 0; n < count; n += 1)
    expect(
      left.some(({ name }) => String(name).startsWith(`key-${n}-`)),
      JSON.stringify(kill),
    ).toBe(true);
  const output = await expectApplied(stack);
  const adopted = new Set([...output.matchAll(/Adopts the key (\d+), which/g)].map(([, id]) => Number(id)));
  expect([...adopted], JSON.stringify(kill)).toEqual(expect.arrayContaining(orphans));
  const keys = await place.keys();
  const prefixes = keys.map(({ name }) => String(name).replace(/\d{8}-\w{6}$/, '')).sort();
  expect(prefixes, JSON.stringify(kill)).toEqual(Array.from({ length: count }, (_, n) => `key-${n}-`).sort());
  const ids = keys.map(({ id }) => id);
  expect(
    former.filter((id) => ids.includes(id)),
    JSON.stringify(kill),
  ).toEqual([]);
  // Adopted, and not replaced once more.
  expect(ids, JSON.stringify(kill)).toEqual(expect.arrayContaining(orphans));
  await expectSettled(stack);
  return isKilled ? { adopted: adopted.size, isEmptied } : undefined;
}
